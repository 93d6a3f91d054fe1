import GraphCodable

/// What a command has made of a series, in JSON.
struct SeriesChange: Encodable {
  let file: String
  let kind: FileKind
  let entries: Int
  let oldEntries: Int
  let bytes: UInt64
  let oldBytes: UInt64
  /// The numbers of the entries that were removed, or left out of a new series.
  var removed: [Int]?

  init<Series: StoredSeries>(_ file: String, _ old: Series, _ new: Series) {
    self.file = shownName(file)
    kind = old is GraphArchiveSetSeries ? .setSeries : .series
    (entries, oldEntries) = (new.count, old.count)
    (bytes, oldBytes) = (new.byteCount, old.byteCount)
  }

  func write(to output: Output, json: Bool) throws {
    if json { return try output.json(self) }
    try output.line(
      "\(file): \(kind.entryCount(entries)) in \(grouped(bytes)) bytes, "
        + "\(grouped(oldEntries)) in \(grouped(oldBytes)) before")
  }
}
