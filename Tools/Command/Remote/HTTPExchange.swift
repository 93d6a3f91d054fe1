import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request and what has come of its answer.
///
/// `@unchecked`: it is used by the session's queue alone until `isDone` is signalled.
final class HTTPExchange: @unchecked Sendable {
  private let isDone = DispatchSemaphore(value: 0)
  private(set) var response: URLResponse?
  private(set) var data: Result<Data, HTTPFailure> = .success(Data())
  private let rangeByteCount: Int
  private var isFinished = false
  /// When the server said something last.
  ///
  /// Used under `lock`, also by the thread that waits.
  private var lastNews = DispatchTime.now()
  /// Used under `lock`, too.
  private var receivedByteCount = 0
  private let lock = NSLock()
  /// Bytes a second that an answer has at least, and after how many timeouts: a server that trickles is no better than a silent one.
  private static let (leastRate, patience) = (1024.0, 4.0)

  init(rangeByteCount: Int) { self.rangeByteCount = rangeByteCount }

  /// The most bytes that are of interest.
  private func limit(_ status: Int) -> Int {
    switch status {
    case 200: HTTPAnswer.wholeByteCount
    case 206: rangeByteCount
    default: 0
    }
  }

  enum Outcome {
    case done
    /// Nothing is known of the answer.
    case silent, slow
  }

  /// Waits until it is done, or the server has said nothing for so many seconds.
  ///
  /// The session should notice that before, but does not always.
  func wait(seconds: Double) -> Outcome {
    let start = DispatchTime.now()
    var check = start + Self.patience * seconds
    while true {
      let (news, _) = state
      if isDone.wait(timeout: min(news + seconds, check)) == .success { return .done }
      let now = DispatchTime.now()
      if now >= news + seconds, state.news == news { return .silent }
      guard now >= check else { continue }
      let elapsed = Double(now.uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
      if Double(state.byteCount) < Self.leastRate * elapsed { return .slow }
      check = now + seconds
    }
  }

  private var state: (news: DispatchTime, byteCount: Int) { lock.withLock { (lastNews, receivedByteCount) } }

  /// Takes the head of an answer.
  ///
  /// - Returns: whether its body is of interest. Error bodies are meant for people in a browser; and requests for credentials are
  ///   not answered, because the session would wait forever.
  func begin(_ response: URLResponse) -> Bool {
    lock.withLock { lastNews = .now() }
    self.response = response
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if status == 200 || status == 206 { return true }
    finish(response, nil)
    return false
  }

  /// Takes bytes.
  ///
  /// - Returns: whether there may be more.
  func take(_ bytes: Data, _ response: URLResponse?) -> Bool {
    lock.withLock {
      lastNews = .now()
      receivedByteCount += bytes.count
    }
    guard !isFinished, case .success(var all) = data else { return false }
    self.response = response
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
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
    guard !isFinished else { return }
    isFinished = true
    if let response { self.response = response }
    if case .success = data, let error { data = .failure(HTTPFailure(error)) }
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

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let exchange = lock.withLock { exchanges[dataTask.taskIdentifier] }
    completionHandler(exchange?.begin(response) == true ? .allow : .cancel)
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
    // A request made over a secure connection is not redirected to an insecure one.
    guard new == "https" || new == "http" && old == "http" else { return completionHandler(nil) }
    var request = request
    for (name, value) in task.originalRequest?.allHTTPHeaderFields ?? [:] {
      request.setValue(value, forHTTPHeaderField: name)
    }
    completionHandler(request)
  }
}
