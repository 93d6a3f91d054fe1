import Foundation
import GraphCodable

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server has sent for a range.
struct HTTPAnswer: Sendable {
  /// Where the bytes begin in the file.
  let start: UInt64
  let bytes: Data
  /// Bytes of the whole file.
  let byteCount: UInt64
  /// The entity tag; the time of the last change as well, where the tag does not promise equal bytes, or there is none.
  let version: String?
  /// The entity tag, if it is one that promises equal bytes.
  let strongTag: String?

  /// Whether all of the file is there.
  var isWhole: Bool { start == 0 && bytes.count == byteCount }

  /// The most that is taken of a server that does not send ranges.
  static let wholeByteCount = 8 << 20

  /// The bytes of a range, as far as there are any.
  func part(_ range: Range<UInt64>) -> GraphSourceBytes {
    let found = range.clamped(to: start..<(start + UInt64(bytes.count)))
    let first = bytes.startIndex + Int(found.lowerBound - start)
    return GraphSourceBytes(bytes[first..<(first + found.count)], of: byteCount, version: version)
  }

  /// Checks an answer.
  ///
  /// - Throws: `HTTPFailure`.
  init(_ response: HTTPURLResponse, _ bytes: Data, for range: Range<UInt64>) throws {
    func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    self.bytes = bytes
    let coding = header("Content-Encoding") ?? "identity"
    guard coding.lowercased() == "identity" || response.statusCode >= 400 else {
      throw HTTPFailure("the server sends the file compressed (\(coding)), in which there are no ranges")
    }
    switch response.statusCode {
    case 200:
      guard bytes.count <= Self.wholeByteCount else { throw Self.hasNoRanges }
      if let length = header("Content-Length").flatMap(Int.init), length != bytes.count {
        throw HTTPFailure(retrying: "the answer has \(bytes.count) of \(length) bytes")
      }
      (start, byteCount) = (0, UInt64(bytes.count))
    case 206:
      guard let found = Self.contentRange(header("Content-Range") ?? "") else {
        throw HTTPFailure("the server does not say which range it sends, or of how many bytes")
      }
      let expected = range.clamped(to: 0..<found.byteCount)
      guard found.range == expected else {
        throw HTTPFailure("the server sends the range \(found.range) in place of \(range)")
      }
      guard bytes.count == expected.count else {
        throw HTTPFailure(retrying: "the answer has \(bytes.count) of \(expected.count) bytes")
      }
      (start, byteCount) = (range.lowerBound, found.byteCount)
    case 416 where range.lowerBound == 0 && header("Content-Range") == "bytes */0":
      (start, byteCount) = (0, 0)
      version = nil
      strongTag = nil
      return
    default: throw HTTPFailure(status: response.statusCode, retryAfter: header("Retry-After"))
    }
    let tag = header("ETag")
    strongTag = tag?.hasPrefix("\"") == true ? tag : nil
    let parts = [tag, strongTag == nil ? header("Last-Modified") : nil].compactMap(\.self)
    version = parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  static let hasNoRanges = HTTPFailure(
    "the server does not send ranges, and the file is too large to be read as a whole; download it")

  /// What `bytes 0-99/1000` says; nil for what says nothing.
  static func contentRange(_ text: String) -> (range: Range<UInt64>, byteCount: UInt64)? {
    guard let match = text.wholeMatch(of: /bytes ([0-9]+)-([0-9]+)\/([0-9]+)/),
      let first = UInt64(match.1), let last = UInt64(match.2), let byteCount = UInt64(match.3),
      first <= last, last < byteCount
    else { return nil }
    return (first..<(last + 1), byteCount)
  }
}
