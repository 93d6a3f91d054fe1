import GraphCodable

/// Writes an array as lines of columns: a line for each row, or for each element of an array of one dimension.
struct ArrayText {
  private let elements: ArrayElements
  private let separator: String
  private let hasHeader: Bool

  /// - Parameter hasHeader: whether the fields of structs stand in a line above those of the elements.
  init(_ array: GraphRawArrayView, separator: String, hasHeader: Bool) throws {
    elements = try ArrayElements(array)
    self.separator = separator
    self.hasHeader = hasHeader && array.fields.count > 1
  }

  func write(to output: Output) throws {
    if hasHeader {
      // An array without elements may say any length of its rows.
      let rowCount = elements.array.count > 0 ? elements.rowCount : 1
      let names = (0..<rowCount).flatMap { _ in elements.scalars.map { Self.quoted($0.name) } }
      try output.line(names.joined(separator: separator))
    }
    try elements.forEachRow(ArrayElements.text) { _, row in
      try output.line(row.joined().joined(separator: separator))
    }
  }

  /// A name as a field of a line with commas.
  static func quoted(_ name: String) -> String {
    guard name.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return name }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
