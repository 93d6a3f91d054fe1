import _GraphFiles
import _GraphSupport

/// The end of a series: what the record of the next entry repeats of those before it.
package struct SeriesEnd {
  /// Where the next entry begins.
  private(set) var offset = UInt64(SeriesHeader.byteCount)
  package private(set) var nextNumber = 0
  /// The hash at the end of the last record, or of the header.
  private(set) var lastHash = SeriesHeader.hash
  /// What the next record may have copies of.
  private(set) var index = SeriesIndex()

  init(headerHash: UInt64 = SeriesHeader.hash) { lastHash = headerHash }

  /// Moves behind a record.
  mutating func pass(_ stored: SeriesRecord.Stored) {
    index.add(stored)
    (offset, lastHash, nextNumber) = (stored.end, stored.hash, stored.record.number + 1)
  }

  /// Notes that entries are missing in front of the next one.
  mutating func noteGap() { index = SeriesIndex(isWhole: false) }

  /// Makes the record of an archive that has been written at the end.
  ///
  /// - Returns: the padding in front of it with its bytes, which make the archive an entry, and the record.
  /// - Throws: `limitExceeded`.
  func record(
    of archive: WrittenArchive, _ label: SeriesLabel
  ) throws -> (bytes: [UInt8], stored: SeriesRecord.Stored) {
    guard let place = SeriesRecord.offset(behind: offset, archive.storedByteCount) else {
      throw GCodableError(.limitExceeded, "the series would be larger than a file can be")
    }
    var record = SeriesRecord(
      offset: place, archiveOffset: offset, storedByteCount: archive.storedByteCount,
      archiveHash: archive.hash, number: nextNumber, previousHash: lastHash, step: label.step,
      time: label.time, archiveByteCount: archive.archiveByteCount, metadata: label.metadata)
    record.index = try index.copies { try record.indexRoom() }
    let bytes = try record.bytes()
    let padding = [UInt8](repeating: 0, count: Int(place - offset - archive.storedByteCount))
    return (padding + bytes, SeriesRecord.Stored(record, bytes))
  }
}

/// What an entry is found by.
package struct SeriesLabel: Sendable {
  let step: Int
  let time: Double
  let metadata: Metadata

  /// - Throws: `limitExceeded` when there is too much metadata; `invalidValue` as `Metadata.checked`.
  package init(step: Int, time: Double, metadata: Metadata) throws {
    try SeriesRecord.check(metadata.checked())
    (self.step, self.time, self.metadata) = (step, time, metadata)
  }

  package init(_ entry: GraphArchiveSeries.Entry) {
    (step, time, metadata) = (entry.step, entry.time, entry.storedMetadata)
  }
}

/// An archive that has been written into a series, where it has no record yet.
package struct WrittenArchive {
  /// The hash at the end of the header that stands there.
  let hash: UInt64
  let storedByteCount: UInt64
  /// Bytes of the whole archive.
  let archiveByteCount: UInt64
  /// What has shared blocks of earlier entries; nil for an archive that is stored as a whole.
  package var sink: SharingSink?

  init(whole header: ArchiveHeader) {
    (hash, storedByteCount, archiveByteCount) = (header.hash, header.byteCount, header.byteCount)
  }

  init(_ header: SharedHeader, _ sink: SharingSink? = nil) {
    (hash, storedByteCount) = (header.hash, header.storedByteCount)
    (archiveByteCount, self.sink) = (header.archiveByteCount, sink)
  }
}
