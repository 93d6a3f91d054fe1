import ArgumentParser
import Foundation

/// Saves or loads W4 once, and prints what that took, as JSON.
struct JobCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "job",
    abstract: "Save eight arrays of Double, or load them, once and without any warm-up.",
    discussion: """
      Benchmarks/compare_files.py runs this by turns with other formats, each time in a new process. A save ends when \
      the device has the file.
      """)

  enum Job: String, ExpressibleByArgument, CaseIterable {
    case save, load
    /// The bytes of the arrays and nothing else, for others.
    case raw
  }

  @Argument(help: "save, load, or raw for a file of the arrays' bytes alone.") var job: Job
  @Argument(help: "The archive.", completion: .file()) var file: String
  @Option(help: "The size of all arrays in MB, to save.") var size = 256
  @Flag(help: "Save with LZ4.") var lz4 = false

  mutating func validate() throws {
    guard size > 0 else { throw ValidationError("--size must be positive.") }
  }

  func run() throws {
    let url = URL(fileURLWithPath: file)
    switch job {
    case .save:
      let model = makeModel()
      try report { try (lz4 ? GraphVariant.lz4 : .none).write(model, to: url) }
    case .load:
      var model: FieldSet?
      try report { model = try GraphVariant.none.read(FieldSet.self, from: url) }
      try require(model?.vorticity.isEmpty == false)
    case .raw:
      let bytes = makeModel().arrays.reduce(into: Data()) { data, array in
        array.withUnsafeBytes { data.append(contentsOf: $0) }
      }
      try bytes.write(to: url)
    }
  }

  private func makeModel() -> FieldSet {
    FieldSet.generate(count: size * 1_000_000 / (FieldSet.arrayCount * 8))
  }

  private func report(_ body: () throws -> Void) throws {
    print(String(decoding: try JSONEncoder().encode(JobCost.measure(body)), as: UTF8.self))
  }
}

/// What one run of something took in this process.
private struct JobCost: Encodable {
  var seconds: Double
  /// Of all threads, in the system as well.
  var processorSeconds: Double
  /// The most memory that the process has had so far.
  var peakByteCount: Int

  static func measure(_ body: () throws -> Void) throws -> JobCost {
    let start = spentProcessorSeconds()
    let duration = try ContinuousClock().measure(body)
    return JobCost(
      seconds: duration / .seconds(1), processorSeconds: spentProcessorSeconds() - start,
      peakByteCount: try MemoryProbe.peak())
  }
}
