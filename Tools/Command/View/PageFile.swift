import GraphCodable

/// What a page shows of a file; its properties are the keys in JSON.
struct PageFile: Encodable {
  let file: String
  let kind: FileKind
  let bytes: UInt64
  let unfinishedBytes: UInt64?
  /// Those of a series, or some of them in the same distance.
  private(set) var entries: [EntryInformation]?
  private(set) var entryCount: Int?
  private(set) var set: SetInformation?
  private(set) var archives: [PageArchive] = []
  private(set) var steps: PageSteps?
  /// Absent where checksums were not compared, because the file is large or on a server.
  private(set) var finding: Finding?

  private static let entryLimit = 2_000
  private static let partLimit = 4
  private static let numberLimit = 8
  /// A larger file is not read as a whole.
  private static let checkedByteLimit: UInt64 = 64 << 20

  init(_ name: String, _ choice: EntryChoice?) throws {
    let stored = try StoredFile(name)
    (file, kind, bytes) = (stored.name, stored.kind, stored.byteCount)
    unfinishedBytes = stored.unfinishedByteCount
    switch stored.content {
    case .archive, .messages: archives = [try PageArchive(Snapshot(stored, choice), label: "")]
    case .series(let series):
      list(series)
      guard !series.isEmpty else { break }
      try add(try (choice ?? .last).entry(of: series), of: series, stored)
    case .set(let set):
      guard choice == nil else { throw stored.hasNoEntries }
      try add(set, of: stored)
    case .setSeries(let series):
      list(series)
      guard !series.isEmpty else { break }
      let entry = try (choice ?? .last).entry(of: series)
      try add(GraphArchiveSet(entry), of: stored, entry)
    }
    if stored.byteCount <= Self.checkedByteLimit, !isAddress(name) {
      finding = try Verification(name, nil, stored).finding()
    }
  }

  private mutating func list(_ series: some StoredSeries) {
    entryCount = series.count
    let apart = max(1, (series.count + Self.entryLimit - 1) / Self.entryLimit)
    entries = series.enumerated().filter { $0.offset % apart == 0 }.map { EntryInformation($0.element) }
  }

  private mutating func add(
    _ entry: GraphArchiveSeries.Entry, of series: GraphArchiveSeries, _ stored: StoredFile
  ) throws {
    // Another one where that of the choice is damaged: the page is to show what there is.
    for entry in [entry] + series.reversed().prefix(8) {
      let snapshot = try Snapshot(stored, .number(entry.number))
      guard let archive = try? PageArchive(snapshot, label: "entry \(entry.number)") else { continue }
      archives = [archive]
      let numberPaths = archive.tree.values.filter { $0.parent == 0 && Double($0.text ?? "") != nil }
        .compactMap { GraphPath($0.step) }
      steps = PageSteps(
        series, archive.shownPaths, vectors: archive.vectors,
        numberPaths: Array(numberPaths.prefix(Self.numberLimit)))
      return
    }
  }

  private mutating func add(
    _ set: GraphArchiveSet, of stored: StoredFile, _ entry: GraphArchiveSetSeries.Entry? = nil
  ) throws {
    self.set = try SetInformation(set, of: stored, entry)
    archives = (0..<min(set.partCount, Self.partLimit)).compactMap { part in
      let url = set.partURL(part)
      guard let file = try? StoredFile(url.path), let snapshot = try? Snapshot(file, nil) else { return nil }
      return try? PageArchive(snapshot, label: url.lastPathComponent)
    }
  }
}
