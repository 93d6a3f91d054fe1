import _GraphFiles

/// Writes a new series, entry by entry.
///
/// What it writes is a series when it is complete: into a file that has its name already, a `Writer` appends.
package struct SeriesBuilder {
  let sink: any ArchiveSink
  package private(set) var end = SeriesEnd()
  /// Which bytes it has of the series that it copies from.
  private var copied: CopiedRanges?

  /// Writes the header of the series.
  package init(_ sink: any ArchiveSink) throws {
    self.sink = sink
    try unsafe SeriesHeader.bytes.withUnsafeBytes { try unsafe sink.write([$0], at: 0) }
  }

  /// Adds an entry.
  ///
  /// - Parameter write: writes the archive to the offset that it receives.
  /// - Throws: `limitExceeded` when there is too much metadata; what `write` throws.
  /// - Returns: the archive.
  @discardableResult
  package mutating func append(
    _ label: SeriesLabel, _ write: (UInt64) throws -> WrittenArchive
  ) throws -> WrittenArchive {
    let archive = try write(end.offset)
    let record = try end.record(of: archive, label)
    try unsafe record.bytes.withUnsafeBytes {
      try unsafe sink.write([$0], at: end.offset + archive.storedByteCount)
    }
    end.pass(record.stored)
    return archive
  }

  /// Adds an entry with a whole archive.
  ///
  /// - Parameter write: writes the archive, and returns its header.
  package mutating func append(_ label: SeriesLabel, whole write: (OffsetSink) throws -> ArchiveHeader) throws
  {
    let sink = sink
    try append(label) { WrittenArchive(whole: try write(OffsetSink(sink: sink, start: $0))) }
  }

  /// Adds a copy of an entry of another series, as it is stored: what entries share that are copied from the same series one
  /// after the other, in whatever order, is stored once.
  ///
  /// Nothing is expanded, and nothing is checked but the table of an archive in pieces.
  ///
  /// - Throws: as `Entry.archive()`.
  package mutating func append(copying entry: GraphArchiveSeries.Entry, _ progress: ProgressReport?) throws {
    guard let pieces = try entry.pieces() else {
      let (storage, hash) = try entry.open()
      return try append(SeriesLabel(entry)) {
        let header = try storage.copy(to: $0, progress)
        guard header.hash == hash else { throw entry.isOther() }
        return header
      }
    }
    let sink = sink
    var ranges = copied.flatMap { $0.source.isSame(as: entry.file) ? $0 : nil } ?? CopiedRanges(entry.file)
    try append(SeriesLabel(entry)) {
      let table = try ranges.copy(pieces.table, to: sink, at: $0, progress)
      return WrittenArchive(try table.write(to: sink, archiveHash: pieces.header.archiveHash))
    }
    copied = ranges
  }
}

/// A sink from an offset on.
package struct OffsetSink: ArchiveSink {
  let sink: any ArchiveSink
  let start: UInt64

  package func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    try unsafe sink.write(pieces, at: start + offset)
  }
}
