import GraphCodable

/// Argon: the unit of everything.
public final class Argon: Species {
  /// Makes argon out of `material`.
  public init(material: Material) {
    super.init(name: "argon", diameter: 1, wellDepth: 1, mass: 1, material: material)
  }

  /// Reads argon from an archive.
  public required init(from decoder: GDecoder) throws {
    try super.init(from: decoder)
  }
}

/// Krypton: larger, heavier, stickier, and slightly less fond of others than the mixing rule says.
public final class Krypton: Species {
  /// How much the well towards another species is shallower than √(ε₁ε₂), usually written k₁₂.
  public let unlikeWeakening: Double

  /// Makes krypton out of `material`.
  public init(material: Material, unlikeWeakening: Double = 0.011) {
    self.unlikeWeakening = unlikeWeakening
    super.init(name: "krypton", diameter: 1.067, wellDepth: 1.391, mass: 2.098, material: material)
  }

  /// The attraction of the base class, weakened towards everything that is not krypton.
  public override func attraction(to other: Species) -> Double {
    super.attraction(to: other) * (other is Krypton ? 1 : 1 - unlikeWeakening)
  }

  private enum Key: String {
    case unlikeWeakening
  }

  /// Reads krypton from an archive.
  public required init(from decoder: GDecoder) throws {
    unlikeWeakening = try decoder.decode(for: Key.unlikeWeakening)
    try super.init(from: decoder)
  }

  /// Writes krypton into an archive.
  public override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(unlikeWeakening, for: Key.unlikeWeakening)
  }
}
