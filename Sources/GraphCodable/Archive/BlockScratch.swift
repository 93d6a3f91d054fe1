import Foundation

/// Memory that a thread uses for one block after the other.
final class BlockScratch {
  private var packed = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var filtered = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var filteredTwice = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var stored = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    packed.deallocate()
    filtered.deallocate()
    filteredTwice.deallocate()
    stored.deallocate()
  }

  /// Room for the bytes of a block whose elements have padding in memory.
  func packed(_ byteCount: Int) -> UnsafeMutableRawBufferPointer { Self.room(&packed, byteCount) }

  /// Room for the bytes of a block between filter and compression.
  func filtered(_ byteCount: Int) -> UnsafeMutableRawBufferPointer { Self.room(&filtered, byteCount) }

  /// Room for the bytes of a block between two filters.
  func filteredTwice(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    Self.room(&filteredTwice, byteCount)
  }

  /// Room for the stored bytes of a block.
  func stored(_ byteCount: Int) -> UnsafeMutableRawBufferPointer { Self.room(&stored, byteCount) }

  @inline(never)
  private static func room(
    _ buffer: inout UnsafeMutableRawBufferPointer, _ byteCount: Int
  ) -> UnsafeMutableRawBufferPointer {
    if buffer.count < byteCount {
      buffer.deallocate()
      buffer = .allocate(byteCount: byteCount, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[..<byteCount])
  }
}

/// Scratch memory that threads take for a loop and give back, so that the next loop finds its pages touched.
final class BlockScratchPool {
  /// The most threads that may work at once: theirs are 48 MiB at most.
  static let maximumThreadCount = 16

  private let lock = NSLock()
  private var unused: [BlockScratch] = []

  func take() -> BlockScratch { lock.withLock { unused.popLast() } ?? BlockScratch() }

  func putBack(_ scratch: BlockScratch) { lock.withLock { unused.append(scratch) } }
}

extension ParallelLoop {
  /// Calls `body` once for each number, with scratch memory that no other thread uses meanwhile.
  func run(_ pool: BlockScratchPool, _ body: @escaping (Int, BlockScratch) throws -> Void) throws {
    try run(pool.take, pool.putBack) { index, scratch in try body(index, scratch) }
  }
}
