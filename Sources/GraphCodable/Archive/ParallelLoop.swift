import Dispatch
import Foundation

/// Runs numbered pieces of work on several threads, the caller's among them.
struct ParallelLoop {
  /// Asked for once, because every coder needs it and the system takes a while to say.
  @usableFromInline static let processorCount = ProcessInfo.processInfo.activeProcessorCount

  /// The pieces have the numbers below it.
  let count: Int
  /// The most threads that work; 1 is the caller's alone.
  let threadCount: Int

  /// Calls `body` once for each number, with something that a thread takes at its begin and gives back.
  ///
  /// Numbers are given out in ascending order, and none after an error. Of several errors the one of the
  /// lowest number is thrown, so it does not depend on the number of threads.
  func run<State>(
    _ take: @escaping () -> State, _ giveBack: @escaping (State) -> Void,
    _ body: @escaping (Int, State) throws -> Void
  ) throws {
    let workerCount = min(count, threadCount)
    guard workerCount > 1 else {
      let state = take()
      defer { giveBack(state) }
      for index in 0..<count { try body(index, state) }
      return
    }
    let numbers = Numbers(count)
    // What they use at once is theirs to keep apart; none of them outlives this call.
    nonisolated(unsafe) let (take, giveBack, body) = (take, giveBack, body)
    DispatchQueue.concurrentPerform(iterations: workerCount) { _ in
      let state = take()
      defer { giveBack(state) }
      while let index = numbers.next() {
        do { try body(index, state) } catch { numbers.fail(index, error) }
      }
    }
    if let failure = numbers.failure { throw failure.error }
  }

  /// What the threads share.
  private final class Numbers: @unchecked Sendable {
    private let lock = NSLock()
    private let end: Int
    private var given = 0
    private(set) var failure: (index: Int, error: any Error)?

    init(_ end: Int) { self.end = end }

    func next() -> Int? {
      lock.withLock {
        guard given < end, failure == nil else { return nil }
        given += 1
        return given - 1
      }
    }

    func fail(_ index: Int, _ error: any Error) {
      lock.withLock {
        if let failure, failure.index < index { return }
        failure = (index, error)
      }
    }
  }
}
