import GraphCodable

/// The energies of every step so far.
public struct EnergyLog: GCodable, Equatable, Sendable {
  /// The kinetic energies, the first before the first step.
  public private(set) var kinetic: [Double] = []
  /// The potential energies, the first before the first step.
  public private(set) var potential: [Double] = []

  /// Makes an empty log.
  public init() {}

  /// The number of entries.
  public var count: Int { kinetic.count }

  /// The sum of both energies at entry `index`.
  public func total(at index: Int) -> Double {
    kinetic[index] + potential[index]
  }

  /// The largest departure of the total energy from its first value, divided by the first kinetic energy.
  ///
  /// The kinetic energy is the scale because the zero of the potential, and with it the total, is arbitrary.
  public var relativeDrift: Double {
    guard count > 0, kinetic[0] > 0 else { return 0 }
    let worst = (0..<count).map { abs(total(at: $0) - total(at: 0)) }.max() ?? 0
    return worst / kinetic[0]
  }

  mutating func append(kinetic: Double, potential: Double) {
    self.kinetic.append(kinetic)
    self.potential.append(potential)
  }

  private enum Key: String {
    case kinetic, potential
  }

  /// Reads a log from an archive.
  public init(from decoder: GDecoder) throws {
    kinetic = try decoder.decode(for: Key.kinetic)
    potential = try decoder.decode(for: Key.potential)
  }

  /// Writes the log into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(kinetic, for: Key.kinetic)
    try encoder.encode(potential, for: Key.potential)
  }
}
