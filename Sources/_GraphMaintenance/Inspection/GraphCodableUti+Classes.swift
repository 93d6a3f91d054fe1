import _GraphCoding
import _GraphSupport

/// Which classes could not be decoded.
extension GraphCodableUti {
  /// Checks that a default decoder can decode instances of the classes as instances of the same classes.
  ///
  ///     try GraphCodableUti.verifyArchivable(Molecule.self, Atom.self, Bond.self)
  ///
  /// - Throws: `classNotConstructible`, which names every class that could not be decoded, with the reason.
  public static func verifyArchivable(_ classes: AnyClass...) throws {
    try report(classes.compactMap { StoredClassNames.problem(of: $0) })
  }

  /// Checks that a default decoder can decode a graph, and the class of each object in it.
  ///
  /// Call it in a test, with a model that has an instance of each class, and cycles as the graphs of users have them. It finds
  /// classes that cannot be decoded or lose properties, and objects that need each other in `init(from:)`.
  ///
  /// - Parameters:
  ///   - root: the root of the graph, which is encoded.
  ///   - options: the options of the encoder. Default: none.
  /// - Throws: `classNotConstructible`, which names every class that could not be decoded, with the reason; `cycle` for
  ///   objects that need each other; as `GraphEncoder.encode`. Other errors of `init(from:)` are ignored: it may need a
  ///   decoder with other settings.
  public static func verifyArchivable<Root: GEncodable>(
    root: Root, options: GraphEncoder.Options = []
  ) throws {
    try report(GraphEncoder(options).lostClasses { try $0.writeRoot(root) })
    guard let type = Root.self as? any GDecodable.Type else { return }
    try findCycle(in: GraphEncoder(options).encode(root) as Bytes) {
      _ = try GraphDecoder().decode(type, from: $0)
    }
  }

  /// Checks that a default decoder can decode a graph of `Codable` values, and the class of each object in it; see
  /// `verifyArchivable(root:options:)`.
  public static func verifyArchivable<Root: Encodable>(
    codableRoot root: Root, options: GraphEncoder.Options = []
  ) throws {
    try report(GraphEncoder(options).lostClasses { try $0.writeRoot(codable: root) })
    guard let type = Root.self as? any Decodable.Type else { return }
    try findCycle(in: GraphEncoder(options).encode(codable: root) as Bytes) {
      _ = try GraphDecoder().decode(codable: type, from: $0)
    }
  }

  private static func findCycle(in bytes: Bytes, decode: (Bytes) throws -> Void) throws {
    do { try decode(bytes) } catch let error as GCodableError where error.code == .cycle { throw error } catch
    {}
  }

  private static func report(_ problems: [GCodableError]) throws {
    guard problems.count > 1 else { return try problems.first.map { throw $0 } ?? () }
    let lines = problems.map { "\n\t\($0.typeName ?? ""): \($0.context.debugDescription)" }.sortedOutOfLine(
      by: <)
    throw GCodableError(
      .classNotConstructible, "\(lines.count) classes could not be decoded:" + lines.joined())
  }
}
