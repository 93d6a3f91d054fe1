import CGraphArchive
import Foundation

/// Where an archive is written to.
///
/// Several threads may write at once, to different places.
protocol ArchiveSink {
  /// Writes pieces one behind the other, from `offset` on.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws
}

extension OpenFile: ArchiveSink {}

/// Writes into memory that was allocated for the largest possible result.
@safe  // The owner of the memory writes the archive within a call.
struct MemorySink: ArchiveSink {
  private let memory: UnsafeMutableRawBufferPointer

  init(_ memory: UnsafeMutableRawBufferPointer) {
    unsafe self.memory = memory
    unsafe gca_memory_expect_fill(memory.baseAddress, memory.count)
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
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
