import Foundation

/// Runs `body` on a new thread whose stack has `byteCount` bytes, and waits for it.
func onThread<Value>(stackByteCount byteCount: Int, _ body: @escaping () throws -> Value) throws -> Value {
  let call = Call(body)
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    call.result = Result { try call.body() }
    isDone.signal()
  }
  thread.stackSize = byteCount
  thread.start()
  isDone.wait()
  return try call.result!.get()
}

/// What goes to the thread and comes back; the semaphore orders the two, so sending it is safe.
private final class Call<Value>: @unchecked Sendable {
  let body: () throws -> Value
  var result: Result<Value, any Error>?

  init(_ body: @escaping () throws -> Value) {
    self.body = body
  }
}
