import Foundation
import ParticleModel

/// What was asked for in a way that is not understood.
struct UsageError: Error {
  let message: String
}

/// The arguments of the demonstration, and of the processes that it starts.
struct Options {
  /// What a process does; its first argument says so, unless it is the first part of the demonstration.
  enum Task: String {
    /// Kills a run, lets another process go on, and compares.
    case interruption
    /// Simulates and saves.
    case run
    /// Measures how the last state is stored.
    case figures
  }

  static let help = """
    particle-demo [figures] [--particles N] [--steps N] [--snapshot-every N] [--output FOLDER] [--seed N] [--threads N]

    Kills a simulation in the middle of a save, goes on from what was kept, and checks the end. Then, with `figures`
    and the same options, a program built for speed compares the ways to store the last state.

      --particles N       how many particles there are, at least 359 (default: 20,000)
      --steps N           how many steps are made (default: 120)
      --snapshot-every N  how many steps lie between two saves (default: a twelfth of --steps)
      --output FOLDER     where the series goes (default: graphcodable-demo in the temporary folder)
      --seed N            where the random numbers of the first state start (default: 1)
      --threads N         how many cores work, 0 for all; the result does not depend on it (default: 0)
    """

  private(set) var particleCount = 20_000
  private(set) var steps = 120
  private(set) var threadCount = 0
  private(set) var folder = FileManager.default.temporaryDirectory.appendingPathComponent("graphcodable-demo")
  private(set) var seed: UInt64 = 1
  private(set) var task = Task.interruption
  private var givenInterval: Int?

  /// Reads arguments; nil if help is wanted.
  init?(_ arguments: [String]) throws {
    var rest = arguments[...]
    if let task = rest.first.flatMap(Task.init) { (self.task, rest) = (task, rest.dropFirst()) }
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return nil }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let name = parts[0]
      func value() throws -> String {
        if parts.count > 1 { return parts[1] }
        guard let next = rest.popFirst() else { throw UsageError(message: "\(name) needs a value") }
        return next
      }
      func number(_ least: Int) throws -> Int {
        let text = try value()
        guard let number = Int(text), number >= least else {
          throw UsageError(message: "\(name) takes a number of at least \(least), not '\(text)'")
        }
        return number
      }
      switch name {
      case "--particles": particleCount = try number(359)
      case "--steps": steps = try number(2)
      case "--snapshot-every": givenInterval = try number(1)
      case "--threads": threadCount = try number(0)
      case "--seed": seed = UInt64(try number(0))
      case "--output": folder = URL(fileURLWithPath: try value(), isDirectory: true)
      default: throw UsageError(message: "unknown argument '\(argument)'")
      }
    }
    guard interval < steps else {
      throw UsageError(
        message: "--snapshot-every must be smaller than --steps, or there is nothing to go on from")
    }
  }

  var interval: Int { givenInterval ?? max(1, steps / 12) }
  var series: URL { folder.appendingPathComponent("run.gcseries") }
  var parameters: Parameters { Parameters(particleCount: particleCount, seed: seed) }

  /// The arguments of a process that runs the same simulation.
  var runArguments: [String] {
    [
      "run", "--particles", "\(particleCount)", "--steps", "\(steps)", "--snapshot-every", "\(interval)",
      "--seed", "\(seed)", "--threads", "\(threadCount)", "--output", folder.path,
    ]
  }
}
