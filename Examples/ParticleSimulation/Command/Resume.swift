import ArgumentParser
import Foundation
import ParticleModel

/// Goes on from a snapshot.
struct Resume: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Load a snapshot and continue the simulation from it.")

  @Argument(help: "A snapshot, or a folder whose latest snapshot is taken.", completion: .file())
  var snapshot: String

  @Option(help: "How many steps to make.")
  var steps: Int?

  @Option(help: "The step to stop after, instead of --steps.")
  var until: Int?

  @Option(help: "Where to save the state at the end.", completion: .file())
  var save: String?

  @Option(name: .shortAndLong, help: "How many cores to use, 0 for all; the result does not depend on it.")
  var threads = 0

  func validate() throws {
    guard (steps == nil) != (until == nil) else {
      throw ValidationError("Give either --steps or --until.")
    }
    guard threads >= 0, steps ?? 0 >= 0 else {
      throw ValidationError("--steps and --threads must not be negative.")
    }
  }

  func run() throws {
    let (simulation, loading) = try timed { try Snapshots.load(try snapshotURL(snapshot)) }
    if threads > 0 { simulation.threadCount = threads }
    print("Loaded       step \(simulation.stepCount) in \(seconds(loading))")
    let count = steps ?? (until ?? 0) - simulation.stepCount
    guard count >= 0 else {
      throw ValidationError("The snapshot is already at step \(simulation.stepCount).")
    }
    let progress = Progress(total: count, unit: "step")
    var made = 0
    try simulation.run(steps: count) { simulation in
      made += 1
      progress.update(made, state(simulation))
    }
    progress.finish()
    print("Continued    to step \(simulation.stepCount), fingerprint \(hexadecimal(simulation.fingerprint))")
    if let save {
      let stored = try Snapshots.save(simulation, to: URL(fileURLWithPath: save))
      print("Saved        \(stored.url.lastPathComponent), \(megabytes(stored.byteCount))")
    }
  }
}
