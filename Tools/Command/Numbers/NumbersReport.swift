import GraphCodable

/// The numbers at a path; its properties are the keys in JSON.
struct NumbersReport: Encodable {
  let file: String
  let entry: Int?
  let path: String
  /// The lengths of the dimensions of an array.
  let shape: [Int]
  let formats: [String]
  let columns: [Column]

  struct Column: Encodable {
    /// Of the field of a struct, with the number of a lane; absent where the elements are single numbers.
    let name: String?
    let count: Int
    /// As text, in which integers of 64 bits are exact; absent where all numbers are NaN.
    let minimum: String?
    let maximum: String?
    let mean: Double?
    let deviation: Double?
    let nan: Int
    let infinite: Int
    /// Absent where there are more than 65,536.
    let distinct: Int?
    /// Absent where there are no finite numbers.
    let histogram: Histogram?
    /// Means of neighbours, as a line of bars.
    let sparkline: String

    init(
      _ column: NumberColumns.Column, _ summary: NumberSummary, _ histogram: NumberHistogram?,
      _ line: Sparkline
    ) {
      name = column.name.isEmpty ? nil : column.name
      (count, nan, infinite) = (summary.count, summary.nanCount, summary.infiniteCount)
      minimum = summary.minimumOrder.map(column.type.text)
      maximum = summary.maximumOrder.map(column.type.text)
      (mean, deviation, distinct) = (summary.mean, summary.deviation, summary.distinctCount)
      self.histogram = histogram.map(Histogram.init)
      sparkline = line.text
    }
  }

  struct Histogram: Encodable {
    let lower: Double
    let upper: Double
    let counts: [Int]
    fileprivate let bounds: [Double]

    private enum CodingKeys: CodingKey { case lower, upper, counts }

    init(_ histogram: NumberHistogram) {
      (lower, upper) = (histogram.range.lowerBound, histogram.range.upperBound)
      counts = histogram.counts
      bounds = (0...counts.count).map(histogram.bound)
    }
  }

  private static let partCount = 12

  /// Reads all numbers, twice: the parts of a histogram depend on their range.
  init(_ snapshot: Snapshot, at path: GraphPath) throws {
    let numbers = try NumberColumns(snapshot.archive(), at: path)
    var summaries = numbers.columns.map { _ in NumberSummary() }
    var lines = numbers.columns.map { _ in Sparkline(count: numbers.count) }
    try numbers.visit { number, place, column in
      summaries[column].add(number)
      lines[column].add(number.value, at: place)
    }
    var histograms = summaries.map { summary in
      summary.finiteRange.map { NumberHistogram($0, partCount: Self.partCount) }
    }
    try numbers.visit { number, _, column in histograms[column]?.add(number.value) }
    (file, entry, self.path) = (snapshot.file, snapshot.number, path.description)
    (shape, formats) = (numbers.shape, numbers.formats)
    columns = numbers.columns.indices.map {
      Column(numbers.columns[$0], summaries[$0], histograms[$0], lines[$0])
    }
  }
}

extension NumbersReport {
  /// The same as text.
  var lines: [String] {
    let title =
      "\(path.isEmpty ? "(root)" : path)  \(formatText(formats))  \(shape.map(grouped).joined(separator: " × "))"
    guard columns.count == 1 else { return [title] + table }
    var facts = Columns(.left, .right)
    for (name, value) in zip(Self.titles, columns[0].cells) { facts.add(name, value) }
    var lines = [title] + facts.lines
    if let histogram = columns[0].histogram { lines += ["histogram"] + histogram.lines }
    if !columns[0].sparkline.isEmpty { lines += ["in order", "  " + columns[0].sparkline] }
    return lines
  }

  static let titles = ["count", "minimum", "maximum", "mean", "deviation", "NaN", "infinite", "distinct"]

  private var table: [String] {
    var table = Columns(.left, .right, .right, .right, .right, .right, .right, .right, .right)
    func add(_ name: String, _ cells: [String]) {
      table.add(name, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7])
    }
    add("", Self.titles)
    for column in columns { add(column.name ?? "", column.cells) }
    return table.lines
  }
}

extension NumbersReport.Column {
  /// In the order of `NumbersReport.titles`.
  var cells: [String] {
    [
      grouped(count), minimum ?? "", maximum ?? "", mean.map(significant) ?? "",
      deviation.map(significant) ?? "", grouped(nan), grouped(infinite),
      distinct.map(grouped) ?? "more than \(grouped(NumberSummary.maximumDistinctCount))",
    ]
  }
}

extension NumbersReport.Histogram {
  private static let width = 40

  fileprivate var lines: [String] {
    let most = max(counts.max() ?? 0, 1)
    var columns = Columns(.right, .left, .right, .right, .left)
    for (part, number) in counts.enumerated() {
      // At least a thin bar for anything.
      let eighths = number == 0 ? 0 : max(1, Int(Double(number) / Double(most) * Double(8 * Self.width)))
      let bar =
        String(repeating: "█", count: eighths / 8)
        + (eighths % 8 > 0 ? String(["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8 - 1]) : "")
      columns.add("  " + significant(bounds[part]), "to", significant(bounds[part + 1]), grouped(number), bar)
    }
    return columns.lines
  }
}
