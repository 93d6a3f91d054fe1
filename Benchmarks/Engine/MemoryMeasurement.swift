import Foundation

/// The memory that one operation took beyond what it started from and what came of it.
struct MemoryMeasurement: Codable {
  /// With its size.
  var workload: String
  var operation: Operation
  /// The size of the result: the archive, or the model in memory; nothing for a file.
  var resultByteCount: Int
  /// The peak of memory beyond the input and the result.
  var surplusByteCount: Int
  var unit: String
  var unitCount: Int

  var surplusPerUnit: Double { Double(surplusByteCount) / Double(unitCount) }

  /// Runs this program again to do `operation` alone, in a process whose memory holds nothing else.
  static func measure(_ operation: Operation, of workload: any GraphWorkload) throws -> MemoryMeasurement {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    process.arguments = [
      "memory", type(of: workload).id, operation.rawValue, "--size", "\(workload.options.size.factor)",
      "--scratch", workload.options.scratchFolder.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try JSONDecoder().decode(MemoryMeasurement.self, from: data)
  }
}

extension GraphWorkload {
  /// Does `operation` once, without compression, and finds what memory it takes.
  ///
  /// The memory in use before must be that of the model, or of the archive; so nothing but a run of the smallest
  /// model, for what happens once per program, comes before.
  func memory(_ operation: Operation) throws -> MemoryMeasurement {
    var smallest = options
    smallest.size = WorkloadSize(factor: 1e-9)
    _ = try Self(smallest).memoryUse(operation)
    let use = try memoryUse(operation)
    return MemoryMeasurement(
      workload: name, operation: operation, resultByteCount: use.result, surplusByteCount: use.surplus,
      unit: unit, unitCount: unitCount)
  }

  private func memoryUse(_ operation: Operation) throws -> (result: Int, surplus: Int) {
    switch operation {
    case .encode:
      let model = try generate()
      let start = try MemoryProbe.begin()
      let bytes = try GraphVariant.none.encode(model)
      let peak = try MemoryProbe.peak()
      return withExtendedLifetime(model) { (bytes.count, peak - start - bytes.count) }
    case .decode:
      let bytes = try GraphVariant.none.encode(generate())
      return try readingUse { try GraphVariant.none.decode(Model.self, from: bytes) }
    case .save:
      let model = try generate()
      let file = ScratchFile(in: options.scratchFolder)
      let start = try MemoryProbe.begin()
      try GraphVariant.none.write(model, to: file.url)
      let peak = try MemoryProbe.peak()
      return withExtendedLifetime(model) { (0, peak - start) }
    case .load:
      let file = ScratchFile(in: options.scratchFolder)
      try GraphVariant.none.write(generate(), to: file.url)
      return try readingUse { try GraphVariant.none.read(Model.self, from: file.url) }
    case .limit:
      return (0, 0)
    }
  }

  private func readingUse(_ read: () throws -> Model) throws -> (result: Int, surplus: Int) {
    let start = try MemoryProbe.begin()
    let model = try read()
    let peak = try MemoryProbe.peak()
    let end = try MemoryProbe.settled()
    return withExtendedLifetime(model) { (end - start, peak - end) }
  }
}
