import GraphCodable

/// What particles are made of.
package class Species: GCodable {
  package let name: String
  package let mass: Double

  package init(name: String, mass: Double) {
    self.name = name
    self.mass = mass
  }

  private enum Key: String { case name, mass }

  package func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(mass, for: Key.mass)
  }

  package required init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    mass = try decoder.decode(for: Key.mass)
  }
}

/// A species with a charge.
package final class Ion: Species {
  package let charge: Int

  package init(name: String, mass: Double, charge: Int) {
    self.charge = charge
    super.init(name: name, mass: mass)
  }

  private enum Key: String { case charge }

  package override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(charge, for: Key.charge)
  }

  package required init(from decoder: GDecoder) throws {
    charge = try decoder.decode(for: Key.charge)
    try super.init(from: decoder)
  }
}
