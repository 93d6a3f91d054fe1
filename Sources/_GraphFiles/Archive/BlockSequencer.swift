import Foundation

/// Assigns blocks consecutive places in the archive, in whatever order they become ready.
package final class BlockSequencer {
  private let condition = NSCondition()
  private var placedCount = 0
  private var turnCount = 0
  /// The lowest number of a block that will never be ready.
  private var firstAbandoned = Int.max
  /// The place of the next block.
  private(set) var end: UInt64

  init(from offset: UInt64) { end = offset }

  /// Waits until all blocks before `index` have a place, and gives it the next.
  ///
  /// - Parameters:
  ///   - front: the bytes that precede the first block of a segment.
  ///   - body: receives the number of bytes before the block, when it is its turn.
  /// - Returns: where what stands in front of the first block of a segment begins, with its padding, and where the block
  ///   goes; the same for other blocks.
  func next(
    _ index: Int, front: Segment.Front?, byteCount: Int, _ body: (UInt64) -> Void = { _ in }
  ) throws -> (start: UInt64, block: UInt64) {
    condition.lock()
    defer { condition.unlock() }
    // Threads take blocks in order, so each earlier block is being worked on.
    while placedCount < index, index <= firstAbandoned { condition.wait() }
    guard index <= firstAbandoned else { throw Abandoned() }
    let start = end
    if let front { end = front.start(behind: end) + UInt64(front.paddedHeaderByteCount) }
    let block = end
    end += UInt64(byteCount)
    body(block - start)
    placedCount += 1
    condition.broadcast()
    return (start, block)
  }

  /// Waits until all blocks before `index` have had their turn, and calls `body`.
  package func inTurn<Result>(_ index: Int, _ body: () -> Result) throws -> Result {
    condition.lock()
    defer { condition.unlock() }
    while turnCount < index, index <= firstAbandoned { condition.wait() }
    guard index <= firstAbandoned else { throw Abandoned() }
    defer {
      turnCount += 1
      condition.broadcast()
    }
    return body()
  }

  /// Wakes the threads that wait for a block, because it will never be ready; those of earlier blocks go on.
  func abandon(_ index: Int) {
    condition.lock()
    defer { condition.unlock() }
    firstAbandoned = min(firstAbandoned, index)
    condition.broadcast()
  }

  /// Never the reported error, because the awaited block has a lower number.
  private struct Abandoned: Error {}
}
