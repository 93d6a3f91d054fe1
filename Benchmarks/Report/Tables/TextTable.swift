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

  /// The widths of the columns, such that all cells and the headings over groups of columns fit.
  private var columnWidths: [Int] {
    var widths = columns.map(\.heading.count)
    for case .cells(let cells) in rows {
      for (index, cell) in cells.enumerated() {
        widths[index] = max(widths[index], cell.count)
      }
    }
    for group in groups {
      let missing = group.heading.count - width(of: group.range, widths)
      for step in 0..<max(0, missing) { widths[group.range.lowerBound + step % group.range.count] += 1 }
    }
    return widths
  }

  /// The runs of neighbouring columns with the same heading over them.
  private var groups: [(heading: String, range: Range<Int>)] {
    var groups: [(heading: String, range: Range<Int>)] = []
    var start = 0
    while start < columns.count {
      let heading = columns[start].group
      let end = columns[start...].firstIndex { $0.group != heading } ?? columns.count
      groups.append((heading, start..<end))
      start = end
    }
    return groups
  }

  private func width(of range: Range<Int>, _ widths: [Int]) -> Int {
    widths[range].reduce(0, +) + gap.count * (range.count - 1)
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
    let parts = groups.map { group in
      let fill = max(0, width(of: group.range, widths) - group.heading.count)
      let mark = group.heading.isEmpty ? " " : "┄"
      return String(repeating: mark, count: fill / 2) + group.heading
        + String(repeating: mark, count: fill - fill / 2)
    }
    return trimmed(parts.joined(separator: gap))
  }

  private func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}
