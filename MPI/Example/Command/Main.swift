import Foundation
import GraphCodable
import GraphCodableMPI

@main
enum Main {
  static func main() {
    do {
      let arguments = try Arguments([String](CommandLine.arguments.dropFirst()))
      let folders = arguments.folders.map { URL(fileURLWithPath: $0, isDirectory: true) }
      switch arguments.verb {
      case "run": try MPICommunicator.withWorld { try run(arguments, folders[0], on: $0) }
      case "info": try show(GraphArchiveSet(folders[0]))
      default: try compare(GraphArchiveSet(folders[0]), GraphArchiveSet(folders[1]))
      }
    } catch {
      FileHandle.standardError.write(Data("mpi-particles: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments, _ folder: URL, on world: MPICommunicator) throws {
    let isThere = try world.agree {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent("set.gcodable").path)
    }
    let slab =
      try isThere
      ? Slab.load(from: folder, on: world)
      : Slab(world.agree { try Box(particlesPerSide: arguments.particlesPerSide) }, on: world)
    func say(_ text: String) { if world.rank == 0 { print("  \(text)") } }
    say("\(isThere ? "from step \(slab.step)" : "from the start") on \(world.size) ranks")
    let heartbeat = MPIHeartbeat(every: .seconds(2)) { beat in
      guard !beat.missingRanks.isEmpty else { return }
      say("\(beat.writtenCount) of \(beat.partCount) parts written, waiting for ranks \(beat.missingRanks)")
    }
    while slab.step < arguments.stepCount {
      try slab.makeStep(on: world)
      guard slab.step.isMultiple(of: arguments.saveInterval) || slab.step == arguments.stepCount else {
        continue
      }
      let isLast = arguments.kill.map { $0 == (world.rank, slab.step) } ?? false
      try slab.save(
        to: folder, on: world, aggregation: arguments.aggregation,
        progress: isLast ? LastProgress(totalUnitCount: 0) : nil, heartbeat: heartbeat)
      let energy = try slab.energy(on: world)
      say("step \(slab.step) saved, energy \(energy)")
    }
  }

  private static func show(_ set: GraphArchiveSet) throws {
    try set.verify()
    print("step \(set.step) in \(set.partCount) parts, all bytes verified")
  }

  private static func compare(_ one: GraphArchiveSet, _ other: GraphArchiveSet) throws {
    if let name = try Slab.difference(one, other) {
      print("DIFFERENT: \(name)")
      exit(1)
    }
    print("IDENTICAL")
  }
}

/// Kills the process when the first bytes of its part have been written.
private final class LastProgress: Progress, @unchecked Sendable {
  override var completedUnitCount: Int64 {
    get { super.completedUnitCount }
    set { if newValue > 0 { kill(getpid(), SIGKILL) } }
  }
}
