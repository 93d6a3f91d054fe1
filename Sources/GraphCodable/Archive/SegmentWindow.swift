/// The bytes of a segment, to be taken in order, piece by piece.
///
/// Blocks are expanded by several threads, as many at a time as the window has room for: the segment is never in memory a
/// second time.
final class SegmentWindow {
  private let reader: ArchiveReader
  private let open: ArchiveReader.OpenSegment
  /// The bytes of the segment that are in the window.
  private var range = 0..<0
  private let window: RawBytes
  private let byteCount: Int

  /// Bytes of blocks for several threads: few, so that they are copied while the caches may still have them.
  private static let sharedByteCount = 8 << 20

  init(_ reader: ArchiveReader, _ open: ArchiveReader.OpenSegment) throws {
    (self.reader, self.open) = (reader, open)
    let blockByteCount = open.segment.blockByteCount
    let blockCount = reader.threadCount > 1 ? max(Self.sharedByteCount / blockByteCount, 1) : 1
    byteCount = min(blockCount * blockByteCount, Int(open.segment.rawByteCount))
    window = try RawBytes(byteCount: byteCount)
  }

  /// Puts some bytes of the segment, which are whole elements, into `room`.
  ///
  /// - Throws: `damaged`, with the offset of the first block that is.
  func fill(_ room: PackedRoom, with bytes: Range<Int>) throws {
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
      try unsafe reader.gather(ByteRuns([next]), of: open, into: PackedRoom(memory), isAnnounced: true)
    }
    range = next
  }
}
