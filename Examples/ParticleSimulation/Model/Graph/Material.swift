import GraphCodable

/// What particles are made of: the family that a species belongs to, and what the reduced units stand for.
///
/// Species *share* their material. Two species attract each other only if they are made of the very same
/// material object (`===`), so a copy of the graph that duplicated this object would compute other forces.
public final class Material: GCodable {
  /// The name of the family.
  public let name: String
  /// The energy ε/k_B of one reduced unit in kelvin.
  public let kelvinPerUnit: Double
  /// The length σ of one reduced unit in ångström.
  public let angstromPerUnit: Double

  /// Makes a material.
  public init(name: String, kelvinPerUnit: Double, angstromPerUnit: Double) {
    self.name = name
    self.kelvinPerUnit = kelvinPerUnit
    self.angstromPerUnit = angstromPerUnit
  }

  private enum Key: String {
    case name, kelvinPerUnit, angstromPerUnit
  }

  /// Reads a material from an archive.
  public init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    kelvinPerUnit = try decoder.decode(for: Key.kelvinPerUnit)
    angstromPerUnit = try decoder.decode(for: Key.angstromPerUnit)
  }

  /// Writes the material into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(kelvinPerUnit, for: Key.kelvinPerUnit)
    try encoder.encode(angstromPerUnit, for: Key.angstromPerUnit)
  }
}
