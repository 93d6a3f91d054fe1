/// Which particles are in which cell of a slab and the layers next to it.
struct CellTable {
  private let box: Box
  private let range: Range<Int>
  private var cells: [[Particle]]
  private var halos: Set<Int> = []

  init(_ box: Box, _ range: Range<Int>) {
    (self.box, self.range) = (box, range)
    let layerCount = min(range.count + 2, box.layerCount)
    cells = Array(repeating: [], count: layerCount * box.layerCount * box.layerCount)
  }

  /// The place of a cell; the layer below the slab is the first.
  private func place(_ layer: Int, _ y: Int, _ z: Int) -> Int {
    let count = box.layerCount
    return ((layer - range.lowerBound + 1 + count) % count * count + y) * count + z
  }

  mutating func add(_ particles: [Particle]) {
    for particle in particles {
      let position = particle.position
      cells[place(box.layer(position), box.cell(position.y), box.cell(position.z))].append(particle)
    }
  }

  /// Adds a layer next to the slab, unless it is there.
  mutating func addHalo(_ particles: [Particle]) {
    guard let layer = particles.first.map({ box.layer($0.position) }), !range.contains(layer),
      halos.insert(layer).inserted
    else { return }
    add(particles)
  }

  /// Adds up the forces of all particles that a particle overlaps with, in the order of their identifiers.
  func computeForce(on particle: inout Particle) {
    var pairs: [(identifier: Int, force: SIMD3<Double>, energy: Double)] = []
    for other in neighbours(of: particle) where other.identifier != particle.identifier {
      let way = box.distance(particle.position, other.position)
      let square = (way * way).sum()
      guard square < 1 else { continue }
      let length = square.squareRoot()
      let overlap = 1 - length
      pairs.append(
        (
          other.identifier, way * (Box.stiffness * overlap / length),
          Box.stiffness * overlap * overlap / 4
        ))
    }
    pairs.sort { $0.identifier < $1.identifier }
    particle.force = pairs.reduce(SIMD3()) { $0 + $1.force }
    particle.potentialEnergy = pairs.reduce(0) { $0 + $1.energy }
  }

  private func neighbours(of particle: Particle) -> [Particle] {
    func around(_ cell: Int) -> [Int] {
      [(cell + box.layerCount - 1) % box.layerCount, cell, (cell + 1) % box.layerCount]
    }
    var found: [Particle] = []
    let position = particle.position
    for layer in around(box.layer(position)) {
      for y in around(box.cell(position.y)) {
        for z in around(box.cell(position.z)) { found += cells[place(layer, y, z)] }
      }
    }
    return found
  }
}
