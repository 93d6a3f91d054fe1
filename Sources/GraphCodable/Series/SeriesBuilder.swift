/// Writes a series anew, one entry behind the other.
///
/// What it writes is a series when it is complete: into a file that has its name already, a `Writer` appends.
struct SeriesBuilder {
  typealias StoredArchive = GraphArchiveSeries.Writer.StoredArchive

  private let sink: any ArchiveSink
  /// Where the next entry begins.
  private(set) var end = UInt64(SeriesHeader.byteCount)
  private(set) var count = 0
  private var lastHash = SeriesHeader.hash
  private var index = SeriesIndex()
  /// Which bytes it has of the series that it copies from.
  private var copied: CopiedRanges?

  /// Writes the header of the series.
  init(_ sink: any ArchiveSink) throws {
    self.sink = sink
    try unsafe SeriesHeader.bytes.withUnsafeBytes { try unsafe sink.write([$0], at: 0) }
  }

  /// Adds an entry with a whole archive.
  ///
  /// - Parameter write: writes the archive, and returns its header.
  /// - Throws: `limitExceeded` when there is too much metadata; what `write` throws.
  mutating func append<Result>(
    step: Int, time: Double, metadata: Metadata, _ write: (OffsetSink) throws -> (ArchiveHeader, Result)
  ) throws -> Result {
    try SeriesRecord.check(metadata)
    let (header, result) = try write(OffsetSink(sink: sink, start: end))
    try close(
      StoredArchive(whole: header), step: step, time: time, metadata: metadata)
    return result
  }

  /// Adds an entry that stores what is not there yet of an archive.
  ///
  /// - Parameters:
  ///   - sink: begins at `end`.
  ///   - write: writes the archive to it.
  mutating func append(
    step: Int, time: Double, metadata: Metadata, sharing sink: SharingSink,
    _ write: () throws -> ArchiveHeader
  ) throws {
    let archive = StoredArchive(try sink.finish(write()))
    try close(archive, step: step, time: time, metadata: metadata)
  }

  /// Adds a copy of an entry of another series, as it is stored: what entries share that are copied from the same series one
  /// after the other, in whatever order, is stored once.
  ///
  /// Nothing is expanded, and nothing is checked but the table of an archive in pieces.
  ///
  /// - Throws: as `Entry.archive()`.
  mutating func append(copying entry: GraphArchiveSeries.Entry, _ progress: ProgressReport?) throws {
    guard let pieces = try entry.pieces() else {
      let (storage, hash) = try entry.open()
      return try append(step: entry.step, time: entry.time, metadata: entry.storedMetadata) {
        let header = try storage.copy(to: $0, progress)
        guard header.hash == hash else { throw entry.isOther() }
        return (header, ())
      }
    }
    var ranges = copied.flatMap { $0.source.isSame(as: entry.file) ? $0 : nil } ?? CopiedRanges(entry.file)
    let table = try ranges.copy(pieces.table, to: sink, at: end, progress)
    try close(
      StoredArchive(table.write(to: sink, archiveHash: pieces.header.archiveHash)), step: entry.step,
      time: entry.time, metadata: entry.storedMetadata)
    copied = ranges
  }

  /// Makes an archive that stands at the end an entry.
  private mutating func close(
    _ archive: StoredArchive, step: Int, time: Double, metadata: Metadata
  ) throws {
    let archiveEnd = end + archive.storedByteCount
    guard let place = SeriesRecord.offset(behind: end, archive.storedByteCount) else {
      throw GCodableError(.limitExceeded, "the series would be larger than a file can be")
    }
    var record = SeriesRecord(
      offset: place, archiveOffset: end, storedByteCount: archive.storedByteCount, archiveHash: archive.hash,
      number: count, previousHash: lastHash, step: step, time: time,
      archiveByteCount: archive.archiveByteCount, metadata: metadata)
    record.index = index.copies(room: try record.indexRoom())
    let bytes = [UInt8](repeating: 0, count: Int(place - archiveEnd)) + (try record.bytes())
    let stored = try unsafe bytes.withUnsafeBytes { bytes in
      try unsafe sink.write([bytes], at: archiveEnd)
      return unsafe SeriesRecord.Stored(
        record, UnsafeRawBufferPointer(rebasing: bytes[Int(place - archiveEnd)...]))
    }
    index.add(stored)
    (end, lastHash, count) = (stored.end, stored.hash, count + 1)
  }
}

/// A sink from an offset on.
struct OffsetSink: ArchiveSink {
  let sink: any ArchiveSink
  let start: UInt64

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    try unsafe sink.write(pieces, at: start + offset)
  }
}

extension ArchiveStorage {
  /// Copies an archive as it is.
  ///
  /// - Returns: its header.
  /// - Throws: as `ArchiveHeader.init`; `file`; `CancellationError`.
  func copy(to sink: any ArchiveSink, _ progress: ProgressReport?) throws -> ArchiveHeader {
    try withSource { source in
      let header = try unsafe source.withBytes(ArchiveHeader.byteCount, from: 0) {
        try unsafe ArchiveHeader(parsing: $0, archiveByteCount: nil)
      }
      func piece(_ start: UInt64) -> Range<UInt64> {
        start..<(start + min(header.byteCount - start, UInt64(Self.pieceByteCount)))
      }
      // A few at a time: a forged header may say any size.
      for start in stride(from: 0, to: header.byteCount, by: Self.pieceByteCount * Self.piecesAhead) {
        let end = start + min(header.byteCount - start, UInt64(Self.pieceByteCount * Self.piecesAhead))
        let pieces = stride(from: start, to: end, by: Self.pieceByteCount).map(piece)
        let ahead = source.readAhead { pieces.filter { $0.upperBound <= source.byteCount } }
        defer { ahead?.end() }
        for piece in pieces {
          try progress?.checkCancellation()
          let offset = piece.lowerBound
          try unsafe source.withBytes(piece.count, from: offset) { try unsafe sink.write([$0], at: offset) }
          progress?.advance(by: piece.count)
        }
      }
      return header
    }
  }

  private static let pieceByteCount = 4 << 20
  private static let piecesAhead = 64
}
