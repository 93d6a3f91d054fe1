import ArgumentParser
import Foundation
import ParticleModel

/// Describes a snapshot.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Describe the state in a snapshot.")

  @Argument(help: "A snapshot, or a folder whose latest snapshot is taken.", completion: .file())
  var snapshot: String

  func run() throws {
    let url = try snapshotURL(snapshot)
    let (simulation, loading) = try timed { try Snapshots.load(url) }
    print("Snapshot     \(url.lastPathComponent), loaded in \(seconds(loading))")
    describe(simulation)
    print("State        step \(simulation.stepCount), \(state(simulation))")
    let count = Double(simulation.particles.count)
    print("Kinetic      \(decimal(simulation.kineticEnergy / count, 6)) a particle")
    print("Potential    \(decimal(simulation.potentialEnergy / count, 6)) a particle")
    for species in simulation.species {
      print("Species      \(species.name): \(type(of: species)) made of \(species.material.name)")
    }
    print("Fingerprint  \(hexadecimal(simulation.fingerprint))")
  }
}
