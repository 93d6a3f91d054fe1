import ArgumentParser
import Foundation
import GraphCodable
import ParticleModel

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
