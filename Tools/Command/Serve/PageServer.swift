import Foundation

/// A server on the loopback address of this machine that has a page and the files that the page reads, and nothing else.
///
/// Addresses begin with a random token, so that only those know them whom this program has told; and a request for another host is
/// refused, since a name in a web page may lead here (DNS rebinding). An address is compared as a whole: no part of it becomes a path.
final class PageServer: Sendable {
  private let files: [ServedFile]
  private let page: @Sendable ([ServedFile.Listed]) throws -> String
  private let listener: Int32
  private let token = (0..<4).map { _ in String(format: "%08x", UInt32.random(in: 0...UInt32.max)) }.joined()
  private let port: UInt16
  private let connectionCount = Counter()

  /// Threads are few: a page has one connection, or two.
  private static let maximumConnectionCount = 32
  private static let pieceByteCount: UInt64 = 1 << 18
  private static let contentType = "application/octet-stream"

  /// Listens.
  ///
  /// - Parameters:
  ///   - files: what it has.
  ///   - port: where; 0 for any that nobody else has.
  ///   - page: makes the page, which is made anew for each request: a series may grow.
  init(
    _ files: [ServedFile], port: UInt16, page: @escaping @Sendable ([ServedFile.Listed]) throws -> String
  ) throws(Failure) {
    (self.files, self.page) = (files, page)
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var (isReused, length): (Int32, _) = (1, socklen_t(MemoryLayout<sockaddr_in>.size))
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      // Safe because both are addresses of sockets, and the length is that of this one.
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else {
      let reason = String(cString: strerror(errno))
      close(listener)
      throw Failure("cannot listen on port \(port) of this machine: \(reason)", status: .outputFailed)
    }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(listener) }

  /// Where the page is.
  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  /// Answers requests, without end.
  func run() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        // No more descriptors, for now.
        if errno != EINTR, errno != ECONNABORTED { Thread.sleep(forTimeInterval: 0.1) }
        continue
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      #if canImport(Darwin)
        var isQuiet: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
      #endif
      guard connectionCount.add(1) <= Self.maximumConnectionCount else {
        _ = send(.busy, to: ServerConnection(descriptor))
        connectionCount.add(-1)
        continue
      }
      // A client that takes its time does not keep others waiting.
      Thread.detachNewThread { [self] in
        serve(ServerConnection(descriptor))
        connectionCount.add(-1)
      }
    }
  }

  private func serve(_ connection: ServerConnection) {
    while true {
      do throws(ServerRefusal) {
        guard let request = try connection.request() else { return }
        guard try answer(request, on: connection), request.staysOpen else { return }
      } catch {
        if send(error, to: connection) { connection.drain() }
        return
      }
    }
  }

  // MARK: Answers

  /// - Returns: whether the client has taken the answer.
  private func answer(
    _ request: ServerRequest, on connection: ServerConnection
  ) throws(ServerRefusal) -> Bool {
    guard request.host == "127.0.0.1:\(port)" || request.host == "localhost:\(port)" else {
      throw .misdirected
    }
    guard request.method == "GET" || request.method == "HEAD" else { throw .methodNotAllowed }
    let isHead = request.method == "HEAD"
    guard request.target.hasPrefix("/\(token)/") else { throw .notFound }
    let rest = request.target.dropFirst(token.count + 2)
    guard !rest.isEmpty else {
      let listed = files.enumerated().map { number, file in
        ServedFile.Listed(name: file.name, address: "\(number)", bytes: file.byteCount)
      }
      guard let page = try? Array(page(listed).utf8) else { throw .busy }
      let head = Self.head(200, "OK", "text/html; charset=utf-8", UInt64(page.count))
      return connection.send(isHead ? head : head + page)
    }
    // "00" and "+0" are numbers, too, and no addresses.
    guard let number = Int(rest), String(number) == rest, files.indices.contains(number) else {
      throw .notFound
    }
    return try send(files[number], request, isHead, on: connection)
  }

  private func send(
    _ file: ServedFile, _ request: ServerRequest, _ isHead: Bool, on connection: ServerConnection
  ) throws(ServerRefusal) -> Bool {
    let byteCount = file.byteCount
    let range: Range<UInt64>
    let head: [UInt8]
    switch request.wanted(of: byteCount) {
    case .nothing: throw .rangeNotSatisfiable
    case .all:
      range = 0..<byteCount
      head = Self.head(200, "OK", Self.contentType, byteCount, "Accept-Ranges: bytes")
    case .range(let wanted):
      range = wanted
      head = Self.head(
        206, "Partial Content", Self.contentType, UInt64(range.count), "Accept-Ranges: bytes",
        "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)")
    }
    guard connection.send(head) else { return false }
    var start = isHead ? range.upperBound : range.lowerBound
    while start < range.upperBound {
      let piece = start..<min(start + Self.pieceByteCount, range.upperBound)
      let bytes = file.bytes(piece)
      // A file that has become shorter ends the connection: a client sees that bytes are missing.
      guard connection.send(bytes), bytes.count == piece.count else { return false }
      start = piece.upperBound
    }
    return true
  }

  private func send(_ refusal: ServerRefusal, to connection: ServerConnection) -> Bool {
    let text = Array("\(refusal.rawValue) \(refusal.reason)\n".utf8)
    let more = refusal == .methodNotAllowed ? ["Allow: GET, HEAD"] : []
    return connection.send(
      Self.head(
        refusal.rawValue, refusal.reason, "text/plain", UInt64(text.count), more + ["Connection: close"])
        + text)
  }

  private static func head(
    _ status: Int, _ reason: String, _ type: String, _ byteCount: UInt64, _ more: String...
  ) -> [UInt8] {
    head(status, reason, type, byteCount, more)
  }

  /// Nothing is kept by browsers, shown in pages of others, or taken for what it is not.
  private static func head(
    _ status: Int, _ reason: String, _ type: String, _ byteCount: UInt64, _ more: [String]
  ) -> [UInt8] {
    let lines =
      [
        "HTTP/1.1 \(status) \(reason)", "Content-Type: \(type)", "Content-Length: \(byteCount)",
        "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
        "Content-Security-Policy: frame-ancestors 'none'",
      ] + more
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// A number that several threads change.
///
/// `@unchecked`: the number is used under `lock` alone.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  /// - Returns: the new number.
  @discardableResult
  func add(_ more: Int) -> Int {
    lock.withLock {
      number += more
      return number
    }
  }
}
