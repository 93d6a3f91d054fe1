#if Macros
  import SwiftSyntax

  /// A stored property that is coded.
  struct Property {
    /// When it is coded.
    enum Order {
      case plain
      /// After everything that a complete instance needs: a constant that already has a value.
      case constant
      /// When all objects have been created.
      case deferred
    }

    /// As written in the source, including backticks.
    var name: TokenSyntax
    let declaration: VariableDeclSyntax
    /// nil if only the initial value tells the type.
    let type: TypeSyntax?
    let attributes: PropertyAttributes
    let key: String
    let olderKeys: [String]
    /// The target of the assignment: for a wrapped property, its wrapper.
    let storage: String
    let initialValue: ExprSyntax?
    let hasObservers: Bool
    let isConditional: Bool
    let order: Order
    /// Whether a wrapper stores it, and is coded.
    var isWrapped = false
    /// Whether it must be set to nil until it is decoded: Swift initializes only `T?` to nil automatically.
    var isSetToNil = false
    /// Where the user declared it.
    var userLine: Int?

    /// The case for the key.
    var keyCase: String { name.keyCase }
    /// Names of the cases for the older keys.
    var olderCases: [String] { olderKeys.indices.map { "\(keyCase.dropBackticks)_was\($0 + 1)" } }
    var keyPath: String { "GCodingKey.\(keyCase)" }
    /// Including the older ones.
    var keyPaths: [String] { [keyPath] + olderCases.map { "GCodingKey.\($0)" } }

    var hasInitialValue: Bool { initialValue != nil }
    var isDeferred: Bool { order == .deferred }
    var isVariable: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.var) }

    /// A wrapped property is not optional, because its wrapper is stored.
    var isOptional: Bool { !isWrapped && type?.isOptional == true }

    /// How objects behind protocols in it are coded.
    var form: ObjectForm? { isWrapped ? nil : type.flatMap { ObjectForm($0) } }

    /// What is encoded.
    var encoded: String {
      if isWrapped { return "\(ModuleNames.support)wrapper(self.\(storage))" }
      return form?.wrap("self.\(storage)") ?? "self.\(storage)"
    }

    /// The same, with the wrapper as the value.
    var withoutWrapper: Property {
      Property(
        name: name, declaration: declaration, type: nil, attributes: attributes, key: key,
        olderKeys: olderKeys,
        storage: storage, initialValue: initialValue, hasObservers: hasObservers,
        isConditional: isConditional,
        order: order)
    }
  }

  extension TokenSyntax {
    /// Without backticks.
    var identifier: String {
      text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
        ? String(text.dropFirst().dropLast()) : text
    }

    /// As the name of a case: some names cannot be written after a type and a dot.
    var keyCase: String {
      let name = identifier
      guard text != name || ["Type", "Protocol", "self", "init"].contains(name) else { return name }
      let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      if isPlain, !["Type", "Protocol", "self", "init"].contains(name) { return "`\(name)`" }
      let letters = name.unicodeScalars.map { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          ? String(scalar) : "_" + String(scalar.value, radix: 16) + "_"
      }
      return "named_" + letters.joined()
    }
  }

  extension TypeSyntax {
    var isOptional: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
        || self.as(MemberTypeSyntax.self)?.name.text == "Optional"
    }

    /// Whether a variable of the type is nil without being set.
    var isNilAtFirst: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }

    /// The type, with `?` instead of `!`.
    var explicitOptional: String {
      self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { "\($0.wrappedType.trimmedDescription)?" }
        ?? trimmedDescription
    }
  }
#endif
