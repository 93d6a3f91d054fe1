#if Macros
  import SwiftSyntax

  /// What stands for the coding of a type with errors, so that the compiler says nothing else about it.
  enum Stub {
    static func members(missing protocols: [TypeSyntax], isClass: Bool = true) -> [DeclSyntax] {
      guard !protocols.isEmpty else { return [] }
      return [
        "func encode(to encoder: GraphCodable.GEncoder) throws { Swift.fatalError() }",
        "\(raw: isClass ? "required " : "")init(from decoder: GraphCodable.GDecoder) throws { Swift.fatalError() }",
      ]
    }

    static func `extension`(
      of type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax], isEmpty: Bool = false
    ) -> [ExtensionDeclSyntax] {
      let conformances = protocols.map(\.trimmedDescription).filter { !$0.hasSuffix("GArchiveNamed") }
      guard !conformances.isEmpty else { return [] }
      let members = isEmpty ? [] : members(missing: protocols, isClass: false).map(\.description)
      return [
        ExtensionDeclSyntax(
          unparsed: "\(type.trimmed): \(conformances.joined(separator: ", "))", members: members)
      ]
    }
  }
#endif
