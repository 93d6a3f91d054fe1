import Foundation
import GraphCodable

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests, and again those that fail for a passing reason.
final class HTTPClient: Sendable {
  private let session: URLSession
  private let exchanges = HTTPExchanges()

  private static let tryCount = 5
  /// How many seconds are waited after the first failure; twice as many after each further one.
  private static let delay = 0.1
  /// The most that a server may ask for.
  private static let maximumDelay = 10.0

  /// How many seconds after the timeout the session has to notice it.
  private static let grace = 2.0
  /// How long a server may say nothing, in seconds.
  private static let timeout: Double = {
    let seconds = ProcessInfo.processInfo.environment["GRAPHCODABLE_TIMEOUT"].flatMap(Double.init) ?? 30
    // Foundation takes whole seconds, and no infinity.
    return seconds.isNaN ? 30 : min(max(seconds.rounded(.up), 1), 86_400)
  }()

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = Self.timeout
    configuration.httpMaximumConnectionsPerHost = 8
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  /// Sends a request for a range, and waits for the answer.
  ///
  /// - Throws: `file`.
  func send(_ request: URLRequest, for range: Range<UInt64>) throws -> HTTPAnswer {
    for number in 1... {
      do { return try answer(request, for: range) } catch let failure as HTTPFailure {
        guard failure.isPassing, number < Self.tryCount else { throw GCodableError(.file, failure.message) }
        let delay = Self.delay * Double(1 << (number - 1))
        Thread.sleep(forTimeInterval: min(max(failure.delay ?? 0, delay), Self.maximumDelay))
      }
    }
    throw GCodableError(.file, "the request has failed")
  }

  private func answer(_ request: URLRequest, for range: Range<UInt64>) throws -> HTTPAnswer {
    let task = session.dataTask(with: request)
    let exchange = HTTPExchange(rangeByteCount: range.count)
    exchanges.begin(exchange, task)
    task.resume()
    let outcome = exchange.wait(seconds: Self.timeout + Self.grace)
    if outcome != .done { task.cancel() }
    if outcome == .silent { throw HTTPFailure(retrying: "the server does not answer in time") }
    if outcome == .slow { throw HTTPFailure("the server sends less than 1 KiB a second") }
    // The task is done, and nobody else uses the exchange any more.
    let (response, data) = try (exchange.response, exchange.data.get())
    guard let response = response as? HTTPURLResponse else { throw HTTPFailure("there is no answer") }
    return try HTTPAnswer(response, data, for: range)
  }
}
