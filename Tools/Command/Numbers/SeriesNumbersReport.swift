import GraphCodable

/// The numbers at a path in all entries of a series; its properties are the keys in JSON.
struct SeriesNumbersReport: Encodable {
  let file: String
  let path: String
  let entries: [Entry]

  struct Entry: Encodable {
    let number: Int
    let step: Int
    let time: Double
    /// What went wrong where there are no columns.
    let problem: Problem?
    let columns: [NumbersReport.Column]?
  }

  /// An entry that does not have such numbers, or is damaged, does not keep others from being read.
  init(_ series: GraphArchiveSeries, _ file: StoredFile, at path: GraphPath) {
    (self.file, self.path) = (file.name, path.description)
    entries = series.map { entry in
      do {
        let report = try NumbersReport(Snapshot(file, .number(entry.number)), at: path)
        return Entry(
          number: entry.number, step: entry.step, time: entry.time, problem: nil, columns: report.columns)
      } catch {
        // Elements of an unknown format are this program's own finding.
        let problem =
          error as? GCodableError ?? GCodableError(.unsupported, (error as? Failure)?.message ?? "\(error)")
        return Entry(
          number: entry.number, step: entry.step, time: entry.time, problem: Problem(problem, in: entry),
          columns: nil)
      }
    }
  }

  /// The same as text: a line for each entry and column, and the means as a line of bars.
  var lines: [String] {
    var table = Columns(.right, .right, .right, .left, .right, .right, .right, .right, .right, .right)
    table.add("entry", "step", "time", "", "count", "minimum", "maximum", "mean", "deviation", "NaN")
    for entry in entries {
      let place = ("\(entry.number)", "\(entry.step)", shortest(entry.time))
      if let problem = entry.problem {
        table.add(place.0, place.1, place.2, problem.text, "", "", "", "", "", "")
      }
      for column in entry.columns ?? [] {
        let cells = column.cells
        table.add(
          place.0, place.1, place.2, column.name ?? "", cells[0], cells[1], cells[2], cells[3], cells[4],
          cells[5])
      }
    }
    let names = entries.compactMap(\.columns).first?.map { $0.name ?? "" } ?? []
    let means = names.indices.map { index in
      let line = Sparkline(
        entries.map { ($0.columns.flatMap { $0.indices.contains(index) ? $0[index].mean : nil }) })
      return "mean \(names[index])".trimmed + "  " + line.text
    }
    return table.lines + means
  }
}

extension String {
  fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}
