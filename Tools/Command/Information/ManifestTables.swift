import GraphCodable

/// What the manifest of a set says of its parts and of the pieces of its arrays: see `Documentation/Format.md`.
struct ManifestTables: GDecodable {
  let token: String
  let partNames: [String]
  let byteCounts: [UInt64]
  let arrays: [Array]

  struct Array: GDecodable {
    /// For each piece the number of its part, and which of the paths leads to it there.
    let parts: [Int]
    let pathNumbers: [Int]
    let paths: [String]

    private enum Key: String { case parts, pathNumbers, paths }

    init(from decoder: GDecoder) throws {
      parts = try decoder.decode(for: Key.parts)
      pathNumbers = try decoder.decode(for: Key.pathNumbers)
      paths = try decoder.decode(for: Key.paths)
    }
  }

  private enum Key: String { case token, partNames, byteCounts, arrays }

  init(from decoder: GDecoder) throws {
    token = try decoder.decode(for: Key.token)
    partNames = try decoder.decode(for: Key.partNames)
    byteCounts = try decoder.decode(for: Key.byteCounts)
    arrays = try decoder.decode(for: Key.arrays)
  }

  /// Reads those of a set, whose manifest has been checked when it was opened.
  ///
  /// - Throws: `Failure` where the set was replaced since then.
  static func of(_ set: GraphArchiveSet, _ name: String) throws -> ManifestTables {
    let manifest = set.url.appendingPathComponent(SetNames.manifest)
    let tables = try GraphDecoder().read(ManifestTables.self, from: manifest)
    guard tables.token == set.token else {
      throw Failure("\(name): the set was replaced while it was read", status: .unreadable)
    }
    return tables
  }
}
