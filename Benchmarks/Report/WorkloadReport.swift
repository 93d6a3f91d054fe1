/// One workload and all that was measured on it.
struct WorkloadReport {
  var workload: any Workload
  var measurements: [Measurement]

  func measurement(_ operation: Operation, _ subject: Subject) -> Measurement? {
    measurements.first { $0.label.operation == operation && $0.label.subject == subject }
  }

  /// Nanoseconds per unit of the workload.
  func nanosecondsPerUnit(_ measurement: Measurement) -> Double {
    measurement.wholeMedian / Double(workload.unitCount)
  }

  /// Every measurement with its median, in the order in which they ran.
  var lines: [String] {
    var table = TextTable(columns: [
      .init(heading: "\(workload.id) measurement", isText: true),
      .init(heading: "median ms"),
      .init(heading: "fastest ms"),
      .init(heading: "± %"),
      .init(heading: "runs"),
      .init(heading: "ns/\(workload.unit)"),
      .init(heading: "stored MB"),
      .init(heading: "MB/s"),
    ])
    for measurement in measurements {
      table.append([
        measurement.label.name + (measurement.share < 1 ? " (part)" : ""),
        threeDigits(measurement.milliseconds),
        threeDigits(measurement.nanoseconds.first.map { $0 / 1e6 }),
        threeDigits(measurement.spread * 100),
        String(measurement.nanoseconds.count),
        threeDigits(nanosecondsPerUnit(measurement)),
        threeDigits(measurement.megabytes),
        threeDigits(measurement.megabytes / (measurement.median / 1e9)),
      ])
    }
    return table.lines
  }
}
