import CGraphArchive
import GraphCodable

/// An archive whose graph stream can be changed: the checksums are made to match again.
///
/// For archives whose stream is embedded in the contents, as small ones are.
struct Forgery {
  private let header: Bytes
  private let rest: Bytes
  let stream: Bytes

  struct NotEmbedded: Error {}

  init(_ archive: Bytes) throws {
    header = Bytes(archive[..<64])
    guard archive[24] == 64, archive[64] == 0 else { throw NotEmbedded() }
    // A prefix varint: as many zero bits below the lowest set one as there are bytes behind the first.
    let size = archive[65].trailingZeroBitCount + 1
    var word: UInt64 = 0
    for index in (0..<size).reversed() { word = word << 8 | UInt64(archive[65 + index]) }
    let start = 65 + size
    let end = start + Int(word >> UInt64(size))
    stream = Bytes(archive[start..<end])
    rest = Bytes(archive[end...])
  }

  /// The archive with another stream.
  func archive(_ stream: Bytes) -> Bytes {
    var size = [UInt8](repeating: 0, count: 9)
    let sizeCount = size.withUnsafeMutableBufferPointer {
      gca_varint_write($0.baseAddress, UInt64(stream.count))
    }
    let contents = [0] + size.prefix(Int(sizeCount)) + stream + rest
    var archive = header + contents
    func put(_ value: UInt64, at offset: Int) {
      for index in 0..<8 { archive[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(index * 8)) }
    }
    put(UInt64(archive.count), at: 16)
    let hash = gca_hash128_bytes(contents, contents.count)
    put(hash.low, at: 32)
    put(hash.high, at: 40)
    put(gca_hash64_bytes(archive, 56), at: 56)
    return archive
  }
}
