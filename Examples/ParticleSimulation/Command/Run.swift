import ArgumentParser
import Foundation
import ParticleModel

/// Simulates, saves, and lets a second process prove that a saved state goes on as if nothing had happened.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Simulate, save snapshots, resume the last one in a new process and compare.")

  @Option(name: .shortAndLong, help: "How many particles there are, at least 359.")
  var particles = 200_000

  @Option(name: .shortAndLong, help: "How many steps to make.")
  var steps = 300

  @Option(help: "How many steps lie between two snapshots (default: a sixth of --steps).")
  var snapshotEvery: Int?

  @Option(help: "How many of the latest snapshots stay on disk, 0 for all of them.")
  var keep = 2

  @Option(
    name: .shortAndLong, help: "The folder for the snapshots (default: one in the temporary folder).",
    completion: .directory)
  var output: String?

  @Option(help: "Where the random numbers for the first state start.")
  var seed: UInt64 = 1

  @Option(help: "The length of a step in reduced units.")
  var timeStep = 0.004

  @Option(name: .shortAndLong, help: "How many cores to use, 0 for all; the result does not depend on it.")
  var threads = 0

  func validate() throws {
    guard steps >= 2 else { throw ValidationError("--steps must be at least 2.") }
    guard interval >= 1 else { throw ValidationError("--snapshot-every must be at least 1.") }
    guard interval < steps else {
      throw ValidationError("--snapshot-every must be smaller than --steps, or there is nothing to resume.")
    }
    guard keep >= 0, threads >= 0 else {
      throw ValidationError("--keep and --threads must not be negative.")
    }
  }

  func run() throws {
    let clock = ContinuousClock()
    let start = clock.now
    let parameters = Parameters(particleCount: particles, timeStep: timeStep, seed: seed)
    let simulation = try Simulation(parameters, shares: Simulation.mixture(), threadCount: threads)
    describe(simulation)

    let snapshots = try Snapshots(folder: folder, keepCount: keep)
    try snapshots.removeAll()
    let traffic = try simulate(simulation, saving: snapshots)
    guard let last = snapshots.series.last?.url else {
      throw CommandFailure("There is no snapshot to resume.")
    }

    let continuedFile = folder.appendingPathComponent("continued.gcodable")
    try resumeInNewProcess(last, result: continuedFile)
    let (continued, loading) = try timed { try Snapshots.load(continuedFile) }

    let rawByteCount = try rawSize(simulation)
    print("")
    printTraffic(rawByteCount: rawByteCount, saved: traffic, loading: loading)
    print("Series       \(snapshots.series.count) of \(traffic.count) snapshots kept in \(folder.path)")
    try printComparison(continued, simulation)
    print("Time         \(seconds(clock.now - start)) in all")
  }

  private var interval: Int { snapshotEvery ?? max(1, steps / 6) }

  private var folder: URL {
    if let output { return URL(fileURLWithPath: output, isDirectory: true) }
    return FileManager.default.temporaryDirectory.appendingPathComponent("particle-simulation")
  }

  /// Makes all steps, and saves the first state and a snapshot every few steps, except at the very end.
  private func simulate(_ simulation: Simulation, saving snapshots: Snapshots) throws -> [StoredSnapshot] {
    var saved = [try snapshots.save(simulation)]
    let progress = Progress(total: steps, unit: "step")
    try simulation.run(steps: steps) { simulation in
      progress.update(simulation.stepCount, state(simulation))
      guard simulation.stepCount % interval == 0, simulation.stepCount < steps else { return }
      let stored = try snapshots.save(simulation)
      saved.append(stored)
      progress.note(
        "saved step \(simulation.stepCount), \(megabytes(stored.byteCount)) in \(seconds(stored.duration))"
      )
    }
    progress.finish()
    return saved
  }

  /// Starts this program again, with nothing of the present state but the name of a file.
  private func resumeInNewProcess(_ snapshot: URL, result: URL) throws {
    print("\nA new process goes on from \(snapshot.lastPathComponent), the last snapshot of the series:")
    // What is still in the buffer would otherwise appear after the output of the new process.
    fflush(nil)
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [
      "resume", snapshot.path, "--until", String(steps), "--save", result.path, "--threads", String(threads),
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      throw CommandFailure("The new process failed with status \(process.terminationStatus).")
    }
  }

  private func printTraffic(rawByteCount: Int, saved: [StoredSnapshot], loading: Duration) {
    guard let stored = saved.last else { return }
    let durations = saved.map(\.duration).sorted()
    let saving = durations[durations.count / 2]
    let ratio = Double(rawByteCount) / Double(stored.byteCount)
    print("Raw size     \(megabytes(rawByteCount)) a snapshot")
    print("Stored size  \(megabytes(stored.byteCount)), ratio \(decimal(ratio, 2))")
    print("In           \(rate(rawByteCount, saving)) (\(seconds(saving)): encode, compress, write, sync)")
    print("Out          \(rate(rawByteCount, loading)) (\(seconds(loading)): read, check, expand, decode)")
  }
}
