import GraphCodable

/// A segment: a chain of residues, or a group of them such as the water around a protein.
public final class Segment: GCodable {
  /// The name of the segment.
  public let name: String
  /// The residues of the segment.
  public internal(set) var residues: [Residue] = []

  init(name: String) {
    self.name = name
  }

  private enum Key: String {
    case name, residues
  }

  /// Reads a segment from an archive.
  public init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    residues = try decoder.decode(for: Key.residues)
  }

  /// Writes the segment into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(residues, for: Key.residues)
  }
}
