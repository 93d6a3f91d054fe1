import GraphCodable

/// The state of a simulation.
package struct State: GCodable {
  package var title: String
  package var species: [Species]
  package var cells: [Cell]
  package var counts: [String: Int]
  package var positions: [Double]
  package var velocities: [Double]

  /// A state whose particles are at rest.
  ///
  /// The positions cannot be compressed, and the velocities are all zero, so that an archive has the same size
  /// whatever the release of LZ4.
  package init(particleCount: Int = 10_000, cellCount: Int = 4) {
    title = "At rest"
    let argon = Species(name: "Ar", mass: 39.95)
    species = [argon, Ion(name: "Na", mass: 22.99, charge: 1), argon]
    cells = Cell.ring(cellCount)
    counts = ["Ar": particleCount]
    var noise = Noise()
    positions = (0..<particleCount).map { _ in Double(bitPattern: noise.next()) }
    velocities = Array(repeating: 0, count: particleCount)
  }

  private enum Key: String { case title, species, cells, counts, positions, velocities }

  package func encode(to encoder: GEncoder) throws {
    try encoder.encode(title, for: Key.title)
    try encoder.encode(species, for: Key.species)
    try encoder.encode(cells, for: Key.cells)
    try encoder.encode(counts, for: Key.counts)
    try encoder.encode(positions, for: Key.positions)
    try encoder.encode(velocities, for: Key.velocities)
  }

  package init(from decoder: GDecoder) throws {
    title = try decoder.decode(for: Key.title)
    species = try decoder.decode(for: Key.species)
    cells = try decoder.decode(for: Key.cells)
    counts = try decoder.decode(for: Key.counts)
    positions = try decoder.decode(for: Key.positions)
    velocities = try decoder.decode(for: Key.velocities)
  }
}

/// SplitMix64, which gives the same numbers everywhere.
struct Noise {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
