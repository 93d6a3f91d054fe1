import Testing

@testable import ParticleModel

@Suite struct InvalidInputTests {
  @Test(arguments: [
    Parameters(particleCount: 0), Parameters(density: 0), Parameters(temperature: -1),
    Parameters(timeStep: .nan), Parameters(density: .infinity),
  ])
  func senselessParametersAreRefused(parameters: Parameters) {
    #expect {
      try Simulation(parameters)
    } throws: { error in
      if case SimulationError.invalidParameter = error { true } else { false }
    }
  }

  @Test func boxWithFewerThanThreeCellsIsRefused() {
    #expect {
      try Simulation(Parameters(particleCount: 50))
    } throws: { error in
      if case SimulationError.boxTooSmall = error { true } else { false }
    }
  }

  @Test func tooLongATimeStepIsReportedNotTrapped() throws {
    let simulation = try Simulation(Parameters(particleCount: 600, timeStep: 1))
    #expect(throws: SimulationError.self) { try simulation.run(steps: 20) }
  }

  @Test func stateWithArraysOfDifferentLengthsIsRefused() throws {
    let simulation = try smallSimulation(steps: 0)
    simulation.particles.velocities.z.removeLast()
    simulation.engine = nil
    #expect(throws: SimulationError.self) { try simulation.prepare() }
  }

  @Test func stateWithUnknownSpeciesIsRefused() throws {
    let simulation = try smallSimulation(steps: 0)
    simulation.particles.species[5] = 3
    simulation.engine = nil
    #expect(throws: SimulationError.self) { try simulation.prepare() }
  }

  @Test(arguments: [Double.nan, -1, 1e300])
  func stateWithAParticleOutsideOfTheBoxIsRefused(x: Double) throws {
    let simulation = try smallSimulation(steps: 0)
    simulation.particles.positions.x[17] = x
    simulation.engine = nil
    #expect(throws: SimulationError.self) { try simulation.prepare() }
  }

  @Test func stateWithWrongNeighboursIsRefused() throws {
    let simulation = try smallSimulation(steps: 0)
    simulation.cell(4).neighbours.swapAt(0, 1)
    simulation.engine = nil
    #expect(throws: SimulationError.self) { try simulation.prepare() }
  }

  @Test func stateWithParticlesInWrongCellsIsRefused() throws {
    let simulation = try smallSimulation(steps: 0)
    simulation.particles.positions.x.reverse()
    simulation.engine = nil
    #expect(throws: SimulationError.self) { try simulation.prepare() }
  }
}
