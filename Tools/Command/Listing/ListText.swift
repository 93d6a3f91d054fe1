import GraphCodable

/// Prints a listing: a line for each value, indented below the one that it is a part of.
struct ListText: ListVisitor {
  private let output: Output
  /// Of the lists that are open, the lines that are still to come, the next one last.
  private var lines: [[StyledLine]] = []

  private let cases: CaseText

  init(_ archive: GraphArchive, _ output: Output) { (cases, self.output) = (CaseText(archive), output) }

  mutating func visit(
    _ item: GraphArchive.Item, at path: GraphPath, depth: Int, _ parts: ListedParts
  ) throws {
    // The value that was asked for needs no line where its parts have theirs.
    if depth > 0 {
      var line = lines[lines.count - 1].removeLast()
      if case .listedAbove = parts { line.add("  (listed above)", .faint) }
      try output.line(line)
    } else if parts.list == nil {
      try output.line(lines(of: [(item, path)], indent: "").first ?? StyledLine())
    }
    guard let list = parts.list else { return }
    let indent = Self.indent(list)
    let items = list.items.map { ($0, $0.step.map(list.path.appending) ?? list.path) }
    lines.append(try lines(of: items, indent: indent).reversed())
    if list.leftOutBefore > 0 {
      try output.line("\(indent)… \(grouped(list.leftOutBefore)) before, not listed: see --from", .faint)
    }
  }

  mutating func end(_ list: Listing.List) throws {
    lines.removeLast()
    guard list.leftOutBehind > 0 else { return }
    try output.line(
      "\(Self.indent(list))… \(grouped(list.leftOutBehind)) more, not listed: see --limit", .faint)
  }

  private static func indent(_ list: Listing.List) -> String {
    String(repeating: "  ", count: list.depth - 1)
  }

  private func lines(of items: [(GraphArchive.Item, GraphPath)], indent: String) throws -> [StyledLine] {
    var columns = Columns(.left, .left, .right, .right, .left)
    for (item, path) in items {
      try columns.add(
        indent + item.name, item.typeText, item.countText,
        item.byteCount.map { "\(grouped($0)) bytes" } ?? "",
        [cases.text(item, at: path) ?? item.valueText, item.attributes.description]
          .filter { !$0.isEmpty }.joined(separator: "  "))
    }
    return columns.styledLines([.strong, .plain, .faint, .faint, .value])
  }
}

extension GraphArchive.Item {
  /// The step that leads to it, with the text of its key if that is another.
  fileprivate var name: String {
    let step = step.map { GraphPath([$0]).description } ?? "(root)"
    return keyText.map { "\(step) (\($0))" } ?? step
  }

  /// Its class, or its kind, and the number of the object.
  fileprivate var typeText: String {
    let formats = packedFormats.map(\.description)
    let type =
      switch kind {
      case _ where className != nil: className ?? ""
      case .packed: "array of \(formats.joined())"
      case .nestedPacked where shape.count == 1 && holdsStrings: "array of string"
      case .packedOptionals: "array of optional \(formatText(formats))"
      case .nestedPacked: "nested array of \(formatText(formats))"
      case .packedStructs: "array of (\(formats.joined(separator: ", ")))"
      case .fixed: formats.first ?? kind.description
      default: kind.description
      }
    return objectNumber.map { "\(type) #\($0)" } ?? type
  }

  fileprivate var countText: String {
    guard let number = count else { return "" }
    if shape.count > 1 { return shape.map { $0.map(grouped) ?? "…" }.joined(separator: " × ") }
    return switch kind {
    case .record: GraphCodableTool.count(number, "field", "fields")
    case .dictionary: GraphCodableTool.count(number, "pair", "pairs")
    default: GraphCodableTool.count(number, "element", "elements")
    }
  }

  fileprivate var valueText: String {
    switch kind {
    case .null, .absent, .conditional: ""
    default: text ?? bulkSegment.map { "in segment bulk \($0)" } ?? ""
    }
  }
}
