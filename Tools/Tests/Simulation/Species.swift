import GraphCodable

/// What particles are made of.
public class Species: GCodable {
  public let name: String
  public let mass: Double

  public init(name: String, mass: Double) {
    self.name = name
    self.mass = mass
  }

  private enum Key: String { case name, mass }

  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(mass, for: Key.mass)
  }

  public required init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    mass = try decoder.decode(for: Key.mass)
  }
}

/// A species with a charge.
public final class Ion: Species {
  public let charge: Int

  public init(name: String, mass: Double, charge: Int) {
    self.charge = charge
    super.init(name: name, mass: mass)
  }

  private enum Key: String { case charge }

  public override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(charge, for: Key.charge)
  }

  public required init(from decoder: GDecoder) throws {
    charge = try decoder.decode(for: Key.charge)
    try super.init(from: decoder)
  }
}
