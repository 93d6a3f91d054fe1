import CGraphArchive
import Foundation

/// Where an archive is written to.
///
/// Several threads may write at once, to different places.
protocol ArchiveSink {
  /// Writes pieces one behind the other, from `offset` on.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws
}

/// Writes into memory that was allocated for the largest possible result.
struct MemorySink: ArchiveSink {
  private let memory: UnsafeMutableRawBufferPointer

  init(_ memory: UnsafeMutableRawBufferPointer) {
    self.memory = memory
    gca_memory_expect_fill(memory.baseAddress, memory.count)
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    var start = Int(offset)
    for piece in pieces {
      guard start <= memory.count, piece.count <= memory.count - start else {
        throw GCodableError(.internalInconsistency, "the archive is larger than was computed")
      }
      UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + piece.count)]).copyMemory(from: piece)
      start += piece.count
    }
  }
}
