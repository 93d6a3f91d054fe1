import GraphCodable

/// The angle between two bonds: a value that points at shared atoms.
public struct Angle: GCodable {
  /// The atom at one end.
  public let first: Atom
  /// The atom in the middle.
  public let vertex: Atom
  /// The atom at the other end.
  public let last: Atom

  init(_ first: Atom, _ vertex: Atom, _ last: Atom) {
    self.first = first
    self.vertex = vertex
    self.last = last
  }

  /// The three atoms in order.
  public var atoms: [Atom] { [first, vertex, last] }

  private enum Key: String {
    case first, vertex, last
  }

  /// Reads an angle from an archive.
  public init(from decoder: GDecoder) throws {
    first = try decoder.decode(for: Key.first)
    vertex = try decoder.decode(for: Key.vertex)
    last = try decoder.decode(for: Key.last)
  }

  /// Writes the angle into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(first, for: Key.first)
    try encoder.encode(vertex, for: Key.vertex)
    try encoder.encode(last, for: Key.last)
  }
}
