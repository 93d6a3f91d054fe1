/// GraphCodable's medians, and their ratios to others of the same run: one table for the peers, one for the
/// limits of the machine.
struct RatioTable {
  /// What GraphCodable is compared with in one column.
  struct Column {
    var heading: String
    /// The measurement to compare with, for one of GraphCodable's own.
    var other: (_ own: Operation, _ report: WorkloadReport) -> Measurement?
  }

  /// How a ratio is expressed.
  enum Ratio: String {
    case timesFaster = " × faster than "
    case multiple = " time as a multiple of "
  }

  var ratio: Ratio
  var columns: [Column]
  var rows: [(Operation, Subject)]
  var notes: [String]

  /// The table with its notes for the workloads' main sizes; empty where GraphCodable itself was not measured.
  func lines(_ reports: [WorkloadReport]) -> [String] {
    var table = TextTable(columns: headings)
    var isEmpty = true
    for report in reports where report.isDetailed {
      let rows = rows.compactMap { cells($0, in: report) }
      guard !rows.isEmpty else { continue }
      isEmpty = false
      table.appendLine("\(report.name)  \(report.title)")
      for cells in rows { table.append(cells) }
      if ratio == .timesFaster, !report.remark.isEmpty { table.appendLine("    (\(report.remark))") }
    }
    return isEmpty ? [] : table.lines + notes
  }

  private var headings: [TextTable.Column] {
    [
      .init(heading: "    GraphCodable", isText: true),
      .init(heading: "median ms"),
      .init(heading: "ns per unit"),
      .init(heading: "bytes per unit"),
      .init(heading: "MB"),
    ] + columns.map { .init(heading: $0.heading, group: ratio.rawValue) }
  }

  private func cells(_ row: (operation: Operation, subject: Subject), in report: WorkloadReport) -> [String]?
  {
    guard let own = report.measurement(row.operation, row.subject) else { return nil }
    let variant = row.subject.rawValue.drop { $0 != "." }
    return [
      "    \(row.operation.rawValue)  \(variant)",
      threeDigits(own.milliseconds),
      "\(threeDigits(report.nanosecondsPerUnit(own)))/\(report.unit)",
      threeDigits(report.bytesPerUnit(own)),
      threeDigits(own.megabytes),
    ]
      + columns.map { column in
        threeDigits(
          column.other(row.operation, report).map { other in
            ratio == .timesFaster
              ? other.wholeMedian / own.wholeMedian : own.wholeMedian / other.wholeMedian
          })
      }
  }
}

extension RatioTable {
  static var peers: RatioTable {
    RatioTable(
      ratio: .timesFaster,
      columns: [
        .peer("protobuf", .protobuf),
        .peer("converted", .protobufConverted),
        .peer("JSON", .json),
        .peer("plist", .plist),
        .peer("archiver", .keyedArchiver),
      ],
      rows: [.encode, .decode].flatMap { operation in
        [
          .graphNone, .graphCodable, .graphSmallStack, .graphReused, .graphReusedMacro, .graphStream,
          .graphStreamMacro, .graphStreamMacroAll, .graphLZ4, .graphLZ4OneThread,
          .graphLZ4TwoThreads, .graphLZ4OneThreadTouched, .graphLZ4TwoThreadsTouched, .graphLZ4HC,
          .graphLZ4Rounded, .graphCanonical,
        ].map { (operation, $0) }
      },
      notes: [
        "Medians of the same run; freeing a result is not timed; new coders each time. MB = 10⁶ bytes, as stored.",
        "protobuf: messages that are there already; converted: from and to the types of the model.",
        "archiver: NSKeyedArchiver with 200 elements, by proportion; its time really grows with their square.",
      ])
  }

  static var limits: RatioTable {
    RatioTable(
      ratio: .multiple,
      columns: [
        .peer("by hand", .handPacking),
        .peer("containers", .containers),
        .limit("objects") { $0.isWriting ? .walk : .clone },
        .limit("copy") { _ in .freshCopy },
        .limit("warm copy") { _ in .warmCopy },
        .limit("file") { $0 == .save ? .synchronizedWrite : $0.isWriting ? .write : .read },
        .limit("LZ4") { $0.isWriting ? .compression : .expansion },
        .limit("XXH3") { _ in .hash },
      ],
      rows: [.encode, .decode, .save, .load].flatMap {
        [($0, .graphNone), ($0, .graphCodable), ($0, .graphLZ4)]
      },
      notes: [
        "containers: what a Codable model takes with a coder that does nothing but hand them out, and zeros.",
        "objects: encode, to visit every object; decode, to make the objects again from others. The other limits",
        "work on the bytes of the .none archive: copy (into fresh memory), warm copy, file (encode: write; save:",
        "write and fsync; decode, load: read from the page cache), LZ4 (1 MiB blocks, one core), XXH3.",
      ])
  }
}

extension RatioTable.Column {
  /// Another coder that does the same.
  fileprivate static func peer(_ heading: String, _ subject: Subject) -> Self {
    Self(heading: heading) { operation, report in report.measurement(operation, subject) }
  }

  /// A limit, which depends on the direction.
  fileprivate static func limit(_ heading: String, _ subject: @escaping (Operation) -> Subject) -> Self {
    Self(heading: heading) { operation, report in report.measurement(.limit, subject(operation)) }
  }
}

extension Operation {
  var isWriting: Bool { self == .encode || self == .save }
}
