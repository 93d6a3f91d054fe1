/// Writes a series anew, one entry behind the other.
///
/// What it writes is a series when it is complete: into a file that has its name already, a `Writer` appends.
struct SeriesBuilder {
  private let sink: any ArchiveSink
  /// Where the next entry begins.
  private(set) var end = UInt64(SeriesHeader.byteCount)
  private(set) var count = 0
  private var lastHash = SeriesHeader.hash
  private var index = SeriesIndex()

  /// Writes the header of the series.
  init(_ sink: some ArchiveSink) throws {
    self.sink = sink
    try unsafe SeriesHeader.bytes.withUnsafeBytes { try unsafe sink.write([$0], at: 0) }
  }

  /// Adds an entry.
  ///
  /// - Parameter write: writes its archive, and returns the header of that.
  /// - Throws: `limitExceeded` when there is too much metadata; what `write` throws.
  mutating func append<Result>(
    step: Int, time: Double, metadata: Metadata, _ write: (OffsetSink) throws -> (ArchiveHeader, Result)
  ) throws -> Result {
    try SeriesRecord.check(metadata)
    let (header, result) = try write(OffsetSink(sink: sink, start: end))
    let archiveEnd = end + header.byteCount
    guard let place = SeriesRecord.offset(behind: end, header.byteCount) else {
      throw GCodableError(.limitExceeded, "the series would be larger than a file can be")
    }
    var record = SeriesRecord(
      offset: place, archiveOffset: end, archiveByteCount: header.byteCount, archiveHash: header.hash,
      number: count, previousHash: lastHash, step: step, time: time, metadata: metadata)
    record.index = index.copies(room: try record.indexRoom())
    let bytes = [UInt8](repeating: 0, count: Int(place - archiveEnd)) + (try record.bytes())
    let stored = try unsafe bytes.withUnsafeBytes { bytes in
      try unsafe sink.write([bytes], at: archiveEnd)
      return unsafe SeriesRecord.Stored(
        record, UnsafeRawBufferPointer(rebasing: bytes[Int(place - archiveEnd)...]))
    }
    index.add(stored)
    (end, lastHash, count) = (stored.end, stored.hash, count + 1)
    return result
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
  func copy(to sink: some ArchiveSink, _ progress: ProgressReport?) throws -> ArchiveHeader {
    try withSource { source in
      let header = try unsafe source.withBytes(ArchiveHeader.byteCount, from: 0) {
        try unsafe ArchiveHeader(parsing: $0, archiveByteCount: nil)
      }
      for start in stride(from: 0, to: header.byteCount, by: Self.pieceByteCount) {
        try progress?.checkCancellation()
        let count = Int(min(header.byteCount - start, UInt64(Self.pieceByteCount)))
        try unsafe source.withBytes(count, from: start) { try unsafe sink.write([$0], at: start) }
        progress?.advance(by: count)
      }
      return header
    }
  }

  private static let pieceByteCount = 4 << 20
}
