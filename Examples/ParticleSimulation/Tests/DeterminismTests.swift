import Testing

@testable import ParticleModel

@Suite struct DeterminismTests {
  @Test(arguments: [2, 5])
  func resultDoesNotDependOnTheNumberOfThreads(threadCount: Int) throws {
    let alone = try smallSimulation(steps: 10, threadCount: 1)
    let together = try smallSimulation(steps: 10, threadCount: threadCount)
    #expect(together.differences(from: alone) == [])
    #expect(together.fingerprint == alone.fingerprint)
  }

  @Test func resultDependsOnTheSeed() throws {
    let one = try smallSimulation(steps: 2, seed: 1)
    let two = try smallSimulation(steps: 2, seed: 2)
    #expect(one.differences(from: two).contains("positions.x"))
    #expect(one.fingerprint != two.fingerprint)
  }

  @Test func comparisonSeesTheSignOfZero() throws {
    let one = try smallSimulation(steps: 1)
    let two = try smallSimulation(steps: 1)
    one.particles.velocities.y[3] = 0
    two.particles.velocities.y[3] = -0.0
    #expect(one.differences(from: two) == ["velocities.y"])
  }
}
