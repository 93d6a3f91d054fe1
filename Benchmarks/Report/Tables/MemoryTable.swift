/// The memory that encoding and decoding take.
struct MemoryTable {
  let measurements: [MemoryMeasurement]

  /// The table with its notes; empty where nothing was measured.
  var lines: [String] {
    guard !measurements.isEmpty else { return [] }
    var table = TextTable(columns: [
      .init(heading: "memory, .none", isText: true),
      .init(heading: "result MB"),
      .init(heading: "beyond it MB"),
      .init(heading: "bytes per unit"),
      .init(heading: "unit", isText: true),
    ])
    for measurement in measurements {
      table.append([
        "\(measurement.workload) \(measurement.operation.rawValue)",
        threeDigits(Double(measurement.resultByteCount) / 1e6),
        threeDigits(Double(measurement.surplusByteCount) / 1e6),
        threeDigits(measurement.surplusPerUnit), measurement.unit,
      ])
    }
    return table.lines + [
      "The peak of a process that does this alone, by the kernel's figures. result: the archive (encode) or the model",
      "(decode, load); beyond it: what is needed on top of the input and the result.",
    ]
  }
}
