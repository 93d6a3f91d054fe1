import GraphCodable

/// A kind of particle, in reduced Lennard-Jones units (argon is 1 in all of them).
///
/// Subclasses decide how strongly a particle attracts others; the rest is common to all.
public class Species: GCodable {
  /// The name of the species.
  public let name: String
  /// The Lennard-Jones σ: the distance at which the potential crosses zero.
  public let diameter: Double
  /// The Lennard-Jones ε: the depth of the well.
  public let wellDepth: Double
  /// The mass of one particle.
  public let mass: Double
  /// What the particles are made of, shared with the other species of the family.
  public let material: Material

  /// Makes a species.
  public init(name: String, diameter: Double, wellDepth: Double, mass: Double, material: Material) {
    self.name = name
    self.diameter = diameter
    self.wellDepth = wellDepth
    self.mass = mass
    self.material = material
  }

  /// How much of the attraction of the mixing rule this species lets through towards `other`, 0 to 1.
  ///
  /// A pair uses the product of both sides' answers, so the force is the same seen from either particle.
  public func attraction(to other: Species) -> Double {
    material === other.material ? 1 : 0
  }

  private enum Key: String {
    case name, diameter, wellDepth, mass, material
  }

  /// Reads a species from an archive.
  public required init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    diameter = try decoder.decode(for: Key.diameter)
    wellDepth = try decoder.decode(for: Key.wellDepth)
    mass = try decoder.decode(for: Key.mass)
    material = try decoder.decode(for: Key.material)
  }

  /// Writes the species into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(diameter, for: Key.diameter)
    try encoder.encode(wellDepth, for: Key.wellDepth)
    try encoder.encode(mass, for: Key.mass)
    try encoder.encode(material, for: Key.material)
  }
}
