import CGraphArchive
import Foundation
import _GraphSupport

/// Memory that a thread reuses for each block.
@safe  // One thread at a time has it, and uses what it returns until it asks for the same again.
package final class BlockScratch {
  private var packed = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var filtered = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var filteredTwice = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var stored = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// What the codec for numbers works with.
  var numbers = gca_numbers_memory()

  private var otherScratch: BlockScratch?

  package init() {}

  /// Memory for another block that this one is made of.
  package var other: BlockScratch {
    if let otherScratch { return otherScratch }
    let other = BlockScratch()
    otherScratch = other
    return other
  }

  /// Gives that memory back.
  func forgetOther() { otherScratch = nil }

  /// What it has, besides that memory.
  fileprivate var byteCount: Int {
    let (spare, work, choice) = numbers.byteCounts
    return unsafe packed.count + filtered.count + filteredTwice.count + stored.count + spare + work + choice
  }

  deinit {
    unsafe packed.deallocate()
    unsafe filtered.deallocate()
    unsafe filteredTwice.deallocate()
    unsafe stored.deallocate()
    unsafe gca_numbers_forget(&numbers)
  }

  /// Room for the bytes of a block whose elements have padding in memory.
  package func packed(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    unsafe Self.room(&packed, byteCount)
  }

  /// Room for the bytes of a block between filter and compression.
  package func filtered(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    unsafe Self.room(&filtered, byteCount)
  }

  /// Room for the bytes of a block between two filters.
  package func filteredTwice(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    unsafe Self.room(&filteredTwice, byteCount)
  }

  /// Room for the stored bytes of a block.
  package func stored(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    unsafe Self.room(&stored, byteCount)
  }

  private static let lineByteCount = 64

  @inline(never)
  private static func room(
    _ buffer: inout UnsafeMutableRawBufferPointer, _ byteCount: Int
  ) -> UnsafeMutableRawBufferPointer {
    // Room to begin at a line of the processor's cache. glibc seldom reuses freed memory that was requested with that alignment,
    // so a process that opens many archives would grow.
    let roomByteCount = byteCount + lineByteCount - 1
    if buffer.count < roomByteCount {
      unsafe buffer.deallocate()
      unsafe buffer = .allocate(byteCount: roomByteCount, alignment: MemoryLayout<(Int, Int)>.size)
    }
    return unsafe UnsafeMutableRawBufferPointer(
      start: buffer.baseAddress?.alignedUp(toMultipleOf: lineByteCount), count: byteCount)
  }
}

/// Scratch memory that threads take for a loop and give back, so that the next loop finds its pages touched.
///
/// A little of it stays for the process's next coder: for an archive of a few blocks, new pages cost more than all the work in
/// them.
package final class BlockScratchPool {
  /// The most threads that may work at once.
  static let maximumThreadCount = 16
  /// The most bytes of blocks that they may work on: theirs are four times as many at most, and as much again where blocks are made
  /// of others.
  static let blocksByteCount = 32 << 20

  private let lock = NSLock()
  private var unused: [BlockScratch] = []
  private static let idle = Idle()

  deinit { Self.idle.put(unused) }

  package func take() -> BlockScratch {
    lock.withLock { unused.popLast() } ?? Self.idle.take() ?? BlockScratch()
  }

  package func putBack(_ scratch: BlockScratch) { lock.withLock { unused.append(scratch) } }

  /// What is not in use at the moment.
  ///
  /// Not an `IdlePool`, which has one place for each thread: a coder gives back what all of its threads had at once.
  ///
  /// `@unchecked`: `scratch` is used under `lock` alone, and each is taken by one thread at a time.
  private final class Idle: @unchecked Sendable {
    private static let maximumCount = 4
    /// What the codec for numbers takes, and a few others.
    private static let maximumByteCount = 24 << 20

    private let lock = NSLock()
    private var scratch: [BlockScratch] = []

    func take() -> BlockScratch? { lock.withLock { scratch.popLast() } }

    func put(_ others: [BlockScratch]) {
      for each in others { each.forgetOther() }
      lock.withLock {
        var room = Self.maximumByteCount - scratch.reduce(0) { $0 + $1.byteCount }
        for each in others where scratch.count < Self.maximumCount && each.byteCount <= room {
          room -= each.byteCount
          scratch.append(each)
        }
      }
    }
  }
}

extension ParallelLoop {
  /// Calls `body` once for each number, with scratch memory that no other thread uses meanwhile.
  package func run(_ pool: BlockScratchPool, _ body: @escaping (Int, BlockScratch) throws -> Void) throws {
    try run(pool.take, pool.putBack) { index, scratch in try body(index, scratch) }
  }
}
