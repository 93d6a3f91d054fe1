import _GraphFiles
import _GraphSupport

/// A graph stream whose blocks are expanded on demand.
///
/// There is room for all of it: untouched memory costs nothing. Bytes that have not been expanded are zero.
final class PartialStream {
  let bytes: RawBytes
  private let reader: ArchiveReader
  /// nil if the stream is embedded and complete.
  private let segment: ArchiveReader.OpenSegment?
  private var isExpanded: [Bool] = []

  /// - Throws: `damaged` or `malformed` for the header of the segment, `noMemory`.
  init(_ reader: ArchiveReader) throws {
    self.reader = reader
    switch reader.contents.graph {
    case .embedded(let embedded):
      bytes = try RawBytes(copying: embedded)
      segment = nil
    case .segment(let placed):
      let open = try reader.open(placed)
      bytes = try RawBytes(zeros: Int(placed.segment.rawByteCount))
      segment = open
      isExpanded = Array(repeating: false, count: open.segment.blocks.count)
    }
  }

  /// Expands a range of the stream if necessary.
  ///
  /// - Parameter wishedEnd: where the range should better end, as far as no block behind the range is damaged.
  /// - Returns: the end of the last block that has been expanded.
  /// - Throws: as `expand(_:)`.
  func expand(_ range: Range<UInt64>, wishedEnd: UInt64) throws -> UInt64 {
    if wishedEnd > range.upperBound, let end = try? expand(range.lowerBound..<wishedEnd) { return end }
    var end = try expand(range)
    while end < wishedEnd, let next = try? expand(end..<(end + 1)) { end = next }
    return end
  }

  /// Expands a range of the stream if necessary.
  ///
  /// - Returns: the end of the last block of the range.
  /// - Throws: `damaged` or `malformed`, with the offset of the first such block; `CancellationError`.
  @discardableResult
  func expand(_ range: Range<UInt64>) throws -> UInt64 {
    guard let segment, !range.isEmpty else { return unsafe UInt64(bytes.buffer.count) }
    let blocks = segment.segment.blocks(of: Int(range.lowerBound)..<Int(range.upperBound))
    var missing: [Int] = []  // Takes no memory while it is empty, as for most objects.
    for block in blocks where !isExpanded[block] { missing.append(block) }
    if !missing.isEmpty {
      try unsafe bytes.fill { try unsafe reader.expand(missing, of: segment, into: $0) }
      for block in missing { isExpanded[block] = true }
    }
    return unsafe UInt64(min(blocks.upperBound * segment.segment.blockByteCount, bytes.buffer.count))
  }
}
