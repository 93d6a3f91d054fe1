import CGraphArchive
import Foundation
import _GraphSupport

/// Where an archive is written to.
///
/// Several threads may write at once, to different places.
package protocol ArchiveSink {
  /// Writes consecutive pieces, from `offset` on.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws

  /// Writes the blocks of a `SegmentWriter` in the sink's own way; nil to write them consecutively, which is the default.
  func sharing(of writer: SegmentWriter) -> (any BlockSharing)?
}

extension ArchiveSink {
  package func sharing(of writer: SegmentWriter) -> (any BlockSharing)? { nil }
}

/// Writes the blocks of one `SegmentWriter` into a sink that has some of them already.
///
/// Several threads may write at once, each its own block.
package protocol BlockSharing: AnyObject {
  /// The methods of arrays that are stored as they are, by the numbers of their sources.
  ///
  /// Called before the writer has blocks.
  func methodsOfKnownArrays() throws -> [Int: BlockMethod]

  /// Begins with the blocks, which the writer has now.
  func begin()

  /// Writes a block by `SegmentWriter.write`, compressed where that is needed.
  ///
  /// - Parameter raw: its bytes before filters and compression.
  func write(
    _ index: Int, _ raw: UnsafeRawBufferPointer, _ method: BlockMethod, _ places: BlockSequencer,
    _ scratch: BlockScratch) throws

  /// Likewise writes a block of another archive, unchanged.
  func write(
    _ index: Int, _ block: ReadyBlock, copiedFrom copy: SegmentCopy, _ places: BlockSequencer,
    _ scratch: BlockScratch) throws

  /// Notes arrays for the next archive, when all blocks are written.
  func noteArrays()
}

/// A block that is ready to be written.
@safe  // Its bytes are those of a call that outlives it.
package struct ReadyBlock {
  /// nil if the sink already has the block.
  package let stored: UnsafeRawBufferPointer?
  package let rawByteCount: Int
  package let entry: Segment.Block

  package init(_ stored: UnsafeRawBufferPointer, rawByteCount: Int) {
    unsafe self.stored = unsafe stored
    self.rawByteCount = rawByteCount
    entry = unsafe Segment.Block(
      storedByteCount: UInt32(stored.count), hash: gca_hash64_bytes(stored.baseAddress, stored.count))
  }

  /// A block that the sink already has.
  package init(_ entry: Segment.Block, rawByteCount: Int) {
    unsafe stored = nil
    (self.entry, self.rawByteCount) = (entry, rawByteCount)
  }
}

extension OpenFile: ArchiveSink {}

/// Writes into memory that was allocated for the largest possible result.
@safe  // The owner of the memory writes the archive within a call.
package struct MemorySink: ArchiveSink {
  private let memory: UnsafeMutableRawBufferPointer

  package init(_ memory: UnsafeMutableRawBufferPointer) {
    unsafe self.memory = memory
    unsafe gca_memory_expect_fill(memory.baseAddress, memory.count)
  }

  package func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    var start = Int(offset)
    for index in unsafe pieces.indices {
      let piece = unsafe pieces[index]
      guard unsafe start <= memory.count, unsafe piece.count <= memory.count - start else {
        throw GCodableError(.internalInconsistency, "the archive is larger than was computed")
      }
      unsafe gca_memory_make_pages(memory.baseAddress, memory.count, start, start + piece.count)
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + piece.count)]).copyMemory(
        from: piece)
      start += piece.count
    }
  }
}
