import Foundation
import GraphCodable

@testable import ParticleModel

/// A simulation that is small enough for a debug build and has moved off its lattice.
func smallSimulation(
  particleCount: Int = 400, steps: Int = 5, timeStep: Double = 0.004, seed: UInt64 = 7, threadCount: Int = 0
) throws -> Simulation {
  let parameters = Parameters(particleCount: particleCount, timeStep: timeStep, seed: seed)
  let simulation = try Simulation(parameters, shares: Simulation.mixture(), threadCount: threadCount)
  try simulation.run(steps: steps)
  return simulation
}

/// All pairs without any cells: slow, short, and written independently of the kernel.
struct AllPairs {
  let species: [Species]
  let side: Double
  var particles: Particles

  init(_ simulation: Simulation) {
    species = simulation.species
    side = simulation.side
    particles = simulation.particles
  }

  /// The potential energy and the forces.
  func sum() -> (potential: Double, forces: [SIMD3<Double>]) {
    var forces = [SIMD3<Double>](repeating: .zero, count: particles.count)
    var potential = 0.0
    for first in 0..<particles.count {
      for second in 0..<first {
        let pair = PairInteraction(
          species[Int(particles.species[first])], species[Int(particles.species[second])])
        let offset = nearest(particles.positions[first] - particles.positions[second])
        let squaredDistance = (offset * offset).sum()
        potential += pair.potential(squaredDistance: squaredDistance)
        let force = offset * pair.forceFactor(squaredDistance: squaredDistance)
        forces[first] += force
        forces[second] -= force
      }
    }
    return (potential, forces)
  }

  /// The potential energy of the pairs of one particle.
  func potential(of particle: Int) -> Double {
    var potential = 0.0
    for other in 0..<particles.count where other != particle {
      let pair = PairInteraction(
        species[Int(particles.species[particle])], species[Int(particles.species[other])])
      let offset = nearest(particles.positions[particle] - particles.positions[other])
      potential += pair.potential(squaredDistance: (offset * offset).sum())
    }
    return potential
  }

  private func nearest(_ offset: SIMD3<Double>) -> SIMD3<Double> {
    offset - side * (offset / side).rounded(.toNearestOrAwayFromZero)
  }
}

/// A folder that goes away with the test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("particles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
