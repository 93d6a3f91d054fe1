import GraphCodable

/// A slab of the box: one layer of cells, with what they add up to.
public final class Domain: GCodable {
  /// The number of the slab, from the bottom of the box.
  public let index: Int
  /// The cells of the slab in the order of their numbers.
  public let cells: [Cell]
  /// The simulation that owns this slab.
  public internal(set) weak var simulation: Simulation?
  /// The potential energy of the slab's particles.
  public internal(set) var potentialEnergy = 0.0
  /// The kinetic energy of the slab's particles.
  public internal(set) var kineticEnergy = 0.0

  init(index: Int, cells: [Cell]) {
    self.index = index
    self.cells = cells
    for cell in cells { cell.domain = self }
  }

  private enum Key: String {
    case index, cells, simulation, potentialEnergy, kineticEnergy
  }

  /// Reads a slab from an archive.
  public init(from decoder: GDecoder) throws {
    index = try decoder.decode(for: Key.index)
    cells = try decoder.decode(for: Key.cells)
    potentialEnergy = try decoder.decode(for: Key.potentialEnergy)
    kineticEnergy = try decoder.decode(for: Key.kineticEnergy)
    try decoder.deferDecode(for: Key.simulation) { self.simulation = $0 }
  }

  /// Writes the slab into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(index, for: Key.index)
    try encoder.encode(cells, for: Key.cells)
    try encoder.encode(potentialEnergy, for: Key.potentialEnergy)
    try encoder.encode(kineticEnergy, for: Key.kineticEnergy)
    try encoder.encodeConditional(simulation, for: Key.simulation)
  }
}
