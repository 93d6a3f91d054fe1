#if Macros
  import SwiftSyntax

  /// Reads the properties that one declaration declares, and says what is wrong with it.
  struct PropertyReader {
    private let declaration: VariableDeclSyntax
    private let isClass: Bool
    private(set) var properties: [Property] = []
    private(set) var problems: [Problem] = []
    /// Whether there is a stored property without a value.
    private(set) var needsValue = false
    /// Whether there is a stored property that is not coded.
    private(set) var hasOtherStorage = false

    init(_ declaration: VariableDeclSyntax, isClass: Bool) {
      self.declaration = declaration
      self.isClass = isClass
      // `PropertyAttributeMacro` complains of attributes on these.
      guard declaration.isStored else {
        hasOtherStorage = declaration.modifiers.contains(.lazy)
        return
      }
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
      let hasValue = binding.initializer != nil || (!isLet && type?.isOptional == true)
      if !hasValue && !attributes.isWrapped { needsValue = true }
      if isConstant || attributes["GIgnored"] != nil { hasOtherStorage = true }
      if isConstant { return refuseAttributesOfConstant(attributes) }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        return problems.append(tuplePattern(binding))
      }
      if let ignored = attributes["GIgnored"] {
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
      let canWait = isClass && !isLet && hasValue
      let property = Property(
        name: name.trimmed, declaration: declaration, type: type, attributes: attributes,
        key: attributes.key?.literalText ?? name.identifier,
        olderKeys: attributes.olderKeys.compactMap(\.literalText),
        storage: attributes.isWrapped ? "_\(name.identifier)" : name.text,
        initialValue: binding.initializer?.value.trimmed, hasObservers: binding.accessorBlock != nil,
        isConditional: attributes["GConditional"] != nil || reference != nil,
        isDeferred: attributes["GDeferred"] != nil || (reference != nil && canWait))
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
      if isClass, declaration.reference == .unowned, !property.isDeferred,
        property.attributes["GConditional"] == nil
      {
        let variable = declaration.replacing(type, with: type.implicitlyUnwrapped)
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

    /// Neither of the type itself, nor made when it is first used.
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

    /// With another type for its only property.
    func replacing(_ type: TypeSyntax, with new: TypeSyntax) -> VariableDeclSyntax {
      var changed = self
      changed.bindings = PatternBindingListSyntax(
        bindings.map { $0.typeAnnotation == nil ? $0 : $0.with(\.typeAnnotation!.type, new) })
      return changed
    }
  }

  extension PatternBindingSyntax {
    /// It has no accessors but observers.
    var isStored: Bool {
      switch accessorBlock?.accessors {
      case nil: true
      case .getter: false
      case .accessors(let accessors):
        accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      }
    }
  }

  extension PatternBindingListSyntax {
    fileprivate init(source: String) {
      self = DeclSyntax("var \(raw: source)").as(VariableDeclSyntax.self)?.bindings ?? []
    }
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
