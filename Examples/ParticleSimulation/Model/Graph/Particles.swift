import GraphCodable

/// The particles of a system, as packed arrays in the order of the cells they are in.
public struct Particles: GCodable, Equatable, Sendable {
  /// Where the particles are, each component in 0 ..< the side of the box.
  public var positions: Vectors
  /// How fast they move.
  public var velocities: Vectors
  /// The forces on them at their positions.
  public var forces: Vectors
  /// The number of each particle's species in `Simulation.species`.
  public var species: [UInt8]
  /// The number that each particle had at the start: the order of the arrays changes as particles move.
  public var identifiers: [Int32]

  /// Makes `count` particles of the first species, at rest at the origin.
  public init(count: Int) {
    positions = Vectors(count: count)
    velocities = Vectors(count: count)
    forces = Vectors(count: count)
    species = Array(repeating: 0, count: count)
    identifiers = (0..<count).map { Int32($0) }
  }

  /// How many particles there are.
  public var count: Int { species.count }

  /// Whether all arrays have as many elements as there are particles.
  var isConsistent: Bool {
    let counts = [positions, velocities, forces].flatMap { [$0.x.count, $0.y.count, $0.z.count] }
    return counts.allSatisfy { $0 == count } && identifiers.count == count
  }

  private enum Key: String {
    case positions, velocities, forces, species, identifiers
  }

  /// Reads particles from an archive.
  public init(from decoder: GDecoder) throws {
    positions = try decoder.decode(for: Key.positions)
    velocities = try decoder.decode(for: Key.velocities)
    forces = try decoder.decode(for: Key.forces)
    species = try decoder.decode(for: Key.species)
    identifiers = try decoder.decode(for: Key.identifiers)
  }

  /// Writes the particles into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(positions, for: Key.positions)
    try encoder.encode(velocities, for: Key.velocities)
    try encoder.encode(forces, for: Key.forces)
    try encoder.encode(species, for: Key.species)
    try encoder.encode(identifiers, for: Key.identifiers)
  }
}
