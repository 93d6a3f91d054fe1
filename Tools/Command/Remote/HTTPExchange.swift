import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request and what has come of its answer.
///
/// `@unchecked`: it is used by the session's queue alone until `isDone` is signalled.
final class HTTPExchange: @unchecked Sendable {
  let isDone = DispatchSemaphore(value: 0)
  private(set) var response: URLResponse?
  private(set) var data: Result<Data, HTTPFailure> = .success(Data())
  private let rangeByteCount: Int
  /// Bytes of an answer that is an error.
  private var ignoredByteCount = 0
  /// Such an answer is long, and was cut.
  private var isCut = false

  private static let maximumIgnoredByteCount = 1 << 16

  init(rangeByteCount: Int) { self.rangeByteCount = rangeByteCount }

  /// The most bytes that are of interest.
  private func limit(_ status: Int) -> Int {
    switch status {
    case 200: HTTPAnswer.wholeByteCount
    case 206: rangeByteCount
    default: 0
    }
  }

  /// Takes bytes.
  ///
  /// - Returns: whether there may be more.
  func take(_ bytes: Data, _ response: URLResponse?) -> Bool {
    guard case .success(var all) = data else { return false }
    self.response = response
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    // What errors have to say is for people in a browser.
    if status != 200, status != 206 {
      ignoredByteCount += bytes.count
      isCut = ignoredByteCount > Self.maximumIgnoredByteCount
      return !isCut
    }
    data = .success(Data())
    all.append(bytes)
    if all.count > limit(status) {
      data = .failure(
        status == 200 ? HTTPAnswer.hasNoRanges : HTTPFailure("the server sends more than it was asked for"))
      return false
    }
    data = .success(all)
    return true
  }

  func finish(_ response: URLResponse?, _ error: (any Error)?) {
    if let response { self.response = response }
    if case .success = data, let error, !isCut { data = .failure(HTTPFailure(error)) }
    isDone.signal()
  }
}

/// The exchanges of a session.
///
/// `@unchecked`: the table is used under `lock` alone.
final class HTTPExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var exchanges: [Int: HTTPExchange] = [:]

  func begin(_ exchange: HTTPExchange, _ task: URLSessionTask) {
    lock.withLock { exchanges[task.taskIdentifier] = exchange }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let exchange = lock.withLock { exchanges[dataTask.taskIdentifier] }
    if exchange?.take(data, dataTask.response) == false { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let exchange = lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
    exchange?.finish(task.response, error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let (old, new) = (task.currentRequest?.url?.scheme?.lowercased(), request.url?.scheme?.lowercased())
    // What was asked for over a connection that is secured is not read over one that is not.
    guard new == "https" || new == "http" && old == "http" else { return completionHandler(nil) }
    var request = request
    for (name, value) in task.originalRequest?.allHTTPHeaderFields ?? [:] {
      request.setValue(value, forHTTPHeaderField: name)
    }
    completionHandler(request)
  }
}
