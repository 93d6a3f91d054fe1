#if Macros
  import SwiftSyntax

  /// Reads the properties of one declaration, and reports what is wrong with it.
  struct PropertyReader {
    private let declaration: VariableDeclSyntax
    private let isClass: Bool
    private(set) var properties: [Property] = []
    private(set) var problems: [Problem] = []
    /// Whether there is a stored property without a value.
    private(set) var needsValue = false
    /// Whether there is a stored property that is not coded.
    private(set) var hasOtherStorage = false
    /// The name of a property left out on purpose.
    private(set) var leftOut: TokenSyntax?

    private let userLines: UserLines

    init(_ declaration: VariableDeclSyntax, isClass: Bool, _ userLines: UserLines) {
      self.declaration = declaration
      self.isClass = isClass
      self.userLines = userLines
      // `PropertyAttributeMacro` rejects attributes on these.
      guard declaration.isStored else {
        hasOtherStorage = declaration.modifiers.contains(.lazy)
        return
      }
      // Stored by the superclass, with or without observers.
      if declaration.modifiers.contains(.override) { return }
      do throws(Problem) {
        let attributes = try PropertyAttributes(declaration.attributes)
        for (binding, type) in declaration.typedBindings { read(binding, type, attributes) }
      } catch { problems.append(error) }
    }

    private mutating func read(
      _ binding: PatternBindingSyntax, _ type: TypeSyntax?, _ attributes: PropertyAttributes
    ) {
      guard binding.isStored else { return }
      let isLet = declaration.bindingSpecifier.tokenKind == .keyword(.let)
      let isConstant = isLet && binding.initializer != nil && !attributes.isWrapped
      let hasValue = binding.initializer != nil || (!isLet && type?.isNilAtFirst == true)
      if !hasValue && !attributes.isWrapped { needsValue = true }
      if isConstant || attributes["GIgnored"] != nil { hasOtherStorage = true }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        if isConstant, attributes["GIgnored"] != nil { return }
        return problems.append(tuplePattern(binding))
      }
      if isConstant, let value = binding.initializer?.value {
        if isClass { leftOut = name }
        // It has the same value in all instances.
        if value.isConstant(as: type) || attributes["GIgnored"] != nil {
          return refuseAttributesOfConstant(attributes)
        }
        if isClass { return warnOfConstant(name, attributes) }
      }
      if let ignored = attributes["GIgnored"] {
        leftOut = name
        return checkIgnored(ignored, binding, name, attributes, hasValue: hasValue)
      }
      if let type, let obstacle = type.obstacle, !attributes.isWrapped {
        return problems.append(
          Problem(obstacle, at: type)
            .fix(
              "leave the property out by '@GIgnored'", replacing: declaration,
              with: declaration.adding(attribute: "@GIgnored")))
      }
      let reference = declaration.reference
      let canWait = isClass && !isLet && (hasValue || type?.isOptional == true)
      let isDeferred = attributes["GDeferred"] != nil || (reference != nil && canWait)
      let property = Property(
        name: name, declaration: declaration, type: type, attributes: attributes,
        key: attributes.key?.literalText ?? name.identifier,
        olderKeys: attributes.olderKeys.compactMap(\.literalText),
        storage: attributes.isWrapped ? name.wrapperStorage : name.text,
        initialValue: binding.initializer?.value.trimmed, hasObservers: binding.accessorBlock != nil,
        isConditional: attributes["GConditional"] != nil || reference != nil,
        order: isConstant ? .constant : isDeferred ? .deferred : .plain, isWrapped: attributes.isWrapped,
        isSetToNil: isDeferred && !hasValue, userLine: userLines.line(of: name))
      check(property, binding, canWait: canWait)
      properties.append(property)
    }

    // MARK: Problems

    private mutating func refuseAttributesOfConstant(_ attributes: PropertyAttributes) {
      for (name, attribute) in attributes.all where name != "GIgnored" {
        problems.append(
          Problem("a constant with a value is not stored, so '@\(name)' says nothing", at: attribute)
            .fix("make it a variable", replacing: declaration, with: declaration.asVariable))
      }
    }

    /// A constant of a class cannot be set again once it has a value.
    private mutating func warnOfConstant(_ name: TokenSyntax, _ attributes: PropertyAttributes) {
      if !attributes.all.isEmpty { return refuseAttributesOfConstant(attributes) }
      problems.append(
        Problem(
          "'\(name.identifier)' is not stored: a constant of a class that has a value cannot get another one, "
            + "so a copy has a new value",
          at: name, .warning
        )
        .fix("make it a variable", replacing: declaration, with: declaration.asVariable)
        .fix(
          "leave it out by '@GIgnored'", replacing: declaration,
          with: declaration.adding(attribute: "@GIgnored")))
    }

    private mutating func checkIgnored(
      _ ignored: AttributeSyntax, _ binding: PatternBindingSyntax, _ name: TokenSyntax,
      _ attributes: PropertyAttributes, hasValue: Bool
    ) {
      if let other = attributes.all.first(where: { $0.key != "GIgnored" }) {
        problems.append(
          Problem("an ignored property is not stored, so '@\(other.key)' says nothing", at: other.value)
            .fix(
              "remove '@\(other.key)'", replacing: declaration, with: declaration.removing(other.value)))
      }
      guard !hasValue, !attributes.isWrapped else { return }
      let initialized = binding.with(\.pattern.trailingTrivia, binding.typeAnnotation == nil ? .space : [])
        .with(\.typeAnnotation, binding.typeAnnotation?.with(\.trailingTrivia, .space))
        .with(
          \.initializer,
          InitializerClauseSyntax(
            equal: .equalToken(trailingTrivia: .space), value: ExprSyntax("<#value#>")))
      problems.append(
        Problem("'\(name.identifier)' is ignored and needs an initial value", at: name)
          .fix("give it an initial value", replacing: binding, with: initialized))
    }

    private mutating func check(_ property: Property, _ binding: PatternBindingSyntax, canWait: Bool) {
      let name = property.name.identifier
      if let deferred = property.attributes["GDeferred"] {
        if !isClass {
          problems.append(
            Problem(
              "only a property of a class can be deferred: a copy of a value would not get it", at: deferred
            )
            .fix("remove '@GDeferred'", replacing: declaration, with: declaration.removing(deferred)))
        } else if declaration.bindingSpecifier.tokenKind == .keyword(.let) {
          problems.append(
            Problem(
              "'\(name)' is set after 'init(from:)' and cannot be a constant",
              at: declaration.bindingSpecifier
            )
            .fix("make it a variable", replacing: declaration, with: declaration.asVariable))
        } else if !canWait, let type = property.type {
          problems.append(
            Problem("'\(name)' is set after 'init(from:)' and needs a value before", at: type)
              .fix("make it optional", replacing: type, with: type.implicitlyUnwrapped))
        }
        if let attribute = property.attributes["GDefault"] {
          problems.append(
            Problem("a deferred property keeps its initial value where the archive has none", at: attribute)
              .fix("remove '@GDefault'", replacing: declaration, with: declaration.removing(attribute)))
        }
      }
      guard let type = property.type else { return }
      if let attribute = property.attributes["GConditional"], !type.isOptional, declaration.reference == nil {
        problems.append(
          Problem("'\(name)' may be missing in an archive and should be optional", at: attribute, .warning)
            .fix("make it optional", replacing: type, with: type.optional))
      }
      let isLet = declaration.bindingSpecifier.tokenKind == .keyword(.let)
      if isClass, declaration.reference == .unowned || (declaration.reference != nil && isLet),
        !property.isDeferred,
        property.attributes["GConditional"] == nil
      {
        let variable =
          type.isOptional ? declaration : declaration.replacing(type, with: type.implicitlyUnwrapped)
        problems.append(
          Problem(
            "'\(name)' must be set in 'init(from:)' and cannot wait for an object that leads here", at: type,
            .warning
          )
          .fix("let it wait", replacing: declaration, with: variable.asVariable)
          .fix(
            "do not wait", replacing: declaration, with: declaration.adding(attribute: "@GConditional")))
      }
    }

    /// `var (a, b): (A, B) = (x, y)`, with `var a: A = x, b: B = y` in its place.
    private func tuplePattern(_ binding: PatternBindingSyntax) -> Problem {
      let problem = Problem(
        "properties in a tuple cannot be told apart; declare each by itself", at: binding.pattern)
      guard let pattern = binding.pattern.as(TuplePatternSyntax.self), declaration.bindings.count == 1 else {
        return problem
      }
      let types = binding.typeAnnotation?.type.as(TupleTypeSyntax.self)?.elements.map(
        \.type.trimmedDescription)
      let values = binding.initializer?.value.as(TupleExprSyntax.self)?.elements.map(
        \.expression.trimmedDescription)
      let count = pattern.elements.count
      guard (types ?? values) != nil, types?.count ?? count == count, values?.count ?? count == count,
        values != nil || binding.initializer == nil
      else { return problem }
      let bindings = pattern.elements.enumerated().map { index, element in
        element.pattern.trimmedDescription + (types.map { ": \($0[index])" } ?? "")
          + (values.map { " = \($0[index])" } ?? "")
      }
      var separate = declaration
      separate.bindings = PatternBindingListSyntax(source: bindings.joined(separator: ", "))
      return problem.fix("declare each by itself", replacing: declaration, with: separate)
    }
  }

  extension VariableDeclSyntax {
    enum Reference { case weak, unowned }

    var reference: Reference? {
      modifiers.contains(.weak) ? .weak : modifiers.contains(.unowned) ? .unowned : nil
    }

    /// Neither static nor lazy.
    var isStored: Bool {
      !modifiers.contains(.static) && !modifiers.contains(.class) && !modifiers.contains(.lazy)
    }

    /// In `var x, y: Int`, `x` has the type of `y`.
    var typedBindings: [(PatternBindingSyntax, TypeSyntax?)] {
      var typed: [(PatternBindingSyntax, TypeSyntax?)] = []
      var next: TypeSyntax?
      for binding in bindings.reversed() {
        let type = binding.typeAnnotation?.type.trimmed ?? (binding.initializer == nil ? next : nil)
        next = type
        typed.append((binding, binding.typeAnnotation?.type ?? type))
      }
      return typed.reversed()
    }

    /// The declaration with another type for its only property.
    func replacing(_ type: TypeSyntax, with new: TypeSyntax) -> VariableDeclSyntax {
      var changed = self
      changed.bindings = PatternBindingListSyntax(
        bindings.map { $0.typeAnnotation == nil ? $0 : $0.with(\.typeAnnotation!.type, new) })
      return changed
    }
  }

  extension PatternBindingSyntax {
    /// It has no accessors other than observers.
    var isStored: Bool {
      guard let accessors = accessorBlock?.accessors else { return true }
      guard case .accessors(let list) = accessors else { return false }
      return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }

  extension PatternBindingListSyntax {
    fileprivate init(source: String) {
      self = DeclSyntax("var \(raw: source)").as(VariableDeclSyntax.self)?.bindings ?? []
    }
  }

  extension TokenSyntax {
    /// The name under which Swift stores the wrapper of a property.
    fileprivate var wrapperStorage: String {
      let name = "_\(identifier)"
      return identifier.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : "`\(name)`"
    }
  }

  extension ExprSyntax {
    /// Whether this is a literal of a type in which each literal denotes one value.
    fileprivate func isConstant(as type: TypeSyntax?) -> Bool {
      guard isLiteral else { return false }
      guard let type else { return true }
      if let wrapped = type.wrappedOptional { return isConstant(as: wrapped) }
      if let array = type.as(ArrayTypeSyntax.self) { return isConstant(as: array.element) }
      if let pairs = type.as(DictionaryTypeSyntax.self) {
        return isConstant(as: pairs.key) && isConstant(as: pairs.value)
      }
      return Self.typesOfLiterals.contains(type.trimmedDescription.dropPrefix("Swift."))
    }

    private static let typesOfLiterals: Set<String> = [
      "Bool", "String", "Substring", "Character", "StaticString", "Double", "Float", "Float16", "CGFloat",
      "Int",
      "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
      "TimeInterval", "Decimal",
    ]
  }

  extension TypeSyntax {
    var optional: TypeSyntax { suffixed("?") }
    var implicitlyUnwrapped: TypeSyntax { suffixed("!") }

    private func suffixed(_ mark: String) -> TypeSyntax {
      let text = trimmedDescription
      let needsParentheses = self.is(SomeOrAnyTypeSyntax.self) || self.is(FunctionTypeSyntax.self)
      return TypeSyntax(stringLiteral: needsParentheses ? "(\(text))\(mark)" : text + mark)
        .with(\.leadingTrivia, leadingTrivia).with(\.trailingTrivia, trailingTrivia)
    }
  }
#endif
