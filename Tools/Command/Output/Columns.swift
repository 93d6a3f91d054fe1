import Foundation

/// Lines of cells, each column as wide as its widest cell, and all together no wider than the terminal.
struct Columns {
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private let maximumWidth: Int?
  private var rows: [[String]] = []

  /// Columns that are cut are not cut further.
  private static let minimumCutWidth = 8
  private static let gap = 2

  /// - Parameter maximumWidth: how many characters a line may have; by default those of the terminal, and any number where the
  ///   output goes elsewhere.
  init(_ alignments: Alignment..., maximumWidth: Int? = Self.terminalWidth) {
    (self.alignments, self.maximumWidth) = (alignments, maximumWidth)
  }

  /// The width of the terminal that standard output is; nil if it is none.
  static let terminalWidth: Int? = {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    if let set = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init), set > 0 { return set }
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }()

  /// Adds a line, with a cell for each column.
  mutating func add(_ cells: String...) { rows.append(cells.map(\.visible)) }

  /// The lines, without space at their ends; columns that are empty take no space.
  var lines: [String] { styledLines([]).map { $0.parts.map(\.text).joined() } }

  /// The same, with the cells of each column in a style of its own.
  func styledLines(_ styles: [Style]) -> [StyledLine] {
    let widths = fittingWidths
    return rows.map { row in
      var (line, spaceCount) = (StyledLine(), 0)
      for column in row.indices where widths[column] > 0 {
        let whole = Self.cut(row[column], to: widths[column])
        let cell =
          whole.last == " " ? String(whole[...(whole.lastIndex { $0 != " " } ?? whole.startIndex)]) : whole
        let isLeft = alignments[column] == .left
        let padding = widths[column] - whole.count
        if !isLeft { spaceCount += padding }
        // Space is added in front of what follows it, and so never at the end.
        if !cell.isEmpty, cell != " " {
          line.add(String(repeating: " ", count: spaceCount))
          line.add(cell, column < styles.count ? styles[column] : .plain)
          spaceCount = whole.count - cell.count
        } else {
          spaceCount += whole.count
        }
        spaceCount += Self.gap + (isLeft ? padding : 0)
      }
      return line
    }
  }

  /// The widths of the columns: where they are too wide together, those of the widest texts are less, and never those of numbers.
  private var fittingWidths: [Int] {
    var widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    guard let maximumWidth else { return widths }
    func excess() -> Int {
      let shown = widths.filter { $0 > 0 }
      return shown.reduce(0, +) + Self.gap * max(0, shown.count - 1) - maximumWidth
    }
    while excess() > 0 {
      let texts = widths.indices.filter { alignments[$0] == .left && widths[$0] > Self.minimumCutWidth }
      guard let widest = texts.max(by: { widths[$0] < widths[$1] }) else { break }
      let next = texts.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
      // Down to the next one, which takes part from there on.
      widths[widest] -= max(1, min(excess(), widths[widest] - max(next, Self.minimumCutWidth)))
    }
    return widths
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count > width ? text.prefix(max(0, width - 1)) + "…" : text
  }
}
