#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Who may use a type, as far as its members have to say so.
  enum Access: Int {
    /// A part of the source, because the type stands in one that nothing else sees.
    case hidden
    case other, package, `public`, open

    /// The least of the type's own and of the types around it.
    init(_ modifiers: DeclModifierListSyntax, _ context: some MacroExpansionContext) {
      let outer = context.lexicalContext.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
      var access = Self.explicit(modifiers) ?? Self.implied(by: outer.first)
      if access == .hidden { access = .other }  // A type's own, which holds for its members.
      for (index, type) in outer.enumerated() {
        // An extension does not tell who may use its type.
        guard !type.is(ExtensionDeclSyntax.self) else { continue }
        let own = Self.explicit(type.modifiers) ?? Self.implied(by: outer.dropFirst(index + 1).first)
        // That a class around is open says nothing of this one.
        if own.rawValue < access.rawValue { access = own }
      }
      self = access
    }

    /// That of what an extension with access declares.
    private static func implied(by outer: (any DeclGroupSyntax)?) -> Access {
      outer?.as(ExtensionDeclSyntax.self).flatMap { explicit($0.modifiers) } ?? .other
    }

    private static func explicit(_ modifiers: DeclModifierListSyntax) -> Access? {
      for modifier in modifiers where modifier.detail == nil {
        switch modifier.name.tokenKind {
        case .keyword(.open): return .open
        case .keyword(.public): return .public
        case .keyword(.package): return .package
        case .keyword(.internal): return .other
        case .keyword(.fileprivate), .keyword(.private): return .hidden
        default: break
        }
      }
      return nil
    }

    /// In front of what a subclass outside of the module may override.
    var overridable: String { self == .open ? "open " : plain }

    /// In front of other members.
    var plain: String {
      switch self {
      case .open, .public: "public "
      case .package: "package "
      case .other, .hidden: ""
      }
    }

    /// In front of a property whose type is made of the type itself.
    var ofOwnType: String { self == .hidden ? "fileprivate " : plain }
  }

  extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }
  }
#endif
