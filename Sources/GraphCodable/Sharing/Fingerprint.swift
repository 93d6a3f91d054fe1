import CGraphArchive

/// The XXH3-128 of a block's bytes before filters and compression, by which an equal block is found.
///
/// It is no cryptographic hash: who chooses the bytes of two blocks can make theirs equal. See Documentation/Security.md.
struct Fingerprint: Hashable, Sendable {
  let low: UInt64
  let high: UInt64

  /// Of a block that nobody has looked into; no other one is found by it.
  static let unknown = Self(low: 0, high: 0)
  static let byteCount = 16

  init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  init(_ bytes: UnsafeRawBufferPointer) {
    let hash = unsafe gca_hash128_bytes(bytes.baseAddress, bytes.count)
    self.init(low: hash.low, high: hash.high)
  }
}
