import GraphCodable

/// What a set consists of; its properties are the keys in JSON.
struct SetInformation: Information {
  let file: String
  let kind: FileKind
  /// The set of a series that it is.
  let entry: EntryInformation?
  let step: Int
  let time: Double
  let metadata: [String: String]?
  /// Of all parts.
  let bytes: UInt64
  let parts: [Part]
  let arrays: [Array]

  struct Part: Encodable {
    let name: String
    /// As the manifest says.
    let bytes: UInt64
  }

  /// An array over several parts.
  struct Array: Encodable {
    let name: String
    let shape: [Int]
    /// How many there are; a part may have several.
    let pieces: Int
    /// Of the elements, or of their fields; absent where the part with the first piece cannot be read.
    let formats: [String]?
  }

  /// - Parameters:
  ///   - file: what is described, as it was given.
  ///   - entry: the set's entry in its series.
  init(_ set: GraphArchiveSet, of file: StoredFile, _ entry: GraphArchiveSetSeries.Entry? = nil) throws {
    self.file = file.name
    kind = .set
    self.entry = entry.map { EntryInformation($0) }
    (step, time, bytes) = (set.step, set.time, set.byteCount)
    metadata = set.metadata.isEmpty ? nil : set.metadata
    let tables = try ManifestTables.of(set, file.name)
    parts = zip(tables.partNames, tables.byteCounts).map { Part(name: $0, bytes: $1) }
    arrays = zip(set.arrays, tables.arrays).map { array, pieces in
      Array(
        name: array.name, shape: array.shape, pieces: pieces.parts.count,
        formats: try? pieces.formats(in: set))
    }
  }

  func write(to output: Output) throws {
    let place = entry.map { ", entry \($0.number)" } ?? ""
    try output.line("\(file)\(place): set, \(count(parts.count, "part", "parts")), \(grouped(bytes)) bytes")
    var columns = Columns(.left, .left)
    columns.add("step", "\(step)")
    columns.add("time", shortest(time))
    if let metadata { columns.add("metadata", metadata.pairsText) }
    for line in columns.lines { try output.line(line) }
    try writeArrays(to: output)
    try output.line("parts")
    columns = Columns(.right, .left)
    for part in parts { columns.add("  \(grouped(part.bytes)) bytes", part.name) }
    for line in columns.lines { try output.line(line) }
  }

  private func writeArrays(to output: Output) throws {
    guard !arrays.isEmpty else { return }
    try output.line("arrays")
    var columns = Columns(.left, .left, .right, .right)
    for array in arrays {
      columns.add(
        "  \(array.name)", array.formats.map(formatText) ?? "",
        array.shape.map(grouped).joined(separator: " × "), count(array.pieces, "piece", "pieces"))
    }
    for line in columns.lines { try output.line(line) }
  }
}

extension ManifestTables.Array {
  /// The format of the elements, which is the same in all pieces; that of each field for structs.
  fileprivate func formats(in set: GraphArchiveSet) throws -> [String]? {
    // The manifest has been read again since it was checked.
    guard let part = parts.first, let pathNumber = pathNumbers.first, paths.indices.contains(pathNumber),
      let path = GraphPath(paths[pathNumber])
    else { return nil }
    return try set.part(part).rawArray(at: path).fields.map(\.format.description)
  }
}
