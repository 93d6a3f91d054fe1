import CGraphArchive
import _GraphFiles
import _GraphMaintenance
import _GraphReading
import _GraphStorage
import _GraphSupport

/// Brings the entries of a series back to their places, into which bytes were inserted or from which some were removed.
///
/// A record says where it should stand, so each one that is found says how far it has moved. Between two that have moved differently,
/// the archive is searched for its parts.
struct SeriesRealignment {
  private let file: any RangeReader
  private let storage: ArchiveStorage
  private let source: ArchiveSource
  private let landmarks: Landmarks
  /// In the order in which they stand, all with entries of this series.
  private var records: [(place: UInt64, stored: SeriesRecord.Stored)] = []
  private var pieces: [RealignedFile.Piece] = []
  /// Entries that were moved as a whole to where they are out of order.
  private var movedEntries: [RealignedFile.Piece] = []

  /// The series as it was; nil where nothing has moved, or the file is no series.
  ///
  /// - Throws: `file`, `noMemory`.
  static func file(of file: any RangeReader, byteCount: UInt64) throws -> RealignedFile? {
    let storage = ArchiveStorage.file(file, from: 0, byteCount: byteCount)
    return try storage.withSource { source in
      var realignment = try Self(file, storage, source)
      guard try realignment.isSeries else { return nil }
      return try realignment.realigned()
    }
  }

  private init(_ file: any RangeReader, _ storage: ArchiveStorage, _ source: ArchiveSource) throws {
    self.file = file
    (self.storage, self.source) = (storage, source)
    landmarks = try Landmarks(source)
    let all = try outerRecords()
    records = ownRecords(of: all)
    movedEntries = entriesOutOfOrder(in: all)
  }

  private var isSeries: Bool {
    get throws {
      if try hasHeader { return true }
      guard let first = records.first, let last = records.last else { return false }
      // An archive may hold a series.
      return !landmarks.headers.contains {
        $0.place < first.place && $0.header.byteCount > last.place - min(last.place, $0.place)
      }
    }
  }

  private var hasHeader: Bool {
    get throws { try source.bytes(SeriesHeader.magic.count, at: 0) == SeriesHeader.magic }
  }

  /// All that are no copies in an index.
  private func outerRecords() throws -> [(place: UInt64, stored: SeriesRecord.Stored)] {
    var outer: [(place: UInt64, stored: SeriesRecord.Stored)] = []
    // Forged ones could overlap.
    var (end, allowance) = (UInt64(0), 64 << 20 + 8 * min(source.byteCount, 1 << 56))
    for place in landmarks.recordPlaces where place >= end {
      guard let start = try source.bytes(SeriesRecord.startByteCount, at: place),
        let count = SeriesRecord.byteCount(startingWith: start), UInt64(count) <= allowance
      else { continue }
      allowance -= UInt64(count)
      guard let bytes = try source.bytes(count, at: place), let stored = SeriesRecord.moved(bytes) else {
        continue
      }
      outer.append((place, stored))
      end = place + stored.byteCount
    }
    return outer
  }

  /// Those that are not in an archive of the series, in their order.
  private func ownRecords(
    of all: [(place: UInt64, stored: SeriesRecord.Stored)]
  ) -> [(place: UInt64, stored: SeriesRecord.Stored)] {
    var own: [(place: UInt64, stored: SeriesRecord.Stored)] = []
    var (limit, offsetLimit) = (UInt64.max, UInt64.max)
    // What stands where it belongs is in order; what does not must not be behind what it should be in front of.
    var fixedEnd: [UInt64] = []
    for record in all {
      fixedEnd.append(record.place == record.stored.record.offset ? record.stored.end : fixedEnd.last ?? 0)
    }
    for (record, fixedEnd) in zip(all, fixedEnd).reversed()
    where record.place + record.stored.byteCount <= limit && record.stored.end <= offsetLimit
      && record.stored.end >= fixedEnd
    {
      own.append(record)
      limit = archivePlace(of: record.stored, before: record.place) ?? record.place
      offsetLimit = record.stored.record.archiveOffset
    }
    return own.reversed()
  }

  /// The entries of other records whose archives stand as far in front of them as they should, and whose places in the series are
  /// free; sectors of a disk that were exchanged leave such.
  private func entriesOutOfOrder(
    in all: [(place: UInt64, stored: SeriesRecord.Stored)]
  ) -> [RealignedFile.Piece] {
    let own = Set(records.map(\.place))
    var moved: [RealignedFile.Piece] = []
    for (place, stored) in all.sortedOutOfLine(by: { $0.stored.record.offset < $1.stored.record.offset })
    where !own.contains(place) {
      let record = stored.record
      let distance = record.offset - record.archiveOffset
      guard place >= distance, archivePlace(of: stored, before: place) == place - distance,
        moved.last.map({ $0.end <= record.archiveOffset }) ?? true
      else { continue }
      let next = records.partitioningIndex { $0.stored.end > record.archiveOffset }
      // A series in an archive of this one has numbers that do not fit.
      guard next == records.count || records[next].stored.record.archiveOffset >= stored.end,
        next == records.count || records[next].stored.record.number > record.number,
        next == 0 || records[next - 1].stored.record.number < record.number
      else { continue }
      moved.append(
        .init(offset: record.archiveOffset, place: place - distance, byteCount: distance + stored.byteCount))
    }
    return moved
  }

  /// Where the header of an entry's archive stands.
  private func archivePlace(of stored: SeriesRecord.Stored, before place: UInt64) -> UInt64? {
    let hash = stored.record.archiveHash
    return max(
      landmarks.headers.last { $0.place < place && $0.header.hash == hash }?.place,
      landmarks.sharedHeaders.last { $0.place < place && $0.header.hash == hash }?.place)
  }

  private func max(_ left: UInt64?, _ right: UInt64?) -> UInt64? {
    guard let left, let right else { return left ?? right }
    return Swift.max(left, right)
  }

  // MARK: All of it

  private mutating func realigned() throws -> RealignedFile? {
    var (offset, place) = (UInt64(SeriesHeader.byteCount), UInt64(0))
    if try hasHeader {
      place = offset
      pieces.append(.init(offset: 0, place: 0, byteCount: offset))
    }
    for (recordPlace, stored) in records {
      let record = stored.record
      let found = archivePlace(of: stored, before: recordPlace).flatMap { $0 >= place ? $0 : nil }
      let expected = recordPlace - min(recordPlace, record.offset - record.archiveOffset)
      let start = found ?? (record.archiveOffset == offset ? place : Swift.max(expected, place))
      if record.archiveOffset > offset { try addGap(offset..<record.archiveOffset, place..<start) }
      // Zeros in front of the record have moved with it.
      let padding = record.offset - (record.archiveOffset + record.storedByteCount)
      try addArchive(
        record.archiveOffset..<(record.offset - padding),
        start..<Swift.max(start, recordPlace - min(padding, recordPlace)))
      pieces.append(.init(offset: record.offset, place: recordPlace, byteCount: stored.byteCount))
      (offset, place) = (stored.end, recordPlace + stored.byteCount)
    }
    if place < source.byteCount { try addGap(offset..<(.max), place..<source.byteCount) }
    pieces = pieces.flatMap { $0.without(movedEntries) } + movedEntries
    guard pieces.contains(where: { $0.shift != 0 }) else { return nil }
    let end = pieces.reduce(UInt64(SeriesHeader.byteCount)) { Swift.max($0, $1.end) }
    return RealignedFile(storage, pieces, byteCount: end)
  }

  /// Bytes that have moved alike, as far as anybody knows.
  private mutating func addRun(_ offsets: Range<UInt64>, at place: UInt64, upTo end: UInt64) {
    guard place < end, !offsets.isEmpty else { return }
    let byteCount = min(offsets.upperBound - offsets.lowerBound, end - place)
    pieces.append(.init(offset: offsets.lowerBound, place: place, byteCount: byteCount))
  }

  // MARK: Archives

  private mutating func addArchive(_ offsets: Range<UInt64>, _ places: Range<UInt64>) throws {
    if offsets.upperBound - offsets.lowerBound == places.upperBound - places.lowerBound {
      return addRun(offsets, at: places.lowerBound, upTo: places.upperBound)
    }
    if let shared = landmarks.sharedHeaders.first(where: { $0.place == places.lowerBound }) {
      return try addShared(shared.header, offsets, places)
    }
    let bytes = ArchiveStorage.file(
      file, from: places.lowerBound, byteCount: places.upperBound - places.lowerBound)
    guard let finding = try ArchiveRealignment.finding(in: bytes) else {
      return addRun(offsets, at: places.lowerBound, upTo: places.upperBound)
    }
    for var piece in finding.pieces where piece.end <= offsets.upperBound - offsets.lowerBound {
      piece.offset += offsets.lowerBound
      piece.place += places.lowerBound
      pieces.append(piece)
    }
  }

  /// An archive in pieces: its header has moved as what stands in front, its table as what stands behind, and blocks between them
  /// as their checksums say.
  private mutating func addShared(
    _ header: SharedHeader, _ offsets: Range<UInt64>, _ places: Range<UInt64>
  ) throws {
    let front = RealignedFile.Piece(
      offset: offsets.lowerBound, place: places.lowerBound, byteCount: offsets.upperBound - offsets.lowerBound
    )
    // Up to as many bytes as are left.
    let back = { [offsets, places] (offset: UInt64) in
      let byteCount = min(offsets.upperBound - offset, places.upperBound - places.lowerBound)
      return RealignedFile.Piece(
        offset: offsets.upperBound - byteCount, place: places.upperBound - byteCount, byteCount: byteCount)
    }
    // The header of the archive follows that of the pieces.
    let headers = UInt64(SharedHeader.byteCount + ArchiveHeader.byteCount)
    var head = front
    head.byteCount = min(headers, front.byteCount)
    let moved = RealignedFile(
      storage, pieces + [head, back(head.end)], byteCount: offsets.upperBound)
    guard let table = try? header.table(in: moved, at: offsets.lowerBound) else {
      return addRun(offsets, at: places.lowerBound, upTo: places.upperBound)
    }
    let found = try ArchiveStorage.pieces(moved, table).withSource { try ArchiveSearch($0).find() }
    var boundary = head.end
    for placed in found.contents.segments {
      for (block, start) in zip(placed.segment.blocks, ArchiveReader.OpenSegment(placed).blockOffsets) {
        let byteCount = UInt64(block.storedByteCount)
        // A forged table may lead anywhere.
        guard let offset = table.fileOffset(of: start..<(start + byteCount)), offset >= boundary,
          offset <= offsets.upperBound, byteCount <= offsets.upperBound - offset,
          try hash(at: front.place + (offset - front.offset), byteCount) == block.hash
        else { continue }
        boundary = offset + byteCount
      }
    }
    head.byteCount = boundary - head.offset
    pieces += [head, back(boundary)]
  }

  private func hash(at place: UInt64, _ byteCount: UInt64) throws -> UInt64? {
    guard place <= source.byteCount, byteCount <= source.byteCount - place else { return nil }
    return try unsafe source.withBytes(Int(byteCount), from: place) {
      unsafe gca_hash64_bytes($0.baseAddress, $0.count)
    }
  }

  // MARK: Without records

  /// Bytes between entries, or behind them, in which there may be archives whose records are lost.
  private mutating func addGap(_ offsets: Range<UInt64>, _ places: Range<UInt64>) throws {
    var (offset, place) = (offsets.lowerBound, places.lowerBound)
    for (start, byteCount) in archives(in: places) where start >= place {
      addRun(offset..<offsets.upperBound, at: place, upTo: start)
      // Archives begin at multiples of the alignment.
      let alignment = UInt64(SeriesRecord.alignment)
      let wanted = (offset + (start - place) + alignment - 1) / alignment * alignment
      guard wanted < offsets.upperBound, byteCount <= offsets.upperBound - wanted else { break }
      let next = archives(in: (start + byteCount / 2)..<Swift.max(start + byteCount / 2, places.upperBound))
        .first
      let end = next?.place ?? places.upperBound
      let own = wanted..<(wanted + byteCount)
      if end - start >= byteCount, try isIntact(start, byteCount) {
        addRun(own, at: start, upTo: start + byteCount)
        place = start + byteCount
      } else {
        try addArchive(own, start..<end)
        place = end
      }
      offset = own.upperBound
    }
    addRun(offset..<offsets.upperBound, at: place, upTo: places.upperBound)
  }

  private func archives(in places: Range<UInt64>) -> [(place: UInt64, byteCount: UInt64)] {
    (landmarks.headers.map { ($0.place, $0.header.byteCount) }
      + landmarks.sharedHeaders.map { ($0.place, $0.header.storedByteCount) })
      .filter { places.contains($0.0) && $0.1 <= source.byteCount }.sortedOutOfLine { $0.0 < $1.0 }
  }

  /// Whether the contents of an archive are where its header says.
  private func isIntact(_ place: UInt64, _ byteCount: UInt64) throws -> Bool {
    guard let header = landmarks.headers.first(where: { $0.place == place })?.header else { return true }
    return try hash(at: place + header.contentsOffset, UInt64(header.contentsByteCount))
      == header.contentsHash
  }
}
