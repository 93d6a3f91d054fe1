#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Who may use a type, as far as its members have to say so.
  enum Access {
    case open, `public`, package, other

    /// The type's own, or that of the extension that it is declared in.
    init(_ modifiers: DeclModifierListSyntax, _ context: some MacroExpansionContext) {
      if let own = Self.explicit(modifiers) {
        self = own
      } else if let outer = context.lexicalContext.first?.as(ExtensionDeclSyntax.self) {
        self = Self.explicit(outer.modifiers) ?? .other
      } else {
        self = .other
      }
    }

    private static func explicit(_ modifiers: DeclModifierListSyntax) -> Access? {
      for modifier in modifiers where modifier.detail == nil {
        switch modifier.name.tokenKind {
        case .keyword(.open): return .open
        case .keyword(.public): return .public
        case .keyword(.package): return .package
        case .keyword(.internal), .keyword(.fileprivate), .keyword(.private): return .other
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
      case .other: ""
      }
    }
  }

  extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }
  }
#endif
