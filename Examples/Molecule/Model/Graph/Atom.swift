import GraphCodable

/// One atom of a molecule.
///
/// An atom holds its bonds, and each bond points back at its two atoms: cycles of two objects everywhere.
public final class Atom: GCodable {
  /// The place of the atom in `Molecule.atoms`.
  public let index: Int
  /// The name inside of its residue, such as `CA`.
  public let name: String
  /// The type that the force field gives it, a name or a number.
  public let type: String
  /// The partial charge in elementary charges.
  public let charge: Double
  /// The mass in daltons.
  public let mass: Double
  /// The bonds to other atoms.
  public internal(set) var bonds: [Bond] = []
  /// The residue that owns this atom.
  public internal(set) weak var residue: Residue?

  init(index: Int, name: String, type: String, charge: Double, mass: Double) {
    self.index = index
    self.name = name
    self.type = type
    self.charge = charge
    self.mass = mass
  }

  /// The atoms at the other ends of the bonds.
  public var neighbours: [Atom] {
    bonds.compactMap { $0.partner(of: self) }
  }

  private enum Key: String {
    case index, name, type, charge, mass, bonds, residue
  }

  /// Reads an atom from an archive.
  public init(from decoder: GDecoder) throws {
    index = try decoder.decode(for: Key.index)
    name = try decoder.decode(for: Key.name)
    type = try decoder.decode(for: Key.type)
    charge = try decoder.decode(for: Key.charge)
    mass = try decoder.decode(for: Key.mass)
    bonds = try decoder.decode(for: Key.bonds)
    try decoder.deferDecode(for: Key.residue) { self.residue = $0 }
  }

  /// Writes the atom into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(index, for: Key.index)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(type, for: Key.type)
    try encoder.encode(charge, for: Key.charge)
    try encoder.encode(mass, for: Key.mass)
    try encoder.encode(bonds, for: Key.bonds)
    try encoder.encodeConditional(residue, for: Key.residue)
  }
}
