import Testing

@testable import ParticleModel

@Suite struct ConservationTests {
  /// The stated tolerance is 1e-3 of the kinetic energy.
  ///
  /// Velocity-Verlet is symplectic: its energy swings by an amount that goes with the square of the time step,
  /// and does not run away. The swing is largest while the first lattice melts, in the first 50 steps, where it
  /// comes to about 4e-4 with the default time step at any number of particles.
  @Test func energyStaysWithinAThousandthOfTheKineticEnergy() throws {
    let simulation = try smallSimulation(steps: 100)
    #expect(simulation.energies.count == 101)
    #expect(simulation.energies.relativeDrift < 1e-3)
    #expect(simulation.energies.relativeDrift > 0)
    // The crystal melts meanwhile: energy moves from motion to potential, so the sum is worth testing.
    #expect(simulation.temperature < 0.9 * simulation.parameters.temperature)
    #expect(simulation.energies.potential[100] > simulation.energies.potential[0])
  }

  @Test func energyErrorGoesWithTheSquareOfTheTimeStep() throws {
    let long = try smallSimulation(steps: 20, timeStep: 0.004).energies.relativeDrift
    let short = try smallSimulation(steps: 40, timeStep: 0.002).energies.relativeDrift
    #expect((3.0...5.0).contains(long / short))
  }

  @Test func momentumStaysAtZero() throws {
    let simulation = try smallSimulation(steps: 20)
    // 400 particles with velocities around 1: rounding alone, 400 × 20 additions of 1e-16.
    #expect(simulation.momentum.max() < 1e-11)
    #expect(simulation.momentum.min() > -1e-11)
  }
}
