import Foundation

/// A connection of a client that may be slow, silent or hostile; it is closed with this.
final class ServerConnection {
  private let descriptor: Int32
  /// What has come behind the last request.
  private var received: [UInt8] = []

  /// How many seconds a client may be silent between requests, take for the head of one, and take for bytes of an answer.
  private static let (idleTime, headTime, sendTime) = (30.0, 10.0, 30)
  /// What is still read of a request that was refused: bytes, and seconds.
  private static let (drainedByteCount, drainTime) = (1 << 18, 1.0)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: Self.sendTime, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Reads the next request.
  ///
  /// - Returns: nil where there is none any more.
  func request() throws(ServerRefusal) -> ServerRequest? {
    let end = Array("\r\n\r\n".utf8)
    guard !received.isEmpty || isReadable(within: Self.idleTime) else { return nil }
    let deadline = ContinuousClock.now + .seconds(Self.headTime)
    var searched = 0
    while true {
      if let place = received[searched...].firstRange(of: end) {
        let head = String(validating: received[..<place.lowerBound], as: UTF8.self)
        received.removeSubrange(..<place.upperBound)
        guard let head else { throw .badRequest }
        return try ServerRequest(head)
      }
      guard received.count < ServerRequest.maximumByteCount else { throw .headTooLarge }
      searched = max(received.count - end.count + 1, 0)
      let left = (deadline - .now) / .seconds(1)
      guard left > 0, isReadable(within: left) else { throw .timeout }
      var buffer = [UInt8](repeating: 0, count: ServerRequest.maximumByteCount - received.count)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
  }

  private func isReadable(within seconds: Double) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, Int32((seconds * 1_000).rounded(.up))) > 0
  }

  /// Ends the answers, and reads what the client still sends: otherwise the system could discard the last answer.
  func drain() {
    shutdown(descriptor, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + .seconds(Self.drainTime)
    var (buffer, left) = ([UInt8](repeating: 0, count: 1 << 14), Self.drainedByteCount)
    while left > 0, isReadable(within: max((deadline - .now) / .seconds(1), 0)) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      left -= count
    }
  }

  /// Sends bytes.
  ///
  /// - Returns: whether the client has taken them.
  func send(_ bytes: [UInt8]) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
