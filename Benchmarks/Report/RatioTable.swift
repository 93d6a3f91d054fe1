/// The table at the end: GraphCodable's medians, and their ratios to the peers and the limits of the same
/// run.
struct RatioTable {
  let reports: [WorkloadReport]

  /// The table with its notes; empty where GraphCodable itself was not measured.
  var lines: [String] {
    guard reports.contains(where: { report in Self.rows.contains { cells($0, in: report) != nil } }) else {
      return []
    }
    var table = TextTable(columns: Self.columns)
    for report in reports {
      let workload = report.workload
      let rows = Self.rows.compactMap { cells($0, in: report) }
      guard !rows.isEmpty else { continue }
      table.appendLine("\(workload.id)  \(workload.title)")
      for cells in rows { table.append(cells) }
      if !workload.remark.isEmpty { table.appendLine("    (\(workload.remark))") }
    }
    return table.lines + Self.notes
  }

  private static let rows: [(Operation, Subject)] = [Operation.encode, .decode, .save, .load].flatMap {
    [($0, Subject.graphNone), ($0, .graphLZ4)]
  }

  private static let columns: [TextTable.Column] = [
    .init(heading: "    GraphCodable", isText: true),
    .init(heading: "median ms"),
    .init(heading: "ns per unit"),
    .init(heading: "MB"),
    .init(heading: "JSON", group: " × faster than "),
    .init(heading: "plist", group: " × faster than "),
    .init(heading: "by hand", group: " time as a multiple of "),
    .init(heading: "copy", group: " time as a multiple of "),
    .init(heading: "warm copy", group: " time as a multiple of "),
    .init(heading: "file", group: " time as a multiple of "),
    .init(heading: "LZ4", group: " time as a multiple of "),
    .init(heading: "XXH3", group: " time as a multiple of "),
  ]

  private func cells(
    _ row: (operation: Operation, subject: Subject), in report: WorkloadReport
  ) -> [String]? {
    guard let own = report.measurement(row.operation, row.subject) else { return nil }

    func timesFaster(than peer: Subject) -> String {
      threeDigits(report.measurement(row.operation, peer).map { $0.wholeMedian / own.wholeMedian })
    }
    func multiple(of limit: Measurement?) -> String {
      threeDigits(limit.map { own.wholeMedian / $0.wholeMedian })
    }
    func multiple(ofLimit limit: Subject) -> String {
      multiple(of: report.measurement(.limit, limit))
    }

    let isWriting = row.operation == .encode || row.operation == .save
    let file: Subject = row.operation == .save ? .synchronizedWrite : isWriting ? .write : .read
    return [
      "    \(row.operation.rawValue)  \(row.subject == .graphNone ? ".none" : ".lz4")",
      threeDigits(own.milliseconds),
      "\(threeDigits(report.nanosecondsPerUnit(own)))/\(report.workload.unit)",
      threeDigits(own.megabytes),
      timesFaster(than: .json),
      timesFaster(than: .plist),
      multiple(of: report.measurement(row.operation, .handPacking)),
      multiple(ofLimit: .freshCopy),
      multiple(ofLimit: .warmCopy),
      multiple(ofLimit: file),
      multiple(ofLimit: isWriting ? .compression : .expansion),
      multiple(ofLimit: .hash),
    ]
  }

  private static let notes = [
    "Medians of the same run; freeing a result is not timed; new coders each time. Limits work on the",
    "bytes of the .none archive: copy (into fresh memory), warm copy, file (encode: write; save: write and",
    "fsync; decode, load: read from the page cache), LZ4 (1 MiB blocks, one core; compress or expand), XXH3.",
    "MB = 10⁶ bytes, as stored.",
  ]
}
