/// The library's targets, beside the results of this run.
///
/// The times of most bars are given in P, the median time of swift-protobuf for the messages of W1 in the same
/// run: for encoding its encoding, for decoding its decoding. So they mean the same on every machine.
struct BarTable {
  let reports: [WorkloadReport]
  let memory: [MemoryMeasurement]

  /// One requirement.
  private struct Bar {
    var subject: String
    var measured: Double?
    var limit: Double
    var unit: String
  }

  /// The table; empty where nothing of it was measured.
  var lines: [String] {
    var table = TextTable(columns: [
      .init(heading: "bar", isText: true),
      .init(heading: "measured"),
      .init(heading: "at most"),
      .init(heading: "unit", isText: true),
      .init(heading: "", isText: true),
    ])
    let bars = bars.filter { $0.measured != nil }
    for bar in bars {
      let passes = bar.measured.map { $0 <= bar.limit } ?? false
      table.append([
        bar.subject, threeDigits(bar.measured), threeDigits(bar.limit), bar.unit, passes ? "pass" : "NOT YET",
      ])
    }
    guard !bars.isEmpty else { return [] }
    guard let encode = peer(.encode), let decode = peer(.decode) else { return table.lines }
    return table.lines + [
      "P = protobuf's time for W1's messages in this run: \(threeDigits(encode / 1e6)) ms to encode, "
        + "\(threeDigits(decode / 1e6)) ms to decode."
    ]
  }

  private var bars: [Bar] {
    Self.times.flatMap {
      [timeBar($0.workload, .encode, $0.encode), timeBar($0.workload, .decode, $0.decode)]
    }
      + [Operation.encode, .decode].flatMap(codableBars) + [Operation.encode, .decode].map(messageBar)
      + [messageSizeBar]
      + Self.sizes.map { sizeBar($0.workload, $0.subject, $0.megabytes) } + [compressionBar]
      + [memoryBar("W2", .encode, 60), memoryBar("W2", .decode, 40)]
      + growthBars + largeArrayBars
  }

  // MARK: Times

  private static let times: [(workload: String, encode: Double, decode: Double)] = [
    ("W1", 0.38, 0.28), ("W2", 2.0, 4.0), ("W3", 2.0, 2.2), ("W5", 0.8, 1.2), ("W6", 1.3, 2.4),
  ]

  private func timeBar(_ workload: String, _ operation: Operation, _ limit: Double) -> Bar {
    Bar(
      subject: "\(workload) \(operation.rawValue)",
      measured: ratio(median(workload, operation, .graphNone), peer(operation)), limit: limit, unit: "P")
  }

  private func messageBar(_ operation: Operation) -> Bar {
    let own = reports.first { $0.id == "W9" && $0.isDetailed }
    return Bar(
      subject: "W9 \(operation.rawValue)",
      measured: ratio(
        own?.measurement(operation, .graphNone)?.wholeMedian,
        own?.measurement(operation, .protobuf)?.wholeMedian),
      limit: 3, unit: "times protobuf")
  }

  /// Of models that are `Codable` alone.
  private func codableBars(_ operation: Operation) -> [Bar] {
    func bar(_ own: Subject, _ other: Subject, _ name: String, _ limit: Double) -> Bar {
      Bar(
        subject: "W1 \(operation.rawValue), \(name)",
        measured: ratio(median("W1", operation, own), median("W1", operation, other)), limit: limit,
        unit: "times \(other.rawValue)")
    }
    return [
      bar(.graphCodable, .json, "Codable", 0.2), bar(.graphCodable, .plist, "Codable", 0.2),
      bar(.cyclicJSON, .json, "JSON by CyclicCoding", 3),
    ]
  }

  private var compressionBar: Bar {
    Bar(
      subject: "W1 encode with .lz4",
      measured: ratio(median("W1", .encode, .graphLZ4), median("W1", .encode, .graphNone)), limit: 1.6,
      unit: "times .none")
  }

  // MARK: Sizes

  /// For W2 and W3 the smaller of the sizes that Fory for Swift was measured with; for W4 ratios of 1.55, what Blosc2 has with bit
  /// shuffle and LZ4-HC, and of 2.75.
  private static let sizes: [(workload: String, subject: Subject, megabytes: Double)] = [
    ("W1", .graphNone, 4.3), ("W2", .graphNone, 3.3), ("W3", .graphNone, 2.4),
    ("W4", .graphLZ4HC, 256 / 1.55),
    ("W4", .graphLZ4Rounded, 256 / 2.75),
  ]

  private func sizeBar(_ workload: String, _ subject: Subject, _ megabytes: Double) -> Bar {
    let measured = standard(workload)?.measurement(.encode, subject)?.megabytes
    let variant = subject.rawValue.drop { $0 != "." }
    return Bar(subject: "\(workload) size with \(variant)", measured: measured, limit: megabytes, unit: "MB")
  }

  private var messageSizeBar: Bar {
    let report = reports.first { $0.id == "W9" && $0.isDetailed }
    func byteCount(_ subject: Subject) -> Double? {
      report.flatMap { report in report.measurement(.encode, subject).map(report.bytesPerUnit) }
    }
    let surplus = byteCount(.graphNone).flatMap { own in byteCount(.protobuf).map { own - $0 } }
    return Bar(subject: "W9 size", measured: surplus, limit: 128, unit: "bytes more than protobuf")
  }

  // MARK: Memory

  /// Beyond the archive to encode, beyond the model to decode.
  private func memoryBar(_ workload: String, _ operation: Operation, _ limit: Double) -> Bar {
    let measured = memory.first { $0.workload == workload && $0.operation == operation }
    return Bar(
      subject: "\(workload) \(operation.rawValue) memory", measured: measured?.surplusPerUnit, limit: limit,
      unit: "bytes per \(measured?.unit ?? "object")")
  }

  // MARK: Large arrays

  /// Against the machine's limits for the same bytes.
  private var largeArrayBars: [Bar] {
    func times(_ operation: Operation, _ limit: Subject) -> Double? {
      ratio(median("W4", operation, .graphNone), median("W4", .limit, limit))
    }
    func surplus(_ operation: Operation) -> Double? {
      memory.first { $0.workload == "W4" && $0.operation == operation }.map {
        Double($0.surplusByteCount) / 0x1p20
      }
    }
    return [
      Bar(
        subject: "W4 encode", measured: times(.encode, .freshCopy), limit: 1 / 0.9, unit: "times a fresh copy"
      ),
      Bar(
        subject: "W4 decode", measured: times(.decode, .freshCopy), limit: 1 / 0.9, unit: "times a fresh copy"
      ),
      Bar(
        subject: "W4 save, no fsync",
        measured: ratio(median("W4", .save, .graphNoneUnsynchronized), median("W4", .limit, .write)),
        limit: 1 / 0.85, unit: "times write"),
      Bar(
        subject: "W4 save", measured: times(.save, .synchronizedWrite), limit: 1 / 0.85,
        unit: "times write and fsync"),
      Bar(subject: "W4 load", measured: times(.load, .read), limit: 1 / 0.8, unit: "times read"),
      threadBar(.encode), threadBar(.decode),
      Bar(subject: "W4 save memory", measured: surplus(.save), limit: 64, unit: "MiB beyond the model"),
      Bar(subject: "W4 load memory", measured: surplus(.load), limit: 64, unit: "MiB beyond the model"),
    ]
  }

  /// Two cores must do 1.7 times as much as one.
  private func threadBar(_ operation: Operation) -> Bar {
    Bar(
      subject: "W4 \(operation.rawValue) with .lz4, two threads",
      measured: ratio(
        median("W4", operation, .graphLZ4TwoThreads), median("W4", operation, .graphLZ4OneThread)),
      limit: 1 / 1.7, unit: "times one thread")
  }

  // MARK: Growth

  private var growthBars: [Bar] {
    GrowthTable(reports: reports).reportsBySize.flatMap { id, sizes in
      [Operation.encode, .decode].map { operation in
        let small = sizes.first { $0.size.factor == 0.1 }
        let large = sizes.first { $0.size.factor == 10 }
        func growth(_ operation: Operation, _ subject: Subject) -> Double? {
          guard let small, let large else { return nil }
          return GrowthRatioTable.growth(operation, subject, from: small, to: large)
        }
        let objects = growth(.limit, operation == .encode ? .walk : .clone)
        return Bar(
          subject: "\(id) \(operation.rawValue), 10 against 1/10", measured: growth(operation, .graphNone),
          limit: 1.3,
          unit: "times the time per \(sizes[0].unit)"
            + (objects.map { "; the objects alone: \(threeDigits($0))" } ?? ""))
      }
    }
  }

  // MARK: Measurements

  private func standard(_ workload: String) -> WorkloadReport? {
    reports.first { $0.id == workload && $0.size == .standard }
  }

  private func median(_ workload: String, _ operation: Operation, _ subject: Subject) -> Double? {
    standard(workload)?.measurement(operation, subject)?.wholeMedian
  }

  private func peer(_ operation: Operation) -> Double? {
    median("W1", operation, .protobuf)
  }

  private func ratio(_ own: Double?, _ other: Double?) -> Double? {
    guard let own, let other else { return nil }
    return own / other
  }
}
