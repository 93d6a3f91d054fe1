/// The inner loop: the forces on the particles of some cells from all particles near them.
///
/// Each pair is computed twice, once for either particle. That costs twice the arithmetic of Newton's third law,
/// but a piece of work then writes only to its own particles and adds in an order that does not depend on
/// which core does what, so the result is the same bit for bit on any number of cores.
///
/// Safe to share because it writes only elements of its own cells; the pointers outlive the loop (see `Engine`).
struct ForceKernel: @unchecked Sendable {
  let particles: ParticlePointers
  let groupStarts: UnsafePointer<Int32>
  let neighbours: UnsafePointer<Int32>
  let shiftNumbers: UnsafePointer<UInt8>
  let shifts: UnsafePointer<SIMD3<Double>>
  let interactions: UnsafePointer<PairInteraction>
  let masses: UnsafePointer<Double>
  let potentialEnergies: UnsafeMutablePointer<Double>
  let kineticEnergies: UnsafeMutablePointer<Double>
  let speciesCount: Int
  /// Half a time step, to finish the velocities with the new forces; `nil` leaves them alone.
  let halfStep: Double?

  /// Computes the forces on the particles in `cells`, and the energies of these cells.
  func run(cells: Range<Int>) {
    var surroundings = Surroundings(capacity: largestNeighbourhood(of: cells), groupCount: speciesCount)
    defer { surroundings.deallocate() }
    for cell in cells {
      guard start(cell, 0) < start(cell + 1, 0) else {
        potentialEnergies[cell] = 0
        kineticEnergies[cell] = 0
        continue
      }
      collect(around: cell, into: &surroundings)
      var potential = 0.0
      var kinetic = 0.0
      for species in 0..<speciesCount {
        let first = start(cell, species)
        for particle in first..<start(cell, species + 1) {
          potential += force(on: particle, species, place: particle - first, surroundings)
          kinetic += finishVelocity(of: particle, mass: masses[species])
        }
      }
      // Each pair is seen from both sides.
      potentialEnergies[cell] = potential / 2
      kineticEnergies[cell] = kinetic
    }
  }

  /// The first particle of the group of `cell` and `species`.
  private func start(_ cell: Int, _ species: Int) -> Int {
    Int(groupStarts[cell * speciesCount + species])
  }

  private func largestNeighbourhood(of cells: Range<Int>) -> Int {
    var largest = 0
    for cell in cells {
      var count = 0
      for entry in cell * CellTable.neighbourhood..<(cell + 1) * CellTable.neighbourhood {
        let neighbour = Int(neighbours[entry])
        count += start(neighbour + 1, 0) - start(neighbour, 0)
      }
      largest = max(largest, count)
    }
    return largest
  }

  /// Copies the particles around `cell` side by side, species by species, the cell's own first.
  private func collect(around cell: Int, into surroundings: inout Surroundings) {
    surroundings.removeAll()
    for species in 0..<speciesCount {
      for entry in cell * CellTable.neighbourhood..<(cell + 1) * CellTable.neighbourhood {
        let neighbour = Int(neighbours[entry])
        surroundings.append(
          particles.position, from: start(neighbour, species), to: start(neighbour, species + 1),
          shift: shifts[Int(shiftNumbers[entry])])
      }
      surroundings.endGroup(species)
    }
  }

  /// Sets the force on one particle.
  ///
  /// - Parameters:
  ///   - place: Where the particle stands in its own group of the surroundings, so that it is left out.
  /// - Returns: The sum of the potentials of all its pairs.
  private func force(
    on particle: Int, _ species: Int, place: Int, _ surroundings: Surroundings
  ) -> Double {
    let x = particles.position.x[particle]
    let y = particles.position.y[particle]
    let z = particles.position.z[particle]
    var sum = PairSum()
    for other in 0..<speciesCount {
      let group = surroundings.groups[other]
      surroundings.measure(group, x, y, z)
      if other == species { surroundings.exclude(group.lowerBound + place) }
      let pair = interactions[species * speciesCount + other]
      let hitCount = surroundings.findHits(group, squaredCutoff: pair.squaredCutoff)
      surroundings.add(hitCount, pair, x, y, z, to: &sum)
    }
    particles.force.x[particle] = sum.x
    particles.force.y[particle] = sum.y
    particles.force.z[particle] = sum.z
    return sum.potential
  }

  /// Adds the second half of the kick, and returns the kinetic energy.
  private func finishVelocity(of particle: Int, mass: Double) -> Double {
    if let halfStep {
      let factor = halfStep / mass
      particles.velocity.x[particle] += particles.force.x[particle] * factor
      particles.velocity.y[particle] += particles.force.y[particle] * factor
      particles.velocity.z[particle] += particles.force.z[particle] * factor
    }
    let x = particles.velocity.x[particle]
    let y = particles.velocity.y[particle]
    let z = particles.velocity.z[particle]
    return mass * (x * x + y * y + z * z) / 2
  }
}

/// What adds up over the pairs of one particle.
struct PairSum {
  var x = 0.0
  var y = 0.0
  var z = 0.0
  var potential = 0.0
}
