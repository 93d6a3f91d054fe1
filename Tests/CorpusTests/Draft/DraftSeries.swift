import GraphCodable

/// A series part by part, which need not keep the rules of the format.
struct DraftSeries {
  var version: UInt16 = 1
  var features: UInt16 = 0
  var reserved = Bytes(repeating: 0, count: 44)
  var entries: [Entry] = []
  /// Bytes behind the last record.
  var rest: Bytes = []
  /// Changes the series after everything has been hashed.
  var changeSeries: (inout Bytes) -> Void = { _ in }

  struct Entry {
    var archive: Bytes
    /// How the archive is stored in pieces; nil as a whole.
    var pieces: DraftPieces?
    var number: UInt64?
    var step: Int64 = 0
    var time: Double = 0
    var metadata: [(key: Bytes, value: Bytes)] = []
    /// What stands behind the archive.
    var padding: UInt8 = 0
    /// Bytes in front of the archive that are no entry.
    var front: Bytes = []
    var previousHash: Bytes?
    /// Of how many records before it has copies.
    var copyCount = 0
    /// Changes the record before it is hashed.
    var changeRecord: (inout Bytes) -> Void = { _ in }
  }

  init(_ entries: [Entry] = [], _ change: (inout DraftSeries) -> Void = { _ in }) {
    self.entries = entries
    change(&self)
  }

  var bytes: Bytes {
    let header = join(Bytes("gcseries".utf8), little(version), little(features), reserved)
    var (series, last, records): (Bytes, Bytes, [Bytes]) = (header + hash(header), hash(header), [])
    for (number, entry) in entries.enumerated() {
      series += entry.front
      let start = series.count
      let stored = entry.pieces?.stored(entry.archive, at: start) ?? entry.archive
      series += stored
      series += Bytes(repeating: entry.padding, count: (64 - series.count % 64) % 64)
      let index = Bytes(records.suffix(entry.copyCount).joined())
      let record = record(
        entry, UInt64(number), at: series.count, stored, archiveAt: start, behind: last, index)
      series += record
      records.append(record)
      last = Bytes(record.suffix(8))
    }
    series += rest
    changeSeries(&series)
    return series
  }

  private func record(
    _ entry: Entry, _ number: UInt64, at offset: Int, _ stored: Bytes, archiveAt start: Int,
    behind last: Bytes, _ index: Bytes
  ) -> Bytes {
    var metadata = varint(UInt64(entry.metadata.count))
    for pair in entry.metadata { metadata += counted(pair.key) + counted(pair.value) }
    let fieldsByteCount = (88 + metadata.count + 16 + 63) / 64 * 64
    let byteCount = fieldsByteCount + index.count
    var record = join(
      Bytes("gcrecord".utf8), little(UInt32(byteCount)), little(UInt32(index.count)), little(UInt64(offset)),
      little(UInt64(start)), little(UInt64(stored.count)),
      Bytes(entry.pieces == nil ? stored[32..<40] : stored[56..<64]), little(entry.number ?? number),
      entry.previousHash ?? last, little(entry.step), float64(entry.time),
      little(UInt64(entry.archive.count)),
      metadata)
    record += Bytes(repeating: 0, count: fieldsByteCount - 16 - record.count) + index
    record += little(UInt64(byteCount))
    entry.changeRecord(&record)
    return record + hash(record)
  }
}
