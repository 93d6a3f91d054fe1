import Foundation
import GraphCodable

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A file of a web server, or an object of a store, that is read by `GET` with `Range`.
///
/// No request asks for anything else, so an address that was signed for `GET` is enough.
final class HTTPSource: GraphSource {
  /// See `shownName`.
  let name: String
  private let url: URL
  private let client = HTTPClient()
  /// The entity tag of the first answer, if it is one that `If-Match` compares.
  private let tag: String?
  /// The first bytes, which are looked at before the file is opened; all of them, from a server that does not send ranges.
  private let start: HTTPAnswer

  /// How many bytes are asked for at first, by the library, too.
  private static let startByteCount: UInt64 = 1 << 16

  var byteCount: UInt64 { start.byteCount }

  /// The first bytes of the file, of at most 64 KiB.
  var firstBytes: Data { start.part(0..<Self.startByteCount).bytes }

  /// Asks for the first bytes.
  ///
  /// - Throws: `file`.
  init(_ address: String) throws {
    guard let url = URL(string: address), url.host?.isEmpty == false else {
      throw GCodableError(.file, "this is no address of a file")
    }
    (name, self.url) = (shownName(address), url)
    start = try client.send(
      Self.request(url, 0..<Self.startByteCount, tag: nil), for: 0..<Self.startByteCount)
    tag = start.strongTag
  }

  func read(_ range: Range<UInt64>) throws -> GraphSourceBytes {
    let isThere = range.upperBound <= start.bytes.count || range == 0..<Self.startByteCount
    if isThere || start.isWhole { return start.part(range) }
    return try client.send(Self.request(url, range, tag: tag), for: range).part(range)
  }

  private static func request(_ url: URL, _ range: Range<UInt64>, tag: String?) -> URLRequest {
    var request = URLRequest(url: url)
    request.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
    // What is compressed on the way has other ranges.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if let tag { request.setValue(tag, forHTTPHeaderField: "If-Match") }
    return request
  }
}
