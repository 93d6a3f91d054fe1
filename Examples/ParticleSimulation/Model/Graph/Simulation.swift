import GraphCodable

/// A box of particles that move by the forces between them: the root of the graph.
///
/// A simulation owns slabs, which own cells, which point at each other; it owns the species, which share their
/// materials; and it owns the large arrays of the particles.
///
///     let simulation = try Simulation(Parameters(particleCount: 5000))
///     try simulation.run(steps: 100)
///     try GraphEncoder().write(simulation, to: url)
///     let same = try GraphDecoder().read(Simulation.self, from: url)
///     try same.run(steps: 100)
public final class Simulation: GCodable {
  /// What the simulation started from.
  public let parameters: Parameters
  /// The length of each side of the box.
  public let side: Double
  /// How many cells there are along each side.
  public let cellsPerSide: Int
  /// The kinds of particles.
  public let species: [Species]
  /// The slabs of the box from bottom to top.
  public let domains: [Domain]
  /// The particles in the order of the cells.
  public internal(set) var particles: Particles
  /// How many steps have been made.
  public internal(set) var stepCount = 0
  /// The energies after each step.
  public internal(set) var energies = EnergyLog()

  /// How many cores work on a step, 0 for all of them; the result does not depend on it.
  public var threadCount = 0 {
    didSet { engine = nil }
  }

  /// Made when it is first needed, because a decoded graph is complete only after its `init`.
  var engine: Engine?

  init(
    parameters: Parameters, side: Double, cellsPerSide: Int, species: [Species], domains: [Domain],
    particles: Particles
  ) {
    self.parameters = parameters
    self.side = side
    self.cellsPerSide = cellsPerSide
    self.species = species
    self.domains = domains
    self.particles = particles
    for domain in domains { domain.simulation = self }
  }

  deinit {
    // Cells hold each other: without this none of them would ever be freed.
    for domain in domains {
      for cell in domain.cells { cell.neighbours.removeAll() }
    }
  }

  /// The cell with the given number.
  public func cell(_ index: Int) -> Cell {
    let layer = cellsPerSide * cellsPerSide
    return domains[index / layer].cells[index % layer]
  }

  private enum Key: String {
    case parameters, side, cellsPerSide, species, domains, particles, stepCount, energies
  }

  /// Reads a simulation from an archive.
  public init(from decoder: GDecoder) throws {
    parameters = try decoder.decode(for: Key.parameters)
    side = try decoder.decode(for: Key.side)
    cellsPerSide = try decoder.decode(for: Key.cellsPerSide)
    species = try decoder.decode(for: Key.species)
    domains = try decoder.decode(for: Key.domains)
    particles = try decoder.decode(for: Key.particles)
    stepCount = try decoder.decode(for: Key.stepCount)
    energies = try decoder.decode(for: Key.energies)
  }

  /// Writes the simulation into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(parameters, for: Key.parameters)
    try encoder.encode(side, for: Key.side)
    try encoder.encode(cellsPerSide, for: Key.cellsPerSide)
    try encoder.encode(species, for: Key.species)
    try encoder.encode(domains, for: Key.domains)
    try encoder.encode(particles, for: Key.particles)
    try encoder.encode(stepCount, for: Key.stepCount)
    try encoder.encode(energies, for: Key.energies)
  }
}
