import GraphCodable

/// The angle between two planes of three atoms each, which share two: a torsion or an improper dihedral.
public struct Dihedral: GCodable {
  /// The first atom.
  public let first: Atom
  /// The second atom.
  public let second: Atom
  /// The third atom.
  public let third: Atom
  /// The fourth atom.
  public let fourth: Atom

  init(_ first: Atom, _ second: Atom, _ third: Atom, _ fourth: Atom) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// The four atoms in order.
  public var atoms: [Atom] { [first, second, third, fourth] }

  private enum Key: String {
    case first, second, third, fourth
  }

  /// Reads a dihedral from an archive.
  public init(from decoder: GDecoder) throws {
    first = try decoder.decode(for: Key.first)
    second = try decoder.decode(for: Key.second)
    third = try decoder.decode(for: Key.third)
    fourth = try decoder.decode(for: Key.fourth)
  }

  /// Writes the dihedral into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(first, for: Key.first)
    try encoder.encode(second, for: Key.second)
    try encoder.encode(third, for: Key.third)
    try encoder.encode(fourth, for: Key.fourth)
  }
}
