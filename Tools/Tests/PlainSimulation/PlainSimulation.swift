// The types of the module Simulation as plain Codable ones, with the same names and the same keys. They are only encoded:
// to be decoded, a ring needs a cycle breaker.

/// What particles are made of.
package class Species: Codable {
  package let name: String
  package let mass: Double

  package init(name: String, mass: Double) {
    self.name = name
    self.mass = mass
  }
}

/// A species with a charge.
package final class Ion: Species {
  package let charge: Int

  package init(name: String, mass: Double, charge: Int) {
    self.charge = charge
    super.init(name: name, mass: mass)
  }

  private enum CodingKeys: CodingKey { case charge }

  package override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(charge, forKey: .charge)
  }

  package required init(from decoder: any Decoder) throws {
    charge = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .charge)
    try super.init(from: decoder)
  }
}

/// A part of the box, which leads to the next one: a ring.
package final class Cell: Codable {
  package let index: Int
  package let name: String?
  package var next: Cell?

  package init(index: Int, name: String?) {
    self.index = index
    self.name = name
  }

  private enum CodingKeys: CodingKey { case index, name, next }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(index, forKey: .index)
    // Not encodeIfPresent, which leaves out the key.
    try container.encode(name, forKey: .name)
    try container.encode(next, forKey: .next)
  }
}

/// The state of a simulation.
package struct State: Codable {
  package var title: String
  package var species: [Species]
  package var cells: [Cell]
  package var counts: [String: Int]
  package var positions: [Double]
  package var velocities: [Double]

  /// A state with the given positions, whose particles are at rest.
  package init(positions: [Double], cellCount: Int) {
    title = "At rest"
    let argon = Species(name: "Ar", mass: 39.95)
    species = [argon, Ion(name: "Na", mass: 22.99, charge: 1), argon]
    cells = (0..<cellCount).map { Cell(index: $0, name: $0 == 0 ? "origin" : nil) }
    for cell in cells { cell.next = cells[(cell.index + 1) % cellCount] }
    counts = ["Ar": positions.count]
    self.positions = positions
    velocities = Array(repeating: 0, count: positions.count)
  }
}
