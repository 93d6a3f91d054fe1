import GraphCodable

/// What a series consists of; its properties are the keys in JSON.
struct SeriesInformation: Information {
  let file: String
  let kind: FileKind
  let bytes: UInt64
  /// Behind the last entry.
  let unfinishedBytes: UInt64?
  let entries: [EntryInformation]
  /// What was found damaged while the entries were listed.
  let damage: [Problem]

  init(_ series: some StoredSeries, of file: StoredFile) {
    self.file = file.name
    kind = file.kind
    bytes = file.byteCount
    unfinishedBytes = file.unfinishedByteCount
    entries = series.map { EntryInformation($0) }
    damage = series.damage.map { Problem($0) }
  }

  func write(to output: Output) throws {
    let name = kind == .setSeries ? "series of sets" : "series"
    try output.line("\(file): \(name), \(kind.entryCount(entries.count)), \(grouped(bytes)) bytes")
    var columns = Columns(.right, .right, .right, .right, .right, .left)
    if !entries.isEmpty {
      columns.add("entry", "step", "time", "bytes", kind == .setSeries ? "" : "stored", "metadata")
    }
    for entry in entries {
      columns.add(
        "\(entry.number)", "\(entry.step)", shortest(entry.time), grouped(entry.bytes),
        entry.storedBytes.map(grouped) ?? "", entry.metadataText)
    }
    for line in columns.lines { try output.line(line) }
    for problem in damage { try output.line(problem.text) }
    if let unfinishedBytes { try output.line(unfinishedText(unfinishedBytes, of: kind)) }
  }
}
