import Benchmark
import Foundation

/// Runs cases one after the other through google/swift-benchmark's engine.
struct SuiteRunner {
  var plan: IterationPlan
  var filter: CaseFilter
  /// Told before a case starts, for a line of progress.
  var willRun: (CaseLabel) -> Void

  /// Measures the chosen cases of `workload`.
  func run(_ workload: any Workload) throws -> [Measurement] {
    try workload.cases().filter { filter.includes($0.label) }.map { measuredCase in
      willRun(measuredCase.label)
      do {
        guard let stack = measuredCase.stackByteCount else { return try measure(measuredCase, workload) }
        return try onThread(stackByteCount: stack) { try measure(measuredCase, workload) }
      } catch {
        throw CaseFailure(label: measuredCase.label, cause: error)
      }
    }
  }

  private func measure(_ measuredCase: MeasuredCase, _ workload: any Workload) throws -> Measurement {
    let plan = workload.options.isDetailed ? plan : plan.forGrowth
    let checked = try measuredCase.check()
    defer { measuredCase.release() }
    let suite = BenchmarkSuite(name: measuredCase.label.workload) { $0.register(benchmark: measuredCase) }
    var engine = BenchmarkRunner(suites: [suite], settings: plan.settings(seconds: checked.seconds))
    try engine.run()
    return Measurement(
      label: measuredCase.label, share: measuredCase.share, storedByteCount: checked.storedByteCount,
      nanoseconds: engine.results.flatMap(\.measurements))
  }
}

/// A case that could not be measured, by its name.
struct CaseFailure: LocalizedError {
  let label: CaseLabel
  let cause: any Error

  var errorDescription: String? { "\(label.name): \(cause)" }
}
