/// The first half of a velocity-Verlet step: half a kick, the drift, and which cell a particle is in then.
///
/// Safe to share because each piece of work writes its own particles; the pointers outlive the loop (see `Engine`).
struct DriftLoop: @unchecked Sendable {
  let particles: ParticlePointers
  let groups: UnsafeMutablePointer<Int32>
  let masses: UnsafePointer<Double>
  let speciesCount: Int
  let cellsPerSide: Int
  let side: Double
  /// The time step; without one the particles stay where they are and only their groups are found.
  let timeStep: Double?

  func run(_ range: Range<Int>) {
    let position = particles.position
    for particle in range {
      let species = Int(particles.species[particle])
      if let timeStep { drift(particle, halfKick: timeStep / 2 / masses[species], timeStep) }
      let x = cell(position.x[particle])
      let y = cell(position.y[particle])
      let z = cell(position.z[particle])
      let isInside = x >= 0 && y >= 0 && z >= 0
      let number = (z * cellsPerSide + y) * cellsPerSide + x
      groups[particle] = isInside ? Int32(truncatingIfNeeded: number * speciesCount + species) : -1
    }
  }

  private func drift(_ particle: Int, halfKick: Double, _ timeStep: Double) {
    let (position, velocity, force) = (particles.position, particles.velocity, particles.force)
    velocity.x[particle] += force.x[particle] * halfKick
    velocity.y[particle] += force.y[particle] * halfKick
    velocity.z[particle] += force.z[particle] * halfKick
    position.x[particle] = wrap(position.x[particle] + velocity.x[particle] * timeStep)
    position.y[particle] = wrap(position.y[particle] + velocity.y[particle] * timeStep)
    position.z[particle] = wrap(position.z[particle] + velocity.z[particle] * timeStep)
  }

  /// Brings a coordinate back into the box from at most one period beside it.
  private func wrap(_ coordinate: Double) -> Double {
    let raised = coordinate < 0 ? coordinate + side : coordinate
    // Second, because a tiny negative number plus the side is rounded to the side itself.
    return raised >= side ? raised - side : raised
  }

  /// The number of the cell along one axis, or −1 for a coordinate outside of the box or not a number.
  private func cell(_ coordinate: Double) -> Int {
    guard coordinate >= 0, coordinate < side else { return -1 }
    return min(Int(coordinate / side * Double(cellsPerSide)), cellsPerSide - 1)
  }
}
