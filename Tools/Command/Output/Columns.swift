/// Lines of cells, each column as wide as its widest cell.
struct Columns {
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  init(_ alignments: Alignment...) { self.alignments = alignments }

  /// Adds a line, with a cell for each column.
  mutating func add(_ cells: String...) { rows.append(cells.map(\.visible)) }

  /// The lines, without space at their ends; columns that are empty take no space.
  var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.filter { widths[$0] > 0 }.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return alignments[column] == .left ? row[column] + padding : padding + row[column]
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
