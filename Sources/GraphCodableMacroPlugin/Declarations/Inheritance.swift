#if Macros
  import SwiftSyntax

  /// Whether a class has a superclass, and whether that codes its own part.
  ///
  /// A macro sees names, and does not know which of them are classes. The compiler says which conformances are missing.
  struct Inheritance {
    /// The superclass codes its own part.
    private(set) var isCoded = false
    /// The superclass does not.
    private(set) var callsSuper = false
    private(set) var isSurelyRoot = false
    private(set) var problems: [Problem] = []

    init(
      of declaration: ClassDeclSyntax, _ options: TypeOptions, _ members: Members, _ missing: [String]
    ) throws(Problem) {
      let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type.withoutAttributes) ?? []
      isSurelyRoot = inherited.allSatisfy(\.isKnownProtocol)
      guard let first = inherited.first else {
        guard options.inherits == true, let argument = options.argument("inherits") else { return }
        throw Problem("'\(declaration.name.text)' has no superclass", at: argument)
          .fix(
            "remove 'inherits'", replacing: options.attribute, with: options.attribute.removing("inherits"))
      }
      let isMissing = missing.contains("GEncodable") || missing.contains("GDecodable")
      let declaresConformance = inherited.contains { type in Self.protocols.contains { type.isNamed($0) } }
      isCoded = options.inherits ?? !(declaresConformance || isMissing)
      // An `NSObject` has nothing to store.
      let isPlainObject = first.isNamed("NSObject")
      callsSuper = !isCoded && (members.hasSuper || isPlainObject)
      guard isMissing, !isPlainObject else { return }
      if options.inherits == true || (options.inherits == nil && members.hasSuper) {
        throw Problem(
          "the superclass '\(first.trimmedDescription)' does not adopt GCodable, so its properties would be lost",
          at: first
        ).fix(
          "store the properties of this class alone", replacing: options.attribute,
          with: options.attribute.setting("inherits", to: "false"))
      }
      if options.inherits == nil, !members.hasInitializer, !first.looksLikeProtocol {
        problems.append(
          Problem(
            "if '\(first.trimmedDescription)' is a class, its properties are lost, because it does not adopt GCodable",
            at: first, .warning
          ).fix(
            "store the properties of this class alone", replacing: options.attribute,
            with: options.attribute.setting("inherits", to: "false")))
      }
    }

    private static let protocols = ["GCodable", "GEncodable", "GDecodable"]
  }

  extension TypeSyntax {
    fileprivate var isKnownProtocol: Bool {
      let name = trimmedDescription.dropPrefix("Swift.").dropPrefix("GraphCodable.")
      return Self.knownProtocols.contains(name)
    }

    /// By the conventions of Swift for names.
    fileprivate var looksLikeProtocol: Bool {
      let name = trimmedDescription
      return isKnownProtocol
        || ["able", "ible", "ing", "Protocol", "Delegate"].contains { name.hasSuffix($0) }
    }

    private static let knownProtocols: Set<String> = [
      "AnyObject", "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible",
      "Decodable",
      "Encodable", "Equatable", "Error", "GArchiveNamed", "GCodable", "GDecodable", "GEncodable",
      "GIdentifiable",
      "GInheritance", "Hashable", "Identifiable", "ObservableObject", "Sendable",
    ]
  }
#endif
