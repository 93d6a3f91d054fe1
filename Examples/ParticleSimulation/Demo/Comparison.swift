import Foundation
import GraphCodable
import ParticleModel

/// Stores a state as an archive, as JSON and as a plain dump, and prints what that takes and what is left of it.
func printTable(of simulation: Simulation) throws {
  var rows = [["", "write", "read", "bytes", "same objects", "subclasses", "cycles"]]

  let (archive, archiveWriting) = try best { try GraphEncoder().encode(simulation) as Bytes }
  let (decoded, archiveReading) = try best { try GraphDecoder().decode(Simulation.self, from: archive) }
  let cell = decoded.cell(0)
  rows.append(
    row(
      "GraphCodable", archiveWriting, archiveReading, archive.count,
      isSame: decoded.species[0].material === decoded.species[1].material,
      hasSubclasses: zip(decoded.species, simulation.species).allSatisfy { type(of: $0) == type(of: $1) },
      hasCycles: cell.neighbours.first?.neighbours.contains { $0 === cell } ?? false))

  // `Codable` never returns from a cycle, so this has the cells' numbers in place of the cells.
  let plain = PlainState(simulation)
  let (json, jsonWriting) = try best { try JSONEncoder().encode(plain) }
  let (parsed, jsonReading) = try best { try JSONDecoder().decode(PlainState.self, from: json) }
  rows.append(
    row(
      "JSON (Codable)", jsonWriting, jsonReading, json.count,
      isSame: parsed.species[0].material === parsed.species[1].material,
      hasSubclasses: parsed.species.contains { $0 is PlainNobleGas }))

  let (dump, dumpWriting) = best { NumberDump.write(simulation.particles) }
  let (particles, dumpReading) = best { NumberDump.read(dump, count: simulation.particles.count) }
  guard particles == simulation.particles, decoded.differences(from: simulation).isEmpty,
    parsed.positions == plain.positions, parsed.velocities == plain.velocities, parsed.forces == plain.forces
  else { throw DemoError("what was read is not what was written") }
  rows.append(row("plain dump", dumpWriting, dumpReading, dump.count))

  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  for row in rows {
    print(
      row.indices.map {
        $0 == 0 ? row[0].padded(to: widths[0]) : row[$0].padded(to: widths[$0], atEnd: false)
      }
      .joined(separator: "  "))
  }
  print("JSON has numbers in place of the cells, which refer to each other; the dump has the arrays alone.")
}

private func row(
  _ name: String, _ writing: Duration, _ reading: Duration, _ byteCount: Int, isSame: Bool? = nil,
  hasSubclasses: Bool? = nil, hasCycles: Bool? = nil
) -> [String] {
  func text(_ isKept: Bool?) -> String { isKept.map { $0 ? "kept" : "lost" } ?? "none" }
  return [
    name, milliseconds(writing), milliseconds(reading), grouped(byteCount), text(isSame), text(hasSubclasses),
    text(hasCycles),
  ]
}

/// What `body` returns, and the shortest of three times.
private func best<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
  var (result, shortest) = try timed(body)
  for _ in 1..<3 {
    let (next, duration) = try timed(body)
    if duration < shortest { (result, shortest) = (next, duration) }
  }
  return (result, shortest)
}

private func milliseconds(_ duration: Duration) -> String { "\(decimal(duration / .milliseconds(1), 1)) ms" }

// MARK: JSON

/// The state without what `Codable` cannot store.
struct PlainState: Codable {
  let species: [PlainSpecies]
  let positions: PlainVectors
  let velocities: PlainVectors
  let forces: PlainVectors
  let speciesNumbers: [UInt8]
  let identifiers: [Int32]
  /// The numbers of each cell's neighbours.
  let neighbours: [[Int]]
  let kinetic: [Double]
  let potential: [Double]

  init(_ simulation: Simulation) {
    // The objects that are shared here are shared there.
    var materials: [ObjectIdentifier: PlainMaterial] = [:]
    species = simulation.species.map { species in
      let known = materials[ObjectIdentifier(species.material)] ?? PlainMaterial(name: species.material.name)
      materials[ObjectIdentifier(species.material)] = known
      return species is Bead ? PlainSpecies(species.name, known) : PlainNobleGas(species.name, known)
    }
    let particles = simulation.particles
    positions = PlainVectors(particles.positions)
    velocities = PlainVectors(particles.velocities)
    forces = PlainVectors(particles.forces)
    (speciesNumbers, identifiers) = (particles.species, particles.identifiers)
    neighbours = simulation.domains.flatMap(\.cells).map { $0.neighbours.map(\.index) }
    (kinetic, potential) = (simulation.energies.kinetic, simulation.energies.potential)
  }
}

final class PlainMaterial: Codable {
  let name: String

  init(name: String) { self.name = name }
}

class PlainSpecies: Codable {
  let name: String
  let material: PlainMaterial

  init(_ name: String, _ material: PlainMaterial) { (self.name, self.material) = (name, material) }
}

final class PlainNobleGas: PlainSpecies {}

struct PlainVectors: Codable, Equatable {
  let x: [Double]
  let y: [Double]
  let z: [Double]

  init(_ vectors: Vectors) { (x, y, z) = (vectors.x, vectors.y, vectors.z) }
}
