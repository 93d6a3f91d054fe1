#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The actor that a type belongs to, as far as its declaration tells.
  enum Isolation: Equatable {
    /// Determined by the compiler's options, a superclass or a protocol.
    case implied
    case nonisolated
    /// An attribute such as `@MainActor`.
    case actor(String)

    init(_ declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext) {
      if declaration.modifiers.contains(.nonisolated) {
        self = .nonisolated
      } else if let actor = declaration.attributes.globalActor {
        self = .actor(actor)
      } else {
        // A type inside a nonisolated one, or inside an extension of that kind, is nonisolated as well.
        let outer = context.lexicalContext.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
          .first { $0.modifiers.contains(.nonisolated) || $0.attributes.globalActor != nil }
        self = outer?.modifiers.contains(.nonisolated) == true ? .nonisolated : .implied
      }
    }

    /// Precedes an extension of the type.
    var ofExtension: String { self == .nonisolated ? "nonisolated " : "" }

    /// Precedes a protocol that the type conforms to: the conformance may be used only there.
    var ofConformance: String {
      switch self {
      case .implied: ""
      case .nonisolated: "nonisolated "
      case .actor(let attribute): "\(attribute) "
      }
    }
  }

  extension Isolation {
    /// A call made by the main thread when the program starts; nil for a type of another actor.
    func onMainThread(_ call: String) -> String? {
      guard case .actor(let attribute) = self else { return call }
      return attribute == "@MainActor" || attribute == "@Swift.MainActor"
        ? "\(ModuleNames.swift)MainActor.assumeIsolated { \(call) }" : nil
    }
  }

  extension AttributeListSyntax {
    /// An attribute that names a global actor, by the convention for their names.
    fileprivate var globalActor: String? {
      for element in self {
        guard case .attribute(let attribute) = element, attribute.baseName.isGlobalActor else { continue }
        return "@\(attribute.attributeName.trimmedDescription)"
      }
      return nil
    }
  }

  extension String {
    var isGlobalActor: Bool { hasSuffix("Actor") }
  }

  extension TypeSyntax {
    /// Without attributes and specifiers, such as `@MainActor` or `nonisolated` in an inheritance clause.
    var withoutAttributes: TypeSyntax {
      self.as(AttributedTypeSyntax.self).map { $0.baseType.withoutAttributes } ?? self
    }
  }
#endif
