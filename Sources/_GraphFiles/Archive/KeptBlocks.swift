import Foundation
import _GraphSupport

/// Compressed blocks, one of a segment, that are kept from the trial of its methods until it is written.
final class KeptBlocks: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var blocks: [Int: (number: Int, stored: [UInt8])] = [:]
  private var room = byteCount

  /// The most bytes of all blocks that are kept at once; those behind them are compressed again.
  private static let byteCount = 16 << 20

  func keep(_ stored: UnsafeRawBufferPointer, _ item: SegmentWriter.Item) {
    let hasRoom = lock.withLock {
      guard stored.count <= room else { return false }
      room -= stored.count
      return true
    }
    guard hasRoom else { return }
    // Others need not wait for it.
    let copy = unsafe [UInt8](stored)
    lock.withLock { blocks[item.segment] = (item.block, copy) }
  }

  /// Gives back a block, and forgets it; nil if it was not kept.
  func take(_ item: SegmentWriter.Item) -> [UInt8]? {
    lock.withLock {
      guard let block = blocks[item.segment], block.number == item.block else { return nil }
      remove(item.segment)
      return block.stored
    }
  }

  /// Forgets the block of a segment that has another method.
  func forget(segment: Int) { lock.withLock { remove(segment) } }

  private func remove(_ segment: Int) { room += blocks.removeValue(forKey: segment)?.stored.count ?? 0 }
}
