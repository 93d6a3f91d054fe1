#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The access level of a type, as far as its members have to state it.
  enum Access: Int {
    /// Part of the source file, because the type is in a scope that nothing else sees.
    case hidden
    case other, package, `public`, open

    /// The lowest level of the type and the types around it.
    init(_ modifiers: DeclModifierListSyntax, _ context: some MacroExpansionContext) {
      let outer = context.lexicalContext.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
      var access = Self.explicit(modifiers) ?? Self.implied(by: outer.first)
      if access == .hidden { access = .other }  // A type's own, which holds for its members.
      for (index, type) in outer.enumerated() {
        // An extension does not tell the access level of its type.
        guard !type.is(ExtensionDeclSyntax.self) else { continue }
        let own = Self.explicit(type.modifiers) ?? Self.implied(by: outer.dropFirst(index + 1).first)
        // An enclosing open class says nothing about this type.
        if own.rawValue < access.rawValue { access = own }
      }
      self = access
    }

    /// The level of the declarations in an extension with an access modifier.
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

    /// Precedes members that a subclass outside the module may override.
    var overridable: String { self == .open ? "open " : plain }

    /// Precedes other members.
    var plain: String {
      switch self {
      case .open, .public: "public "
      case .package: "package "
      case .other, .hidden: ""
      }
    }

    /// Precedes a property whose type involves the type itself.
    var ofOwnType: String { self == .hidden ? "fileprivate " : plain }
  }

  extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }
  }
#endif
