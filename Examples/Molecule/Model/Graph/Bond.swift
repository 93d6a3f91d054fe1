import GraphCodable

/// A bond between two atoms, which both hold it.
public final class Bond: GCodable {
  /// The atom that the file names first.
  public internal(set) weak var first: Atom?
  /// The atom that the file names second.
  public internal(set) weak var second: Atom?

  init(_ first: Atom, _ second: Atom) {
    self.first = first
    self.second = second
  }

  /// The atom at the other end, or `nil` if `atom` is at neither.
  public func partner(of atom: Atom) -> Atom? {
    if first === atom { return second }
    if second === atom { return first }
    return nil
  }

  private enum Key: String {
    case first, second
  }

  /// Reads a bond from an archive.
  public init(from decoder: GDecoder) throws {
    // The atoms hold the bond, so they are complete only after it: the way back is deferred.
    try decoder.deferDecode(for: Key.first) { self.first = $0 }
    try decoder.deferDecode(for: Key.second) { self.second = $0 }
  }

  /// Writes the bond into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeConditional(first, for: Key.first)
    try encoder.encodeConditional(second, for: Key.second)
  }
}
