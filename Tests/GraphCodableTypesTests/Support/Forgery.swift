import GraphCodable
import CGraphArchive

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// An archive whose graph stream can be changed: the checksums are made to match again.
///
/// For archives whose stream is embedded in the contents, as small ones are.
struct Forgery {
  private let front: Bytes
  let stream: Bytes

  struct NotEmbedded: Error {}

  init(_ archive: Bytes) throws {
    let graph = try archive.withUnsafeBytes { try ArchiveReader(ArchiveSource($0)).contents.graph }
    guard case .embedded(let stream) = graph else { throw NotEmbedded() }
    self.stream = stream
    front = archive.dropLast(stream.count)  // The stream is what contents end with.
  }

  /// The archive with another stream.
  func archive(_ stream: Bytes) -> Bytes {
    var archive = front + stream
    func put(_ value: some FixedWidthInteger, at offset: Int) {
      withUnsafeBytes(of: value.littleEndian) {
        archive.replaceSubrange(offset..<(offset + $0.count), with: $0)
      }
    }
    put(UInt32(archive.count - 40), at: 12)
    put(UInt64(archive.count), at: 16)
    put(archive.withUnsafeBytes { gca_hash64_bytes($0.baseAddress.map { $0 + 40 }, $0.count - 40) }, at: 24)
    put(gca_hash64_bytes(archive, 32), at: 32)
    return archive
  }
}
