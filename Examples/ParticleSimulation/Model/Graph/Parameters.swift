import Foundation
import GraphCodable

/// What a simulation starts from.
public struct Parameters: GCodable, Equatable, Sendable {
  /// How many particles there are.
  public var particleCount: Int
  /// Particles per volume σ³.
  public var density: Double
  /// The temperature of the first velocities; about half of it goes into melting the first lattice.
  public var temperature: Double
  /// The length of a step in σ√(m/ε), 2.16 ps for argon.
  public var timeStep: Double
  /// Where the random numbers of the first state start.
  public var seed: UInt64

  /// Makes parameters; the defaults are those of the demonstration.
  public init(
    particleCount: Int = 200_000, density: Double = 0.7, temperature: Double = 1.6,
    timeStep: Double = 0.004, seed: UInt64 = 1
  ) {
    self.particleCount = particleCount
    self.density = density
    self.temperature = temperature
    self.timeStep = timeStep
    self.seed = seed
  }

  /// The side of a cubic box with this density.
  var side: Double {
    Foundation.cbrt(Double(particleCount) / density)
  }

  /// Throws if a value is not a positive finite number, or there are more particles than `Int32` can number.
  func check() throws {
    for (name, value) in [
      ("density", density), ("temperature", temperature), ("time step", timeStep),
    ] where !(value > 0 && value.isFinite) {
      throw SimulationError.invalidParameter("the \(name) must be positive, not \(value)")
    }
    guard (1...100_000_000).contains(particleCount) else {
      throw SimulationError.invalidParameter("the number of particles must be 1 to 100,000,000")
    }
  }

  private enum Key: String {
    case particleCount, density, temperature, timeStep, seed
  }

  /// Reads parameters from an archive.
  public init(from decoder: GDecoder) throws {
    particleCount = try decoder.decode(for: Key.particleCount)
    density = try decoder.decode(for: Key.density)
    temperature = try decoder.decode(for: Key.temperature)
    timeStep = try decoder.decode(for: Key.timeStep)
    seed = try decoder.decode(for: Key.seed)
  }

  /// Writes the parameters into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(particleCount, for: Key.particleCount)
    try encoder.encode(density, for: Key.density)
    try encoder.encode(temperature, for: Key.temperature)
    try encoder.encode(timeStep, for: Key.timeStep)
    try encoder.encode(seed, for: Key.seed)
  }
}
