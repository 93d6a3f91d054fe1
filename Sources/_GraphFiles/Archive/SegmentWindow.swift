import CGraphArchive
import Foundation
import _GraphSupport

/// The bytes of a segment, to be taken in order, piece by piece.
///
/// Blocks are expanded by several threads, as many at a time as the window has room for: the segment is never in memory a
/// second time.
package final class SegmentWindow {
  private let reader: ArchiveReader
  private let open: ArchiveReader.OpenSegment
  /// The bytes of the segment that are in the window.
  private var range = 0..<0
  private let window: RawBytes
  private let byteCount: Int

  private static let idle = Idle()

  /// The memory of the last window, for the next one: new pages cost more than all the work in them.
  ///
  /// Not an `IdlePool`, which has a place for each thread: this is up to 8 MiB. `@unchecked`: `memory` is used under `lock` alone, and taken by one window at a time.
  private final class Idle: @unchecked Sendable {
    private let lock = NSLock()
    private var memory: RawBytes?

    func take() -> RawBytes? {
      lock.withLock {
        defer { memory = nil }
        return memory
      }
    }

    func put(_ other: RawBytes) { lock.withLock { memory = other } }
  }

  /// Bytes of blocks for several threads, and for one: few, so that they are copied while the caches may still have them.
  private static let (sharedByteCount, ownByteCount) = (8 << 20, 1 << 19)

  package init(_ reader: ArchiveReader, _ open: ArchiveReader.OpenSegment) throws {
    (self.reader, self.open) = (reader, open)
    let blockByteCount = open.segment.blockByteCount
    let wishedByteCount = reader.threadCount > 1 ? Self.sharedByteCount : Self.ownByteCount
    let blockCount = max(wishedByteCount / blockByteCount, 1)
    byteCount = min(blockCount * blockByteCount, Int(open.segment.rawByteCount))
    window = try Self.memory(byteCount)
  }

  deinit { Self.idle.put(window) }

  /// Room for some bytes or more.
  private static func memory(_ byteCount: Int) throws -> RawBytes {
    if let memory = idle.take(), unsafe memory.buffer.count >= byteCount { return memory }
    let memory = try RawBytes(byteCount: byteCount)
    unsafe memory.fill { unsafe gca_memory_expect_fill($0.baseAddress, $0.count) }
    return memory
  }

  /// Puts some bytes of the segment, which are whole elements, into `room`.
  ///
  /// - Throws: `damaged`, with the offset of the first block that is.
  package func fill(_ room: PackedRoom, with bytes: Range<Int>) throws {
    var place = bytes.lowerBound
    while place < bytes.upperBound {
      let target = place - bytes.lowerBound
      if range.contains(place) {
        let end = min(range.upperBound, bytes.upperBound)
        unsafe room.fill(
          from: target,
          UnsafeRawBufferPointer(
            rebasing: window.buffer[(place - range.lowerBound)..<(end - range.lowerBound)]))
        place = end
      } else if place.isMultiple(of: open.segment.blockByteCount), bytes.upperBound - place >= byteCount {
        try reader.gather(
          ByteRuns([place..<(place + byteCount)]), of: open, into: room.suffix(from: target),
          isAnnounced: true)
        place += byteCount
      } else {
        try move(to: place / open.segment.blockByteCount * open.segment.blockByteCount)
      }
    }
  }

  private func move(to start: Int) throws {
    range = 0..<0
    let next = start..<min(start + byteCount, Int(open.segment.rawByteCount))
    try unsafe window.fill { memory in
      // There is room for a window.
      let room = unsafe PackedRoom(UnsafeMutableRawBufferPointer(rebasing: memory[..<next.count]))
      try reader.gather(ByteRuns([next]), of: open, into: room, isAnnounced: true)
    }
    range = next
  }
}
