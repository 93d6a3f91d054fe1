import Foundation

/// The results as a file that programs read.
struct JSONReport: Codable {
  struct Result: Codable {
    var name: String
    /// The workload, and its size as a multiple of the standard one.
    var workload: String
    var size: Double
    var operation: Operation
    var subject: Subject
    var medianNanoseconds: Double
    var fastestNanoseconds: Double
    /// Half the distance between the quartiles, as a part of the median.
    var spread: Double
    var iterations: Int
    /// How much of the workload was done; the times are those of that part.
    var share: Double
    var unit: String
    var unitCount: Int
    var nanosecondsPerUnit: Double
    var storedByteCount: Int
    var bytesPerUnit: Double
  }

  var machine: Machine
  var results: [Result]
  var memory: [MemoryMeasurement]

  init(machine: Machine, reports: [WorkloadReport], memory: [MemoryMeasurement]) {
    self.machine = machine
    self.memory = memory
    results = reports.flatMap { report in
      report.measurements.map { Result($0, in: report) }
    }
  }

  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: url, options: .atomic)
  }
}

extension JSONReport.Result {
  init(_ measurement: Measurement, in report: WorkloadReport) {
    name = measurement.label.name
    workload = report.id
    size = report.size.factor
    operation = measurement.label.operation
    subject = measurement.label.subject
    medianNanoseconds = measurement.median
    fastestNanoseconds = measurement.nanoseconds.first ?? 0
    spread = measurement.spread
    iterations = measurement.nanoseconds.count
    share = measurement.share
    unit = report.unit
    unitCount = report.unitCount
    nanosecondsPerUnit = report.nanosecondsPerUnit(measurement)
    storedByteCount = measurement.storedByteCount
    bytesPerUnit = report.bytesPerUnit(measurement)
  }
}
