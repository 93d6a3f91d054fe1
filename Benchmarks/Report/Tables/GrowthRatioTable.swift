/// How much longer a unit takes in a workload of ten times the size than in one of a tenth, for GraphCodable and for
/// what does next to nothing with the same model.
struct GrowthRatioTable {
  let reports: [WorkloadReport]

  private struct Column {
    var heading: String
    /// The coders compared for encoding and for decoding.
    var subject: (Operation) -> (Operation, Subject)
  }

  private static var columns: [Column] {
    [
      Column(heading: "GraphCodable") { ($0, .graphNone) },
      Column(heading: "by hand") { ($0, .handPacking) },
      Column(heading: "objects") { (.limit, $0.isWriting ? .walk : .clone) },
      Column(heading: "copy") { _ in (.limit, .freshCopy) },
      Column(heading: "protobuf") { ($0, .protobuf) },
      Column(heading: "JSON") { ($0, .json) },
      Column(heading: "plist") { ($0, .plist) },
    ]
  }

  /// The table; empty where no workload was measured in both sizes.
  var lines: [String] {
    let first = TextTable.Column(heading: "    10 against 1/10", isText: true)
    let others = Self.columns.map {
      TextTable.Column(heading: $0.heading, group: " times the time per unit ")
    }
    var table = TextTable(columns: [first] + others)
    var isEmpty = true
    for (id, sizes) in GrowthTable(reports: reports).reportsBySize {
      guard let small = sizes.first(where: { $0.size.factor == 0.1 }),
        let large = sizes.first(where: { $0.size.factor == 10 })
      else { continue }
      isEmpty = false
      for operation in [Operation.encode, .decode] {
        table.append(
          ["    \(id) \(operation.rawValue)"]
            + Self.columns.map { column in
              let (operation, subject) = column.subject(operation)
              return threeDigits(Self.growth(operation, subject, from: small, to: large))
            })
      }
    }
    return isEmpty
      ? []
      : table.lines + [
        "by hand: W1 packed by hand; objects: visited once, or made again from others; copy: of the archive.",
        "Those who do only a part of the large model, because it takes them too long, have no figure.",
      ]
  }

  /// The time per unit in `large` by that in `small`; nil where one was not measured, or only a share of it.
  static func growth(
    _ operation: Operation, _ subject: Subject, from small: WorkloadReport, to large: WorkloadReport
  ) -> Double? {
    guard let before = small.measurement(operation, subject), before.share == 1,
      let after = large.measurement(operation, subject), after.share == 1
    else { return nil }
    return large.nanosecondsPerUnit(after) / small.nanosecondsPerUnit(before)
  }
}
