import Foundation
import _GraphSupport

/// Compressed blocks that are kept from the trial of a segment's methods until the segment is written.
final class KeptBlocks: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var blocks: [Int: [UInt8]] = [:]
  private var room = byteCount

  /// The most bytes of all blocks that are kept at once; those behind them are compressed again.
  private static let byteCount = 16 << 20

  func keep(_ block: UnsafeRawBufferPointer, ofSegment number: Int) {
    lock.withLock {
      guard block.count <= room else { return }
      room -= block.count
      unsafe blocks[number] = [UInt8](block)
    }
  }

  /// Gives back the only block of a segment, and forgets it.
  func take(ofSegment number: Int) -> [UInt8]? {
    lock.withLock {
      let block = blocks.removeValue(forKey: number)
      room += block?.count ?? 0
      return block
    }
  }
}
