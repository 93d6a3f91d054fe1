import Foundation
import GraphCodable
import Simulation

/// Sets for the tests.
extension Folder {
  /// A set, each of whose parts has a piece of two arrays.
  @discardableResult
  func set(_ name: String = "checkpoint", partCount: Int = 3, step: Int = 100) throws -> GraphArchiveSet {
    try write(to: GraphArchiveSet.Writer(file(name)), partCount, step)
    return try GraphArchiveSet(file(name))
  }

  /// A series of sets, of which all but the first one have its part 0.
  @discardableResult
  func setSeries(
    _ name: String = "checkpoints", setCount: Int = 3, partCount: Int = 2
  ) throws -> GraphArchiveSetSeries {
    let writer = try GraphArchiveSetSeries.Writer(file(name))
    for number in 0..<setCount {
      let first = try writer.series.first.map { try GraphArchiveSet($0) }
      try write(to: writer.begin(), partCount, 100 * number, reusing: first)
    }
    return writer.series
  }

  /// Writes the parts of a set, and commits it.
  private func write(
    to writer: GraphArchiveSet.Writer, _ partCount: Int, _ step: Int, reusing first: GraphArchiveSet? = nil
  ) throws {
    let receipts = try (0..<partCount).map { number in
      let part = try writer.part(number, of: partCount)
      if number == 0, let first { return try part.reuse(from: first) }
      return try part.write(
        Simulation.State(),
        arrays: ["positions", "velocities"].map {
          GraphArchiveSet.ArrayPart($0, globalShape: [10_000 * partCount], offset: [10_000 * number])
        })
    }
    try writer.commit(
      receipts, step: step, time: Double(step) / 200, metadata: ["ranks": "\(partCount)"])
  }

  /// The name of a part of a set.
  func part(_ number: Int, of name: String) throws -> String {
    try "\(name)/\(GraphArchiveSet(file(name)).partURL(number).lastPathComponent)"
  }

  /// The folder of a set in a series.
  static func set(_ number: Int, of series: String = "checkpoints") -> String {
    let digits = String(number)
    return "\(series)/set-\(String(repeating: "0", count: 12 - digits.count))\(digits)"
  }
}
