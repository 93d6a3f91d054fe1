import GraphCodable

/// Writes values of any kind, a line for each: single ones as they are, others as JSON.
struct ValueText {
  private let archive: GraphArchive

  init(_ archive: GraphArchive) { self.archive = archive }

  func write(_ path: GraphPath, to output: Output) throws {
    try ValuePaths(archive).forEach(path) { path in
      try output.line(text(at: path))
    }
  }

  /// The text of a single value; that of another one as JSON.
  private func text(at path: GraphPath) throws -> String {
    let item = try archive.item(at: path)
    if item.kind == .string { return try archive.decode(String.self, at: path) }
    if item.isWrapper, let step = try archive.items(at: path, in: 0..<1).first?.step {
      return try text(at: path.appending(step))
    }
    if item.count == nil, item.objectNumber == nil { return item.text ?? "nil" }
    var json = ValueJSON(archive)
    return try json.text(at: path)
  }

  // MARK: Tables

  /// Writes a line for each value: its fields with commas between them, under their names.
  func writeTable(_ path: GraphPath, to output: Output) throws {
    var names: [String]?
    try ValuePaths(archive).forEach(path) { path in
      let item = try archive.item(at: path)
      guard item.kind == .record, !item.isWrapper else {
        guard item.count == nil || item.isWrapper else { throw Self.isNoTable(path) }
        return try output.line(ArrayText.quoted(text(at: path)))
      }
      let fields = try archive.items(at: path, in: 0..<4096)
      let found = fields.map { field in
        if case .key(let key)? = field.step {
          key
        } else {
          field.step.map { GraphPath([$0]).description } ?? ""
        }
      }
      if names == nil { try output.line(found.map(ArrayText.quoted).joined(separator: ",")) }
      guard names ?? found == found else { throw Self.isNoTable(path) }
      names = found
      let cells = try fields.map { field in
        guard let step = field.step, field.count == nil || field.isWrapper else { throw Self.isNoTable(path) }
        return ArrayText.quoted(try text(at: path.appending(step)))
      }
      try output.line(cells.joined(separator: ","))
    }
  }

  private static func isNoTable(_ path: GraphPath) -> Failure {
    Failure("the value at \(path) is no row of a table: see --format json", status: .validationFailure)
  }
}
