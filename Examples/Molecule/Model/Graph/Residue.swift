import GraphCodable

/// A residue: one building block of a chain, such as an amino acid.
public final class Residue: GCodable {
  /// The number in its segment as the file gives it, which may have a letter.
  public let number: String
  /// The kind of residue, such as `MET`.
  public let name: String
  /// The atoms of the residue.
  public internal(set) var atoms: [Atom] = []
  /// The segment that owns this residue.
  public internal(set) weak var segment: Segment?

  init(number: String, name: String) {
    self.number = number
    self.name = name
  }

  private enum Key: String {
    case number, name, atoms, segment
  }

  /// Reads a residue from an archive.
  public init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.number)
    name = try decoder.decode(for: Key.name)
    atoms = try decoder.decode(for: Key.atoms)
    try decoder.deferDecode(for: Key.segment) { self.segment = $0 }
  }

  /// Writes the residue into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Key.number)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(atoms, for: Key.atoms)
    try encoder.encodeConditional(segment, for: Key.segment)
  }
}
