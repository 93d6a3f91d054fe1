import Dispatch
import Foundation

/// Runs numbered pieces of work on several cores.
///
/// Which worker takes which piece is left to chance, so a piece must write only what belongs to it, and
/// whatever is added up across pieces must be added afterwards in the order of the pieces. Then the result
/// does not depend on the number of workers.
struct Workers: Sendable {
  /// How many pieces may be under way at once.
  let count: Int

  /// Makes `count` workers; 0 means one for each core that is switched on.
  init(count: Int = 0) {
    self.count = count > 0 ? count : ProcessInfo.processInfo.activeProcessorCount
  }

  /// Calls `piece` once with each number in 0 ..< `pieceCount`, and returns when all of them are done.
  func run(_ pieceCount: Int, _ piece: @Sendable (Int) -> Void) {
    guard count > 1, pieceCount > 1 else {
      for number in 0..<pieceCount { piece(number) }
      return
    }
    // Pieces are handed out one by one: a fixed share for each worker would make all of them wait for the
    // one whose core is busy with something else.
    let queue = PieceQueue(pieceCount)
    DispatchQueue.concurrentPerform(iterations: min(count, pieceCount)) { _ in
      while let number = queue.next() { piece(number) }
    }
  }
}

/// Hands out the numbers of pieces, each once.
private final class PieceQueue: @unchecked Sendable {
  private let lock = NSLock()
  private let end: Int
  private var upcoming = 0

  init(_ count: Int) {
    end = count
  }

  func next() -> Int? {
    lock.withLock {
      guard upcoming < end else { return nil }
      defer { upcoming += 1 }
      return upcoming
    }
  }
}
