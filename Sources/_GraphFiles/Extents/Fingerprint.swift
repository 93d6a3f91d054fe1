import CGraphArchive

/// The XXH3-128 of a block's bytes before filters and compression, or of some of them, by which an equal block is found.
///
/// It is not a cryptographic hash: an attacker who chooses the bytes of two blocks can make theirs equal. See
/// Documentation/Security.md.
package struct Fingerprint: Hashable, Sendable {
  package let low: UInt64
  let high: UInt64

  /// Of a block that was not read; it finds no other block.
  package static let unknown = Self(low: 0, high: 0)
  static let byteCount = 16

  init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  /// Of 64 pieces from all over a block, so that a search costs next to nothing if there is no equal block.
  package init(sampling block: UnsafeRawBufferPointer) {
    guard block.count > Self.sampleByteCount else {
      unsafe self.init(block)
      return
    }
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: Self.sampleByteCount) { buffer, count in
      for index in 0..<Self.pieceCount {
        let start = (block.count - Self.pieceByteCount) * index / (Self.pieceCount - 1)
        // Within the block, and within the buffer.
        unsafe UnsafeMutableRawBufferPointer(buffer).baseAddress?.advanced(by: index * Self.pieceByteCount)
          .copyMemory(from: block.baseAddress.unsafelyUnwrapped + start, byteCount: Self.pieceByteCount)
      }
      count = Self.sampleByteCount
    }
    self = unsafe samples.withUnsafeBytes { unsafe Fingerprint($0) }
  }

  private static let pieceCount = 64
  private static let pieceByteCount = 64
  private static let sampleByteCount = 4096

  /// Of all bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    let hash = unsafe gca_hash128_bytes(bytes.baseAddress, bytes.count)
    self.init(low: hash.low, high: hash.high)
  }
}
