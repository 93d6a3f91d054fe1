/// What a workload was, and all that was measured on it.
struct WorkloadReport {
  var id: String
  var subject: String
  var name: String
  var size: WorkloadSize
  var isDetailed: Bool
  var title: String
  var unit: String
  var unitCount: Int
  var remark: String
  var measurements: [Measurement]

  /// Takes the description of `workload` as it is now: some titles are complete only once the model is made.
  init(workload: any Workload, measurements: [Measurement]) {
    id = type(of: workload).id
    subject = type(of: workload).subject
    name = workload.name
    size = workload.options.size
    isDetailed = workload.options.isDetailed
    title = workload.title
    unit = workload.unit
    unitCount = workload.unitCount
    remark = workload.remark
    self.measurements = measurements
  }

  func measurement(_ operation: Operation, _ subject: Subject) -> Measurement? {
    measurements.first { $0.label.operation == operation && $0.label.subject == subject }
  }

  /// Nanoseconds per unit of the workload.
  func nanosecondsPerUnit(_ measurement: Measurement) -> Double {
    measurement.wholeMedian / Double(unitCount)
  }

  /// Stored bytes per unit of the workload.
  func bytesPerUnit(_ measurement: Measurement) -> Double {
    Double(measurement.storedByteCount) / (Double(unitCount) * measurement.share)
  }

  /// Every measurement with its median, in the order in which they ran.
  var lines: [String] {
    var table = TextTable(columns: [
      .init(heading: "\(name) measurement", isText: true),
      .init(heading: "median ms"),
      .init(heading: "fastest ms"),
      .init(heading: "± %"),
      .init(heading: "runs"),
      .init(heading: "ns/\(unit)"),
      .init(heading: "stored MB"),
      .init(heading: "MB/s"),
    ])
    for measurement in measurements {
      let hasBytes = measurement.storedByteCount > 0
      table.append([
        measurement.label.name + (measurement.share < 1 ? " (part)" : ""),
        threeDigits(measurement.milliseconds),
        threeDigits(measurement.nanoseconds.first.map { $0 / 1e6 }),
        threeDigits(measurement.spread * 100),
        String(measurement.nanoseconds.count),
        threeDigits(nanosecondsPerUnit(measurement)),
        threeDigits(hasBytes ? measurement.megabytes : nil),
        threeDigits(hasBytes ? measurement.megabytes / (measurement.median / 1e9) : nil),
      ])
    }
    return table.lines
  }
}
