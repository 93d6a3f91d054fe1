import CGraphArchive
import _GraphFiles

/// Finds the segments of an archive whose headers are intact, without its tables.
///
/// Each is looked for from the end of the one before on, at every byte. The contents have copies of headers, without blocks
/// behind them: where nobody knows where the contents begin, a header counts if one of its blocks is intact, or one of a segment
/// that stands behind it.
struct SegmentSearch {
  private let source: ArchiveSource
  private let contentsOffset: UInt64?
  /// Bytes that may be read still.
  ///
  /// Headers within the blocks of others could have the same bytes compared again and again.
  private var allowance: UInt64
  /// The bytes of the archive that are looked through, and where they begin.
  private var piece: [UInt8] = []
  private var pieceOffset: UInt64 = 0

  private init(_ source: ArchiveSource, _ contentsOffset: UInt64?) {
    self.source = source
    self.contentsOffset = contentsOffset
    allowance = 64 << 20 + 8 * min(source.byteCount, 1 << 56)
  }

  /// The segments in the order of the archive; not all where so many are forged that comparing them would take time
  /// out of proportion.
  ///
  /// - Parameter contentsOffset: where the contents begin, if the header of the archive says so.
  static func segments(
    of source: ArchiveSource, before contentsOffset: UInt64? = nil
  ) throws -> [PlacedSegment] {
    var search = SegmentSearch(source, contentsOffset)
    var segments: [PlacedSegment] = []
    var offset = UInt64(ArchiveHeader.byteCount)
    while let found = try search.nextMagic(from: offset), found < contentsOffset ?? .max {
      if let placed = try search.segment(at: found) {
        segments.append(placed)
        offset = placed.end
      } else {
        offset = found + 1
      }
    }
    return segments
  }

  static let magic = {
    var builder = ByteBuilder()
    builder.fixed(Segment.magic)
    return builder.bytes
  }()

  private static let pieceByteCount: UInt64 = 1 << 20

  /// The next place that has the first bytes of a header, and room for those that each has.
  private mutating func nextMagic(from start: UInt64) throws -> UInt64? {
    var offset = start
    let fixedByteCount = UInt64(Segment.fixedByteCount)
    while offset + fixedByteCount <= source.byteCount {
      if offset < pieceOffset || offset + fixedByteCount > pieceOffset + UInt64(piece.count) {
        let count = Int(min(source.byteCount - offset, Self.pieceByteCount))
        guard let next = try source.bytes(count, at: offset) else { return nil }
        (piece, pieceOffset) = (next, offset)
      }
      let places = Int(offset - pieceOffset)...(piece.count - Segment.fixedByteCount)
      var place = places.lowerBound
      while let found = piece[place...places.upperBound].firstIndex(of: Self.magic[0]) {
        if piece[found...].starts(with: Self.magic) { return pieceOffset + UInt64(found) }
        guard found < places.upperBound else { break }
        place = found + 1
      }
      offset = pieceOffset + UInt64(places.upperBound) + 1
    }
    return nil
  }

  private mutating func segment(at offset: UInt64) throws -> PlacedSegment? {
    guard let segment = try header(at: offset) else { return nil }
    let placed = PlacedSegment(segment: segment, offset: offset)
    if let contentsOffset { return placed.end <= contentsOffset ? placed : nil }
    var next: PlacedSegment? = placed
    while let here = next {
      if try hasIntactBlock(here) { return placed }
      next = try segmentBehind(here)
    }
    return nil
  }

  private mutating func hasIntactBlock(_ placed: PlacedSegment) throws -> Bool {
    for (block, offset) in zip(placed.segment.blocks, ArchiveReader.OpenSegment(placed).blockOffsets) {
      let count = UInt64(block.storedByteCount)
      guard offset <= source.byteCount, count <= source.byteCount - offset, take(count) else { return false }
      let hash = try unsafe source.withBytes(Int(count), from: offset) {
        unsafe gca_hash64_bytes($0.baseAddress, $0.count)
      }
      if hash == block.hash { return true }
    }
    return false
  }

  /// The segment whose header stands where another segment ends, or where one without compression would begin.
  private mutating func segmentBehind(_ placed: PlacedSegment) throws -> PlacedSegment? {
    var offset = placed.end
    for alignment in [1, Segment.storedAlignment, placed.segment.alignment] {
      offset = Segment.Front(alignment: alignment, blockCount: 1, filterCount: 0).start(behind: offset)
      if let segment = try header(at: offset) { return PlacedSegment(segment: segment, offset: offset) }
    }
    return nil
  }

  private mutating func header(at offset: UInt64) throws -> Segment? {
    guard let fixed = try fixedBytes(at: offset), fixed.starts(with: Self.magic) else { return nil }
    return try source.segment(at: offset, startingWith: fixed) { take($0) }
  }

  private func fixedBytes(at offset: UInt64) throws -> [UInt8]? {
    guard offset >= pieceOffset, offset + UInt64(Segment.fixedByteCount) <= pieceOffset + UInt64(piece.count)
    else { return try source.bytes(Segment.fixedByteCount, at: offset) }
    return [UInt8](piece[Int(offset - pieceOffset)...].prefix(Segment.fixedByteCount))
  }

  /// Whether bytes may be read.
  private mutating func take(_ byteCount: UInt64) -> Bool {
    guard byteCount <= allowance else { return false }
    allowance -= byteCount
    return true
  }
}

extension ArchiveSource {
  /// The header of a segment; nil where there is none that matches its own checksum.
  ///
  /// - Parameters:
  ///   - fixed: its first bytes, if they have been read.
  ///   - take: whether so many bytes may be read.
  func segment(
    at offset: UInt64, startingWith fixed: [UInt8]? = nil, _ take: (UInt64) -> Bool
  ) throws -> Segment? {
    guard let fixed = try fixed ?? bytes(Segment.fixedByteCount, at: offset) else { return nil }
    let (blockCount, filterCount) = (fixed.number(at: 24) & 0xFFFF_FFFF, fixed[28])
    guard filterCount <= Segment.Filter.maximumCount else { return nil }
    let headerByteCount = Segment.headerByteCount(blockCount: Int(blockCount), filterCount: Int(filterCount))
    guard UInt64(headerByteCount) <= byteCount - offset, take(UInt64(headerByteCount)) else { return nil }
    return try unsafe withBytes(headerByteCount, from: offset) { bytes in
      var parser = unsafe ByteParser(bytes, origin: offset, subject: "a segment's header")
      return try? parser.segment()
    }
  }
}
