import GraphCodable

/// What a series consists of; its properties are the keys in JSON.
struct SeriesInformation: Encodable {
  let file: String
  let kind = FileKind.series
  let bytes: UInt64
  /// Behind the last entry.
  let unfinishedBytes: UInt64?
  let entries: [EntryInformation]
  /// What was found damaged while the entries were listed.
  let damage: [Problem]

  init(_ series: GraphArchiveSeries, of file: StoredFile) {
    self.file = file.name
    bytes = file.byteCount
    unfinishedBytes = file.unfinishedByteCount
    entries = series.map { EntryInformation($0) }
    damage = series.damage.map { Problem($0) }
  }

  func write(to output: Output) throws {
    try output.line("\(file): series, \(count(entries.count, "entry", "entries")), \(grouped(bytes)) bytes")
    var columns = Columns(.right, .right, .right, .right, .right, .left)
    if !entries.isEmpty { columns.add("entry", "step", "time", "bytes", "stored", "metadata") }
    for entry in entries {
      columns.add(
        "\(entry.number)", "\(entry.step)", "\(entry.time)", grouped(entry.bytes),
        grouped(entry.storedBytes), entry.metadataText)
    }
    for line in columns.lines { try output.line(line) }
    for problem in damage { try output.line(problem.text) }
    if let unfinishedBytes { try output.line(unfinishedText(unfinishedBytes)) }
  }

  private enum CodingKeys: CodingKey { case file, kind, bytes, unfinishedBytes, entries, damage }
}
