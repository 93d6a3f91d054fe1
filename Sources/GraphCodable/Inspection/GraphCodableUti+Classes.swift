/// Which classes could not be decoded.
extension GraphCodableUti {
  /// Checks that instances of classes can be encoded, and decoded as what they are, by a default decoder.
  ///
  ///     try GraphCodableUti.verifyArchivable(Molecule.self, Atom.self, Bond.self)
  ///
  /// - Throws: `classNotConstructible`, which names every class that could not be decoded, and why.
  public static func verifyArchivable(_ classes: AnyClass...) throws {
    try report(classes.compactMap { StoredClassNames.problem(of: $0) })
  }

  /// Checks that the class of each object in a graph can be decoded, by a default decoder.
  ///
  /// Call it in a test, with a model that has an instance of each class.
  ///
  /// - Parameters:
  ///   - root: the root of the graph, which is encoded.
  ///   - options: those of the encoder. Default: none.
  /// - Throws: `classNotConstructible`, which names every class that could not be decoded, and why; as
  ///   `GraphEncoder.encode`.
  public static func verifyArchivable<Root: GEncodable>(
    root: Root, options: GraphEncoder.Options = []
  ) throws {
    try report(GraphEncoder(options).lostClasses { try $0.writeRoot(root) })
  }

  /// Checks that the class of each object in a graph of `Codable` values can be decoded; see
  /// `verifyArchivable(root:options:)`.
  public static func verifyArchivable<Root: Encodable>(
    codableRoot root: Root, options: GraphEncoder.Options = []
  ) throws {
    try report(GraphEncoder(options).lostClasses { try $0.writeRoot(codable: root) })
  }

  private static func report(_ problems: [GCodableError]) throws {
    guard problems.count > 1 else { return try problems.first.map { throw $0 } ?? () }
    let lines = problems.map { "\n\t\($0.typeName ?? ""): \($0.context.debugDescription)" }.sortedOutOfLine(
      by: <)
    throw GCodableError(
      .classNotConstructible, "\(lines.count) classes could not be decoded:" + lines.joined())
  }
}
