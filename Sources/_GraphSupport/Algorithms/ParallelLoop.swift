import Dispatch
import Foundation

/// Runs numbered pieces of work on several threads, the caller's among them.
package struct ParallelLoop {
  /// Queried once, because every coder needs it and the system takes a while to answer.
  @usableFromInline package static let processorCount = ProcessInfo.processInfo.activeProcessorCount

  /// Which numbers a thread gets.
  package enum Order {
    /// The next one of all, for pieces that wait for those before them.
    case ascending
    /// A run of neighbours for each thread, for pieces that fill memory side by side: where two threads touch the same
    /// large page first, the system makes it twice.
    case neighbours
  }

  /// The pieces have the numbers below it.
  let count: Int
  /// The most threads that work; 1 is the caller's alone.
  let threadCount: Int
  var order = Order.ascending

  package init(count: Int, threadCount: Int, order: Order = Order.ascending) {
    (self.count, self.threadCount, self.order) = (count, threadCount, order)
  }

  /// Calls `body` once for each number, with something that each thread takes at the start and gives back.
  ///
  /// After an error only numbers below it are given out. Of several errors the one of the lowest number is thrown, so
  /// it does not depend on the number of threads.
  @inline(never)
  package func run<State>(
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
    let numbers = Numbers(count, runCount: order == .ascending ? 1 : workerCount)
    // Callers must keep shared state apart; no thread outlives this call.
    nonisolated(unsafe) let (take, giveBack, body) = (take, giveBack, body)
    DispatchQueue.concurrentPerform(iterations: workerCount) { worker in
      let state = unsafe take()
      defer { unsafe giveBack(state) }
      while let index = numbers.next(for: worker) {
        do { try unsafe body(index, state) } catch { numbers.fail(index, error) }
      }
    }
    if let failure = numbers.failure { throw failure.error }
  }

  /// What the threads share: runs of numbers that are still to be given out.
  private final class Numbers: @unchecked Sendable {
    private let lock = NSLock()
    private var runs: [Range<Int>]
    private(set) var failure: (index: Int, error: any Error)?

    init(_ end: Int, runCount: Int) {
      runs = (0..<runCount).map { (end * $0 / runCount)..<(end * ($0 + 1) / runCount) }
    }

    /// The first number of the worker's own run, or, when that is done, the last of the longest.
    func next(for worker: Int) -> Int? {
      lock.withLock {
        let own = worker % runs.count
        if !runs[own].isEmpty { return runs[own].popFirst() }
        let longest = runs.indices.max { runs[$0].count < runs[$1].count }!
        return runs[longest].isEmpty ? nil : runs[longest].removeLast()
      }
    }

    func fail(_ index: Int, _ error: any Error) {
      lock.withLock {
        if let failure, failure.index < index { return }
        failure = (index, error)
        runs = runs.map { $0.clamped(to: 0..<index) }
      }
    }
  }
}
