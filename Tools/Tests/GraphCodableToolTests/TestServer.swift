import Foundation

/// A web server on this machine, for one test: it has files, sends ranges of them, and fails where it is told to.
///
/// `@unchecked`: what changes is used under `lock` alone.
final class TestServer: @unchecked Sendable {
  /// What a client has asked for.
  struct Request: Sendable {
    let method: String
    let path: String
    /// By their names in small letters.
    let headers: [String: String]

    /// The range of bytes that it is for, both ends included.
    var range: ClosedRange<Int>? {
      guard let match = headers["range"]?.wholeMatch(of: /bytes=([0-9]+)-([0-9]+)/),
        let first = Int(match.1), let last = Int(match.2), first <= last
      else { return nil }
      return first...last
    }
  }

  /// What the server sends.
  struct Answer {
    var status = 200
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// The connection is closed after so many bytes of the body; before the head of the answer for less than 0.
    var cut: Int?
    /// Seconds of silence before the answer.
    var delay = 0.0
    /// Seconds of silence behind each byte of the body.
    var pause = 0.0
  }

  /// A file as the server has it.
  struct File {
    var bytes: [UInt8]
    var tag: String? = "\"1\""
    var lastModified: String?
    var hasRanges = true
  }

  private let lock = NSLock()
  private var files: [String: File] = [:]
  private var noted: [Request] = []
  private let listener: Int32
  let port: Int
  private let change: @Sendable (_ number: Int, _ request: Request, _ answer: inout Answer) -> Void

  /// Listens on a port that nobody else has.
  ///
  /// - Parameter change: is told how many requests there were before, and may answer something else.
  init(
    _ files: [String: File] = [:],
    _ change: @escaping @Sendable (Int, Request, inout Answer) -> Void = { _, _, _ in }
  ) throws {
    self.files = files
    self.change = change
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, let self else { return }
        // Who takes its time does not keep others waiting.
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  /// What was asked for, in order.
  var requests: [Request] { lock.withLock { noted } }

  /// How many bytes of files were asked for.
  var requestedByteCount: Int { requests.reduce(0) { $0 + ($1.range?.count ?? 0) } }

  func put(_ file: File, as path: String) { lock.withLock { files[path] = file } }

  // MARK: One connection

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var head: [UInt8] = []
    while let request = Self.request(from: connection, &head) {
      let (number, file) = lock.withLock {
        noted.append(request)
        return (noted.count - 1, files[String(request.path.dropFirst())])
      }
      var answer = Self.answer(to: request, file)
      change(number, request, &answer)
      guard Self.send(answer, to: connection, isHead: request.method == "HEAD") else { return }
    }
  }

  /// Reads a request up to its empty line.
  private static func request(from connection: Int32, _ bytes: inout [UInt8]) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let place = bytes.firstRange(of: end) {
        let lines = String(decoding: bytes[..<place.lowerBound], as: UTF8.self).components(
          separatedBy: "\r\n")
        bytes.removeSubrange(..<place.upperBound)
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
          guard let colon = line.firstIndex(of: ":") else { return nil }
          let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
          return (line[..<colon].lowercased(), value)
        }
        return Request(
          method: String(words[0]), path: String(words[1]), headers: Dictionary(headers) { $1 })
      }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  private static func answer(to request: Request, _ file: File?) -> Answer {
    guard let file else { return Answer(status: 404, body: Array("no such thing".utf8)) }
    var answer = Answer()
    answer.headers["ETag"] = file.tag
    answer.headers["Last-Modified"] = file.lastModified
    if let wanted = request.headers["if-match"], wanted != file.tag { return Answer(status: 412) }
    guard file.hasRanges, let range = request.range else {
      answer.body = file.bytes
      return answer
    }
    guard range.lowerBound < file.bytes.count else {
      return Answer(status: 416, headers: ["Content-Range": "bytes */\(file.bytes.count)"])
    }
    let found = range.clamped(to: 0...(file.bytes.count - 1))
    answer.status = 206
    answer.headers["Content-Range"] = "bytes \(found.lowerBound)-\(found.upperBound)/\(file.bytes.count)"
    answer.body = Array(file.bytes[found])
    return answer
  }

  /// - Returns: whether the connection stays.
  private static func send(_ answer: Answer, to connection: Int32, isHead: Bool) -> Bool {
    if answer.delay > 0 { Thread.sleep(forTimeInterval: answer.delay) }
    if let cut = answer.cut, cut < 0 { return false }
    var headers = answer.headers
    if headers["Content-Length"] == nil { headers["Content-Length"] = "\(answer.body.count)" }
    let head =
      "HTTP/1.1 \(answer.status) Status\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    var bytes = Array(head.utf8)
    if !isHead { bytes += answer.body.prefix(answer.cut ?? answer.body.count) }
    var rest = bytes[...]
    let headByteCount = head.utf8.count
    while !rest.isEmpty {
      let isInBody = rest.startIndex >= headByteCount
      if isInBody, answer.pause > 0 { Thread.sleep(forTimeInterval: answer.pause) }
      let sent = answer.pause == 0 ? rest : rest.prefix(isInBody ? 1 : headByteCount)
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = sent.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return answer.cut == nil
  }
}
