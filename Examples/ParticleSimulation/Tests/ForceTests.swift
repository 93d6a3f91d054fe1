import Testing

@testable import ParticleModel

@Suite struct ForceTests {
  /// 400 particles leave three cells along a side, where every cell touches itself across the boundary.
  @Test(arguments: [400, 900])
  func cellsGiveTheSameForcesAsAllPairs(particleCount: Int) throws {
    let simulation = try smallSimulation(particleCount: particleCount, steps: 3)
    let reference = AllPairs(simulation).sum()
    #expect(abs(simulation.potentialEnergy / reference.potential - 1) < 1e-12)
    for index in 0..<particleCount {
      let difference = simulation.particles.forces[index] - reference.forces[index]
      let scale = max(1, (reference.forces[index] * reference.forces[index]).sum().squareRoot())
      #expect((difference * difference).sum().squareRoot() < 1e-11 * scale)
    }
  }

  @Test func forcesAreTheSlopeOfTheTotalPotential() throws {
    let simulation = try smallSimulation()
    let width = 1e-5
    for particle in stride(from: 0, to: simulation.particles.count, by: 41) {
      for axis in 0..<3 {
        var pairs = AllPairs(simulation)
        pairs.particles.positions[particle][axis] += width
        let right = pairs.potential(of: particle)
        pairs.particles.positions[particle][axis] -= 2 * width
        let left = pairs.potential(of: particle)
        let force = simulation.particles.forces[particle][axis]
        #expect(abs(force + (right - left) / (2 * width)) < 1e-5 * max(1, abs(force)))
      }
    }
  }

  @Test func cellsHoldTheParticlesThatLieInThem() throws {
    let simulation = try smallSimulation()
    let width = simulation.side / Double(simulation.cellsPerSide)
    var count = 0
    for cell in simulation.domains.flatMap(\.cells) {
      let lower = SIMD3<Double>(cell.place) * width
      for particle in cell.particles {
        let inside = simulation.particles.positions[particle] - lower
        #expect(inside.min() > -1e-12 && inside.max() < width + 1e-12)
      }
      count += cell.particles.count
    }
    #expect(count == simulation.particles.count)
  }

  @Test func particlesKeepTheirIdentifiersWhileTheyMoveBetweenCells() throws {
    let simulation = try smallSimulation(steps: 30)
    #expect(simulation.particles.identifiers != (0..<400).map { Int32($0) })
    #expect(simulation.particles.identifiers.sorted() == (0..<400).map { Int32($0) })
  }
}
