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

  /// Checks that a default decoder can decode the class of each object in a graph.
  ///
  /// Call it in a test, with a model that has an instance of each class.
  ///
  /// - Parameters:
  ///   - root: the root of the graph, which is encoded.
  ///   - options: the options of the encoder. Default: none.
  /// - Throws: `classNotConstructible`, which names every class that could not be decoded, with the reason; as
  ///   `GraphEncoder.encode`.
  public static func verifyArchivable<Root: GEncodable>(
    root: Root, options: GraphEncoder.Options = []
  ) throws {
    try report(GraphEncoder(options).lostClasses { try $0.writeRoot(root) })
  }

  /// Checks that a default decoder can decode the class of each object in a graph of `Codable` values; see
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
