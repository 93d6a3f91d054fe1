#if Macros
  import SwiftSyntax

  /// A stored property that is coded.
  struct Property {
    /// As in the source, with backticks if it has any.
    var name: TokenSyntax
    let declaration: VariableDeclSyntax
    /// nil where only the initial value tells.
    let type: TypeSyntax?
    let attributes: PropertyAttributes
    let key: String
    let olderKeys: [String]
    /// What is assigned to: the wrapper of a wrapped property.
    let storage: String
    let initialValue: ExprSyntax?
    let hasObservers: Bool
    let isConditional: Bool
    let isDeferred: Bool

    /// Names of the cases for the older keys.
    var olderCases: [String] { olderKeys.indices.map { "\(name.identifier)_was\($0 + 1)" } }

    var hasInitialValue: Bool { initialValue != nil }

    /// A wrapped property is not optional: its wrapper is what is stored.
    var isOptional: Bool { storage == name.text && type?.isOptional == true }
  }

  extension TokenSyntax {
    /// Without backticks.
    var identifier: String {
      text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
        ? String(text.dropFirst().dropLast()) : text
    }
  }

  extension TypeSyntax {
    var isOptional: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
        || self.as(MemberTypeSyntax.self)?.name.text == "Optional"
    }

    /// The type, with `?` instead of `!`.
    var explicitOptional: String {
      self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { "\($0.wrappedType.trimmedDescription)?" }
        ?? trimmedDescription
    }

    /// Why no value of the type can be stored, if that can be seen.
    var obstacle: String? {
      if let tuple = self.as(TupleTypeSyntax.self) {
        if tuple.elements.count == 1, let only = tuple.elements.first { return only.type.obstacle }
        return "tuples cannot be stored; use a struct"
      }
      if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.obstacle }
      if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        return optional.wrappedType.obstacle
      }
      if let array = self.as(ArrayTypeSyntax.self) { return array.element.obstacle }
      if let pairs = self.as(DictionaryTypeSyntax.self) { return pairs.key.obstacle ?? pairs.value.obstacle }
      if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.obstacle }
      if self.is(FunctionTypeSyntax.self) { return "functions cannot be stored" }
      if self.is(MetatypeTypeSyntax.self) { return "metatypes cannot be stored" }
      return nil
    }
  }
#endif
