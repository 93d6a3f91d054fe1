import CGraphArchive

/// Hashes of pieces of a block, which tell whether another one is worth a comparison.
struct BlockSamples: Sendable {
  private let hashes: [UInt64]

  private static let count = 32
  private static let byteCount = 256

  init(_ block: UnsafeRawBufferPointer) {
    let byteCount = min(Self.byteCount, block.count)
    hashes = (0..<Self.count).map { index in
      let start = (block.count - byteCount) * index / (Self.count - 1)
      // Within the block.
      return unsafe gca_hash64_bytes(
        UnsafeRawBufferPointer(rebasing: block[start..<(start + byteCount)]).baseAddress, byteCount)
    }
  }

  /// Whether half of the pieces are equal.
  func areLike(_ other: Self) -> Bool { zip(hashes, other.hashes).count { $0 == $1 } >= Self.count / 2 }
}
