import GraphCodable
import GraphCodableMPI

/// What a rank has of a box: some of its layers, and the particles in them.
///
/// The result does not depend on the number of ranks, not in one bit: each rank computes all forces on its own
/// particles, and adds those of the neighbours up in the order of their identifiers.
final class Slab: GCodable {
  let box: Box
  var step: Int
  /// The layers of this rank, in ascending order.
  let layers: [Layer]
  /// By layer, and in a layer by identifier: so the particles of all ranks end to end are in the same order for any
  /// number of ranks.
  var particles: [Particle]

  /// A layer of the box: a small object that knows the slab that it is in.
  final class Layer: GCodable {
    let number: Int
    var particleCount = 0
    weak var slab: Slab?

    init(_ number: Int) { self.number = number }

    private enum Key: String { case number, particleCount, slab }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Key.number)
      try encoder.encode(particleCount, for: Key.particleCount)
      try encoder.encodeConditional(slab, for: Key.slab)
    }

    init(from decoder: GDecoder) throws {
      number = try decoder.decode(for: Key.number)
      particleCount = try decoder.decode(for: Key.particleCount)
      try decoder.deferDecode(for: Key.slab) { self.slab = $0 }
    }
  }

  /// The numbers of this rank's layers.
  var range: Range<Int> { (layers.first?.number ?? 0)..<((layers.last?.number ?? -1) + 1) }

  init(_ box: Box, step: Int, range: Range<Int>, particles: [Particle]) {
    (self.box, self.step, self.particles) = (box, step, particles)
    layers = range.map(Layer.init)
    for layer in layers { layer.slab = self }
    sort()
  }

  /// Makes a rank's share of a box.
  ///
  /// - Throws: `invalidValue` when there are more ranks than layers.
  convenience init(_ box: Box, on world: MPICommunicator) throws {
    let range = try Self.range(of: box, on: world)
    self.init(
      box, step: 0, range: range,
      particles: (0..<box.particleCount).lazy.map(box.particle).filter {
        range.contains(box.layer($0.position))
      })
    try computeForces(on: world)
  }

  /// The layers of a rank.
  static func range(of box: Box, on world: MPICommunicator) throws -> Range<Int> {
    guard world.size <= box.layerCount else {
      throw GCodableError(.invalidValue, "\(world.size) ranks cannot share \(box.layerCount) layers")
    }
    return world.share(of: box.layerCount)
  }

  /// Puts the particles into their order, and counts those of each layer.
  func sort() {
    let keyed = particles.map { (layer: box.layer($0.position), particle: $0) }
    particles = keyed.sorted { ($0.layer, $0.particle.identifier) < ($1.layer, $1.particle.identifier) }
      .map(\.particle)
    for layer in layers { layer.particleCount = 0 }
    for (number, _) in keyed { layers[number - range.lowerBound].particleCount += 1 }
  }

  private enum Key: String {
    case box, step, layers, layerCounts, identifiers, positions, velocities, forces, energies
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(box, for: Key.box)
    try encoder.encode(step, for: Key.step)
    try encoder.encode(layers, for: Key.layers)
    try encoder.encode(layers.map(\.particleCount), for: Key.layerCounts)
    try encoder.encode(particles.map(\.identifier), for: Key.identifiers)
    try encoder.encode(particles.map(\.position), for: Key.positions)
    try encoder.encode(particles.map(\.velocity), for: Key.velocities)
    try encoder.encode(particles.map(\.force), for: Key.forces)
    try encoder.encode(particles.map(\.potentialEnergy), for: Key.energies)
  }

  init(from decoder: GDecoder) throws {
    box = try decoder.decode(for: Key.box)
    step = try decoder.decode(for: Key.step)
    layers = try decoder.decode(for: Key.layers)
    particles = try Particle.joined(
      identifiers: decoder.decode(for: Key.identifiers), positions: decoder.decode(for: Key.positions),
      velocities: decoder.decode(for: Key.velocities), forces: decoder.decode(for: Key.forces),
      energies: decoder.decode(for: Key.energies))
  }
}

extension Particle {
  /// Particles of their arrays.
  ///
  /// - Throws: `invalidValue` for arrays of different lengths.
  static func joined(
    identifiers: [Int], positions: [SIMD3<Double>], velocities: [SIMD3<Double>], forces: [SIMD3<Double>],
    energies: [Double]
  ) throws -> [Particle] {
    let counts = [positions.count, velocities.count, forces.count, energies.count]
    guard counts.allSatisfy({ $0 == identifiers.count }) else {
      throw GCodableError(.invalidValue, "\(identifiers.count) particles with \(counts) values")
    }
    return identifiers.indices.map {
      Particle(
        identifier: identifiers[$0], position: positions[$0], velocity: velocities[$0], force: forces[$0],
        potentialEnergy: energies[$0])
    }
  }
}
