/// A table of a document, as the texts of its cells.
package struct MarkdownTable {
  package let rows: [[String: String]]

  /// The only table of the document whose first columns have these headings.
  package init(in path: String, headings: [String]) throws {
    var tables: [[[String]]] = [[]]
    for line in try PackageFolder.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("|") {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        tables[tables.count - 1].append(cells.map(\.trimmed))
      } else if !tables[tables.count - 1].isEmpty {
        tables.append([])
      }
    }
    let found = tables.filter { $0.first?.starts(with: headings) == true }
    guard let table = found.first, found.count == 1 else {
      throw DocumentProblem("\(path) has \(found.count) tables with the columns \(headings)")
    }
    rows = table.dropFirst(2).map { cells in
      Dictionary(zip(table[0], cells), uniquingKeysWith: { first, _ in first })
    }
  }

  /// A column of numbers, hexadecimal where they begin with `0x`, and another one.
  package func numbers(_ column: String, with other: String) throws -> [UInt8: String] {
    try rows.reduce(into: [:]) { result, row in
      guard let text = row[column], let value = row[other] else {
        throw DocumentProblem("a row has no \(column), or no \(other)")
      }
      let number = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
      guard let number, result.updateValue(value, forKey: number) == nil else {
        throw DocumentProblem("'\(text)' is no number of a byte, or stands in two rows")
      }
    }
  }
}
