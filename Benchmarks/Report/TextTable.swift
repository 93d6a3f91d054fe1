/// A table of text with aligned columns.
struct TextTable {
  struct Column {
    var heading: String
    /// A heading over this column and its neighbours of the same group.
    var group = ""
    var isText = false
  }

  private enum Row {
    case cells([String])
    case line(String)
  }

  private let columns: [Column]
  private var rows: [Row] = []
  private let gap = "  "

  init(columns: [Column]) {
    self.columns = columns
  }

  mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has a cell for every column")
    rows.append(.cells(cells))
  }

  /// Appends a line of free text, such as the title of the rows that follow.
  mutating func appendLine(_ text: String) {
    rows.append(.line(text))
  }

  var lines: [String] {
    let widths = columnWidths
    let rule = String(repeating: "─", count: widths.reduce(0, +) + gap.count * (widths.count - 1))
    var lines = [rule]
    if let groups = groupLine(widths) { lines.append(groups) }
    lines.append(line(columns.map(\.heading), widths))
    lines.append(rule)
    for row in rows {
      switch row {
      case .cells(let cells): lines.append(line(cells, widths))
      case .line(let text): lines.append(text)
      }
    }
    lines.append(rule)
    return lines
  }

  private var columnWidths: [Int] {
    var widths = columns.map(\.heading.count)
    for case .cells(let cells) in rows {
      for (index, cell) in cells.enumerated() {
        widths[index] = max(widths[index], cell.count)
      }
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = cells.indices.map { index in
      let padding = String(repeating: " ", count: max(0, widths[index] - cells[index].count))
      return columns[index].isText ? cells[index] + padding : padding + cells[index]
    }
    return trimmed(padded.joined(separator: gap))
  }

  /// The groups' headings, each in the middle of its columns between dashes.
  private func groupLine(_ widths: [Int]) -> String? {
    guard columns.contains(where: { !$0.group.isEmpty }) else { return nil }
    var parts: [String] = []
    var index = 0
    while index < columns.count {
      let group = columns[index].group
      let end = columns[index...].firstIndex { $0.group != group } ?? columns.count
      let width = widths[index..<end].reduce(0, +) + gap.count * (end - index - 1)
      let fill = max(0, width - group.count)
      let mark = group.isEmpty ? " " : "┄"
      parts.append(
        String(repeating: mark, count: fill / 2) + group + String(repeating: mark, count: fill - fill / 2))
      index = end
    }
    return trimmed(parts.joined(separator: gap))
  }

  private func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}
