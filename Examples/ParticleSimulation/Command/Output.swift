import ArgumentParser
import Foundation
import GraphCodable
import ParticleModel

/// Prints what a simulation consists of.
func describe(_ simulation: Simulation) {
  let counts = simulation.species.indices.map { index in
    simulation.particles.species.lazy.filter { Int($0) == index }.count
  }
  let shares = zip(simulation.species, counts).map { "\(grouped($0.1)) \($0.0.name)" }
  let cells = simulation.domains.flatMap(\.cells)
  let references = cells.reduce(0) { $0 + $1.neighbours.count }
  print("Particles    \(grouped(simulation.particles.count)): \(shares.joined(separator: ", "))")
  print("Box          \(decimal(simulation.side, 3)) wide, time step \(simulation.parameters.timeStep)")
  print(
    "Graph        \(simulation.domains.count) slabs, \(grouped(cells.count)) cells, "
      + "\(grouped(references)) references between neighbours")
}

/// The temperature and how well the energy is conserved, in a few words.
func state(_ simulation: Simulation) -> String {
  let drift = String(format: "%.1e", simulation.energies.relativeDrift)
  return "\(decimal(simulation.kelvin, 1)) K, energy drift \(drift)"
}

/// Prints whether two states are the same, and fails the command if they are not.
func printComparison(_ first: Simulation, _ second: Simulation) throws {
  let differences = first.differences(from: second)
  guard differences.isEmpty, first.fingerprint == second.fingerprint else {
    print("DIFFERENT    \(differences.joined(separator: ", "))")
    print("Fingerprints \(hexadecimal(first.fingerprint)) and \(hexadecimal(second.fingerprint))")
    throw ExitCode.failure
  }
  print("Compared     all positions, velocities, forces, species, identifiers and energies")
  print("IDENTICAL    bit for bit at step \(first.stepCount), fingerprint \(hexadecimal(first.fingerprint))")
}

/// The size of the archive without compression.
func rawSize(_ simulation: Simulation) throws -> Int {
  let encoder = GraphEncoder()
  encoder.compression = .none
  return (try encoder.encode(simulation) as Bytes).count
}

/// The file that a name on the command line means.
func snapshotURL(_ path: String) throws -> URL {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
    throw ValidationError("There is no \(path).")
  }
  let url = URL(fileURLWithPath: path, isDirectory: isFolder.boolValue)
  guard isFolder.boolValue else { return url }
  guard let latest = try Snapshots.latest(in: url) else {
    throw ValidationError("There is no snapshot in \(path).")
  }
  return latest
}

/// Why a command could not do its work.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// What `body` returns, and how long it took.
func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try body()
  return (result, clock.now - start)
}

func decimal(_ number: Double, _ digits: Int) -> String {
  String(format: "%.\(digits)f", number)
}

func seconds(_ duration: Duration) -> String {
  "\(decimal(duration / .seconds(1), 3)) s"
}

func megabytes(_ byteCount: Int) -> String {
  "\(decimal(Double(byteCount) / 1e6, 2)) MB"
}

func rate(_ byteCount: Int, _ duration: Duration) -> String {
  "\(decimal(Double(byteCount) / 1e6 / (duration / .seconds(1)), 0)) MB/s"
}

func hexadecimal(_ number: UInt64) -> String {
  String(format: "%016llx", number)
}

func grouped(_ number: Int) -> String {
  var digits = String(number)
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  return ([digits] + groups).joined(separator: ",")
}
