import GraphCodable

/// A bead that attracts nothing: it only keeps its distance (Weeks, Chandler and Andersen 1971).
public final class Bead: Species {
  /// Makes beads out of `material`.
  public init(material: Material) {
    super.init(name: "bead", diameter: 0.9, wellDepth: 1, mass: 0.5, material: material)
  }

  /// Nothing at all, not even towards other beads.
  public override func attraction(to other: Species) -> Double {
    0
  }

  /// Reads a bead from an archive.
  public required init(from decoder: GDecoder) throws {
    try super.init(from: decoder)
  }
}
