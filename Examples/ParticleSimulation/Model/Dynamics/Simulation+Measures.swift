extension Simulation {
  /// How long the steps so far were together, in σ√(m/ε).
  public var time: Double { Double(stepCount) * parameters.timeStep }

  /// The kinetic energy after the last step.
  public var kineticEnergy: Double { domains.reduce(0) { $0 + $1.kineticEnergy } }

  /// The potential energy after the last step.
  public var potentialEnergy: Double { domains.reduce(0) { $0 + $1.potentialEnergy } }

  /// The total momentum, which the forces leave alone.
  public var momentum: SIMD3<Double> {
    var sum = SIMD3<Double>.zero
    for index in 0..<particles.count {
      sum += species[Int(particles.species[index])].mass * particles.velocities[index]
    }
    return sum
  }

  /// The temperature in reduced units, from the kinetic energy per degree of freedom.
  public var temperature: Double {
    2 * kineticEnergy / Double(max(3 * particles.count - 3, 1))
  }

  /// The temperature in the unit of the first species' material.
  public var kelvin: Double {
    temperature * (species.first?.material.kelvinPerUnit ?? 0)
  }

  /// Where the particles of a cell stand in the arrays, empty before a loaded simulation is prepared.
  func particleRange(ofCell index: Int) -> Range<Int> {
    engine?.particleRange(ofCell: index) ?? 0..<0
  }
}
