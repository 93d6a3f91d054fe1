/// How times and sizes per unit change with the size of a workload.
struct GrowthTable {
  let reports: [WorkloadReport]

  /// The table of those that are encoded as graphs; empty where none was measured in two sizes.
  var lines: [String] {
    var table = TextTable(columns: [
      .init(heading: "    size", isText: true),
      .init(heading: "units"),
      .init(heading: "encode", group: " ns, .none "),
      .init(heading: "decode", group: " ns, .none "),
      .init(heading: "encode", group: " ns, .lz4 "),
      .init(heading: "decode", group: " ns, .lz4 "),
      .init(heading: "encode", group: " ns, 512 KiB stack "),
      .init(heading: "decode", group: " ns, 512 KiB stack "),
      .init(heading: ".none", group: " bytes "),
      .init(heading: ".lz4", group: " bytes "),
    ])
    var isEmpty = true
    for (id, sizes) in reportsBySize where sizes[0].measurement(.encode, .graphNone) != nil {
      isEmpty = false
      table.appendLine("\(id)  per \(sizes[0].unit)")
      for report in sizes { table.append(cells(report)) }
    }
    return isEmpty ? [] : table.lines
  }

  /// The workloads with several sizes, the smallest size first.
  var reportsBySize: [(id: String, sizes: [WorkloadReport])] {
    var ids: [String] = []
    for report in reports where !ids.contains(report.id) { ids.append(report.id) }
    return ids.compactMap { id in
      let sizes = reports.filter { $0.id == id }.sorted { $0.size.factor < $1.size.factor }
      return sizes.count > 1 ? (id, sizes) : nil
    }
  }

  private func cells(_ report: WorkloadReport) -> [String] {
    let subjects: [Subject] = [.graphNone, .graphLZ4, .graphSmallStack]
    let times = subjects.flatMap { subject in
      [Operation.encode, .decode].map { operation in
        threeDigits(report.measurement(operation, subject).map(report.nanosecondsPerUnit))
      }
    }
    let sizes = subjects.prefix(2).map { subject in
      threeDigits(report.measurement(.encode, subject).map(report.bytesPerUnit))
    }
    return ["    \(report.name)", grouped(report.unitCount)] + times + sizes
  }
}
