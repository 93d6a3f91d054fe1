import Foundation

/// Runs `body` on a thread with a stack of `byteCount` bytes and waits for it.
///
/// Expectations belong to the test's own task, so `body` returns what is to be checked.
package func onThread<Value>(stackByteCount: Int, _ body: @escaping () throws -> Value) throws -> Value {
  let exchange = Exchange(body)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    exchange.result = Result { try exchange.body() }
    done.signal()
  }
  thread.stackSize = stackByteCount
  thread.start()
  done.wait()
  guard let result = exchange.result else { preconditionFailure("the thread has set it") }
  return try result.get()
}

/// Handed to the thread and back; the semaphore orders the two.
private final class Exchange<Value>: @unchecked Sendable {
  let body: () throws -> Value
  var result: Result<Value, any Error>?
  init(_ body: @escaping () throws -> Value) { self.body = body }
}
