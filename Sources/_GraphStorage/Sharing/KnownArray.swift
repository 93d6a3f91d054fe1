import Foundation
import _GraphFiles

/// An array of the last archive that a writer of a series has stored.
///
/// The trial of filters costs more than checking whether all blocks of an array are unchanged, and would give the same result,
/// because it depends on the bytes alone. Held elements cannot change without being copied: if they are the same in memory,
/// samples are enough.
struct KnownArray {
  /// The key of an array.
  struct Key: Hashable {
    let format: PackedFormat
    let byteCount: Int
    let elementByteCount: Int
    let rowElementCount: Int
    let compression: ArchiveCompression
    /// Of a sample of the first block.
    let first: Fingerprint

    init(_ source: SegmentWriter.Source, _ compression: ArchiveCompression, first: Fingerprint) {
      (format, byteCount) = (source.format, source.byteCount)
      (elementByteCount, rowElementCount) = (source.elementByteCount, source.rowElementCount)
      (self.compression, self.first) = (compression, first)
    }
  }

  let method: BlockMethod
  /// Of samples of each block, by which blocks are found.
  let samples: [Fingerprint]
  /// Of all bytes of each block.
  let contents: [Fingerprint]
  /// Holds the elements, so that changing them copies them; nil for an array that may have changed.
  let owner: (any PackedOwner)?

  /// How many bytes of arrays a writer holds.
  static let heldByteCount = ProcessInfo.processInfo.physicalMemory / 8

  /// Whether these elements are the same in memory, and so have not changed.
  func isHeld(by source: SegmentWriter.Source) -> Bool {
    guard let owner, source.owner.isCopiedOnWrite else { return false }
    return owner.withPackedBytes { held in
      source.owner.withPackedBytes { unsafe $0.start == held.start && $0.byteCount == held.byteCount }
    }
  }
}
