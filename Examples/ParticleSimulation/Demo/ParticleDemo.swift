import Foundation
import GraphCodable
import ParticleModel

/// Kills a run in the middle of a save, goes on from what was kept, and compares the ways to store its state.
///
/// Everything that it prints is measured in this run: first what does not depend on how the library is compiled, and
/// then, in another process, the times of optimized code.
@main
enum ParticleDemo {
  static func main() {
    do {
      guard let options = try Options(Array(CommandLine.arguments.dropFirst())) else {
        print(Options.help)
        return
      }
      switch options.task {
      case .interruption: try interrupt(options)
      case .run: try Run(options).run()
      case .figures: try printFigures(options)
      }
    } catch let error as UsageError {
      FileHandle.standardError.write(Data("particle-demo: \(error.message)\nSee --help.\n".utf8))
      exit(EX_USAGE)
    } catch {
      FileHandle.standardError.write(Data("particle-demo: \(error)\n".utf8))
      exit(EXIT_FAILURE)
    }
  }

  private static func interrupt(_ options: Options) throws {
    try FileManager.default.createDirectory(at: options.folder, withIntermediateDirectories: true)

    heading("A run that is killed in the middle of a save")
    let killed = try InterruptedRun(options).interrupt()
    killed.printWhatWasKept()
    guard killed.isIntact else { exit(EXIT_FAILURE) }

    heading("The same run, continued by a new process")
    try InterruptedRun(options).finish()
    print("Continued    from step \(killed.keptSteps.last ?? 0) to step \(options.steps)")
    let continued = try loadLast(options.series)
    let uninterrupted = try Simulation(
      options.parameters, shares: Simulation.mixture(), threadCount: options.threadCount)
    describe(uninterrupted)
    try uninterrupted.run(steps: options.steps)
    let differences = uninterrupted.differences(from: continued)
    guard differences.isEmpty, uninterrupted.fingerprint == continued.fingerprint else {
      print("DIFFERENT    from a run that was never killed: \(differences.joined(separator: ", "))")
      exit(EXIT_FAILURE)
    }
    print(
      "IDENTICAL    to a run that was never killed, bit for bit, fingerprint \(hexadecimal(continued.fingerprint))"
    )
  }

  private static func printFigures(_ options: Options) throws {
    heading("The last state, stored in three ways")
    let (last, loading) = try timed { try loadLast(options.series) }
    print("Loaded       step \(last.stepCount) in \(seconds(loading))")
    try printTable(of: last)

    heading("Energy of \(grouped(last.particles.count)) particles over \(last.stepCount) steps")
    printEnergies(last.energies)
    printNextCommands(options)
  }

  /// The last state of a series.
  private static func loadLast(_ url: URL) throws -> Simulation {
    guard let last = try GraphArchiveSeries(url).last else {
      throw DemoError("there is no entry in \(url.path)")
    }
    return try GraphDecoder().read(Simulation.self, from: last)
  }

  private static func printEnergies(_ log: EnergyLog) {
    let steps = 0..<log.count
    let lines = [
      ("Kinetic", steps.map { log.kinetic[$0] }), ("Potential", steps.map { log.potential[$0] }),
      ("Total", steps.map { log.total(at: $0) }),
    ]
    // All by one scale, so that what one gains is what another loses.
    let length = lines.map { ($0.1.max() ?? 0) - ($0.1.min() ?? 0) }.max() ?? 0
    for (name, values) in lines {
      print("\(name.padded(to: 12)) \(sparkline(values, length: length))")
    }
    print("Conserved    to \(String(format: "%.1e", log.relativeDrift)) of the kinetic energy")
  }

  private static func printNextCommands(_ options: Options) {
    let series = quoted(options.series.path)
    let page = options.folder.appendingPathComponent("run.html").path
    heading("What to try next")
    print("  make tool")
    print("  .build/release/graphcodable view \(series) -o \(quoted(page))")
    print("  .build/release/graphcodable stats \(series) particles.velocities.x")
    print("The second one makes the page of this run: \(page)")
  }

  /// A path as a shell takes it.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || (0x2B...0x3A).contains($0) || $0 == 0x5F
    }
    return isPlain ? path : "'\(path.replacingOccurrences(of: "'", with: #"'\''"#))'"
  }
}

/// What keeps the demonstration from going on.
struct DemoError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
