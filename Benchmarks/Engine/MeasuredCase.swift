import Benchmark
import Dispatch

/// One measurement as google/swift-benchmark's engine runs it, with a check that the work is done right.
///
/// Its input is prepared and its result is checked before anything is timed, and the result of each iteration
/// is released after its time is taken: freeing a graph is not part of decoding it.
final class MeasuredCase: AnyBenchmark {
  let label: CaseLabel
  /// How much of the workload this case does: less than 1 for a peer that would need too long for all of it.
  let share: Double
  /// The stack of the thread that does the work; `nil` for the main thread.
  let stackByteCount: Int?
  private let prepare: () throws -> Prepared
  private var prepared: Prepared?

  /// The work on a prepared input, once without and any number of times with the engine's clock.
  private struct Prepared {
    let check: () throws -> CheckedRun
    let measure: (inout BenchmarkState) throws -> Void
  }

  /// What the untimed first run found.
  struct CheckedRun {
    /// The size of what was made or read, in bytes.
    let storedByteCount: Int
    /// A first idea of the time that one iteration takes.
    let seconds: Double
  }

  /// - Parameters:
  ///   - stackByteCount: the stack of the thread to run on; `nil` for the main thread.
  ///   - prepare: makes the input; its memory is held only while the case is measured.
  ///   - work: what is timed. Its result is kept until the clock has stopped.
  ///   - check: throws unless the result is right, and returns its stored size in bytes.
  init<Input, Output>(
    _ label: CaseLabel, share: Double = 1, stackByteCount: Int? = nil,
    prepare: @escaping () throws -> Input,
    work: @escaping (Input) throws -> Output, check: @escaping (Input, Output) throws -> Int
  ) {
    self.label = label
    self.share = share
    self.stackByteCount = stackByteCount
    self.prepare = {
      let input = try prepare()
      return Prepared {
        let start = DispatchTime.now()
        let output = try work(input)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        return CheckedRun(storedByteCount: try check(input, output), seconds: seconds)
      } measure: { state in
        state.start()
        let output = try work(input)
        try state.end()
        withExtendedLifetime(output) {}
      }
    }
  }

  /// Prepares the input, does the work once and checks it.
  func check() throws -> CheckedRun {
    let prepared = try self.prepare()
    let run = try prepared.check()
    self.prepared = prepared
    return run
  }

  /// Frees the input.
  func release() {
    prepared = nil
  }

  // MARK: AnyBenchmark

  var name: String { "\(label.operation.rawValue).\(label.subject.rawValue)" }

  var settings: [any BenchmarkSetting] { [] }

  func setUp() {}

  func run(_ state: inout BenchmarkState) throws {
    try prepared?.measure(&state)
  }

  func tearDown() {}
}

/// A result of a benchmark was not what it has to be.
struct WrongResult: Error, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  var description: String { "the result is wrong (checked at \(file):\(line))" }
}

/// Throws unless `condition` holds.
func require(_ condition: Bool, file: StaticString = #fileID, line: UInt = #line) throws {
  guard condition else { throw WrongResult(file: file, line: line) }
}
