import Foundation

/// The head of a request to the server of a page.
struct ServerRequest {
  let method: String
  let target: String
  /// By their names in small letters.
  private let headers: [String: String]
  let staysOpen: Bool

  /// A longer head is refused.
  static let maximumByteCount = 8 << 10

  var host: String? { headers["host"] }

  /// - Parameter head: the lines of the head, without the empty one.
  /// - Throws: `ServerRefusal` for what is not HTTP/1, has a body, or says a thing twice.
  init(_ head: String) throws(ServerRefusal) {
    let lines = head.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .badRequest }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw .badRequest }
      let name = line[..<colon].lowercased()
      // A space in front of a colon, or a line that goes on, has deceived others.
      guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), headers[name] == nil else { throw .badRequest }
      headers[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    (method, target, self.headers) = (String(words[0]), String(words[1]), headers)
    staysOpen = words[2] == "HTTP/1.1" && headers["connection"]?.lowercased() != "close"
    guard headers["transfer-encoding"] == nil, headers["content-length"] ?? "0" == "0" else {
      throw .badRequest
    }
  }

  /// The only range of bytes that the request asks for.
  enum Wanted: Equatable {
    case all
    case range(Range<UInt64>)
    /// There are no such bytes.
    case nothing
  }

  /// What is asked for of a file of so many bytes.
  ///
  /// A header that is no single range counts for nothing, as HTTP has it.
  func wanted(of byteCount: UInt64) -> Wanted {
    guard let match = headers["range"]?.wholeMatch(of: /bytes=([0-9]*)-([0-9]*)/) else { return .all }
    switch (UInt64(match.1), UInt64(match.2)) {
    case (let first?, let last?):
      guard first <= last else { return .all }
      return first < byteCount ? .range(first..<min(last, byteCount - 1) + 1) : .nothing
    case (let first?, nil) where match.2.isEmpty:
      return first < byteCount ? .range(first..<byteCount) : .nothing
    case (nil, let count?) where match.1.isEmpty:
      return count > 0 && byteCount > 0 ? .range(byteCount - min(count, byteCount)..<byteCount) : .nothing
    default: return .nothing
    }
  }
}

/// Why a server does not do what it is asked for.
enum ServerRefusal: Int, Error {
  case badRequest = 400
  case notFound = 404
  case methodNotAllowed = 405
  case timeout = 408
  case rangeNotSatisfiable = 416
  /// The request is for another host: its name may lead here to deceive a browser.
  case misdirected = 421
  case headTooLarge = 431
  case busy = 503

  var reason: String {
    switch self {
    case .badRequest: "Bad Request"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .timeout: "Request Timeout"
    case .rangeNotSatisfiable: "Range Not Satisfiable"
    case .misdirected: "Misdirected Request"
    case .headTooLarge: "Request Header Fields Too Large"
    case .busy: "Service Unavailable"
    }
  }
}
