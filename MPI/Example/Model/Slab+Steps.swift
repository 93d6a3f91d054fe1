import GraphCodable
import GraphCodableMPI

extension Slab {
  /// Makes a step by velocity Verlet.
  ///
  /// Collective, as all methods with a communicator.
  ///
  /// - Throws: `invalidValue` on this rank when a particle moves by more than a layer; `MPIError`.
  func makeStep(on world: MPICommunicator) throws {
    for index in particles.indices {
      particles[index].velocity += particles[index].force * (Box.timeStep / 2)
      particles[index].position = box.wrapped(
        particles[index].position + particles[index].velocity * Box.timeStep)
    }
    try migrate(on: world)
    try computeForces(on: world)
    for index in particles.indices {
      particles[index].velocity += particles[index].force * (Box.timeStep / 2)
    }
    step += 1
  }

  /// Gives particles that have left the slab to the rank that has their layer now.
  private func migrate(on world: MPICommunicator) throws {
    let (above, below) = (layer(above: range), layer(below: range))
    var (staying, up, down): ([Particle], [Particle], [Particle]) = ([], [], [])
    for particle in particles {
      let layer = box.layer(particle.position)
      if range.contains(layer) {
        staying.append(particle)
      } else if layer == above {
        up.append(particle)
      } else if layer == below {
        down.append(particle)
      } else {
        throw GCodableError(.invalidValue, "particle \(particle.identifier) has moved by more than a layer")
      }
    }
    particles = staying + (try exchange(up: up, down: down, on: world)).joined()
    sort()
  }

  private func layer(above range: Range<Int>) -> Int { range.upperBound % box.layerCount }
  private func layer(below range: Range<Int>) -> Int {
    (range.lowerBound + box.layerCount - 1) % box.layerCount
  }

  /// Sends to the ranks above and below, and returns what comes from below and from above.
  private func exchange(
    up: [Particle], down: [Particle], on world: MPICommunicator
  ) throws -> [[Particle]] {
    let (above, below) = ((world.rank + 1) % world.size, (world.rank + world.size - 1) % world.size)
    let fromBelow = try world.sendReceive(up, to: above, from: below)
    return [fromBelow, try world.sendReceive(down, to: below, from: above)]
  }

  /// Computes the forces on the particles of this rank, after a look at the layers next to its own.
  func computeForces(on world: MPICommunicator) throws {
    let top = particles.filter { box.layer($0.position) == range.upperBound - 1 }
    let bottom = particles.filter { box.layer($0.position) == range.lowerBound }
    var cells = CellTable(box, range)
    cells.add(particles)
    // The layers of few ranks are next to each other on both sides, or are their own neighbours.
    for halo in try exchange(up: top, down: bottom, on: world) { cells.addHalo(halo) }
    for index in particles.indices { cells.computeForce(on: &particles[index]) }
  }

  /// The energy of all particles, which is the same for any number of ranks.
  func energy(on world: MPICommunicator) throws -> Double {
    var sums = [Double](repeating: 0, count: box.layerCount)
    for particle in particles {
      let kinetic = (particle.velocity * particle.velocity).sum() / 2
      sums[box.layer(particle.position)] += kinetic + particle.potentialEnergy
    }
    // Layer by layer; each is zero on all ranks but one.
    let all = try world.allGather(sums)
    return (0..<box.layerCount).reduce(0) { energy, layer in
      (0..<world.size).reduce(energy) { $0 + all[$1 * box.layerCount + layer] }
    }
  }
}
