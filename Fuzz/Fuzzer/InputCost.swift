import CFuzzer
import FuzzTargets
import Foundation

/// What an input has cost.
struct InputCost {
  /// The most memory that was alive at the same time, beyond what was so before, in bytes.
  let byteCount: Int
  /// Processor time, in nanoseconds.
  let time: Int

  /// The highest so far, of which a new one is reported: what remains of the budget says how far a finding is.
  nonisolated(unsafe) private static var most = InputCost(byteCount: 0, time: 0)

  static func begin() { fuzz_count_allocations() }

  /// Runs the target with an input.
  ///
  /// - Throws: `FuzzTarget.Finding`.
  static func measure(_ input: [UInt8]) throws -> InputCost {
    let (before, start) = (fuzz_begin_peak(), fuzz_processor_time())
    try target.run(input)
    return InputCost(byteCount: Int(fuzz_peak() - before), time: Int(fuzz_processor_time() - start))
  }

  /// Compares with the budget.
  ///
  /// - Throws: `Exceeded`.
  func check(_ input: [UInt8]) throws {
    if byteCount > Self.most.byteCount || time > Self.most.time {
      Self.most = InputCost(
        byteCount: max(byteCount, Self.most.byteCount), time: max(time, Self.most.time))
      let text =
        "cost: at most \(Self.most.byteCount) bytes, \(Self.most.time / 1_000) µs; now \(input.count) bytes took \(self)\n"
      FileHandle.standardError.write(Data(text.utf8))
    }
    guard byteCount <= InputBudget.byteCount(of: input.count) else {
      throw Exceeded(cost: self, count: input.count)
    }
    guard time > InputBudget.time(of: input.count) else { return }
    // What else the machine does may slow one run, but not two.
    let again = try Self.measure(input)
    if again.time > InputBudget.time(of: input.count) { throw Exceeded(cost: again, count: input.count) }
  }

  struct Exceeded: Error, CustomStringConvertible {
    let cost: InputCost
    let count: Int
    var description: String { "\(count) bytes took \(cost), more than InputBudget allows" }
  }
}

extension InputCost: CustomStringConvertible {
  var description: String { "\(byteCount) bytes of memory and \(time / 1_000) µs" }
}
