#if Macros
  import SwiftSyntax

  /// Checks that need the whole type.
  struct TypeChecks {
    private(set) var problems: [Problem] = []

    init(_ type: TypeDeclaration) {
      checkKeys(type.members.properties)
      checkNames(type.members.cases)
      guard type.isClass else { return }
      checkGenerics(type)
      checkNames(type)
      for property in type.members.properties.flatMap(\.elements) { checkSelfReference(property, type.name) }
    }

    private mutating func checkKeys(_ parts: [Part<Property>]) {
      checkUnique(parts) { property in
        let node = property.attributes["GKey"].map { Syntax($0) } ?? Syntax(property.name)
        return ([property.key] + property.olderKeys).map { ($0, node, Optional(property.declaration)) }
      }
    }

    private mutating func checkNames(_ parts: [Part<EnumCase>]) {
      var names: Set<String> = []
      checkOverloads(parts, &names)
      guard problems.isEmpty else { return }
      checkUnique(parts) { element in
        ([element.key] + element.olderKeys).map { ($0, Syntax(element.element.name), nil) }
      }
    }

    /// In Swift 6.3, a switch takes the first of several cases with one name for all of them, whatever their labels.
    private mutating func checkOverloads(_ parts: [Part<EnumCase>], _ names: inout Set<String>) {
      for part in parts {
        switch part {
        case .one(let element):
          let name = element.name.identifier
          guard !names.insert(name).inserted else { continue }
          problems.append(
            Problem(
              "there is another case '\(name)', and Swift cannot tell them apart in a switch; give it another name, and "
                + "keep its name in archives by '@GKey'",
              at: element.element.name
            )
            .fix(
              "give the case a name of its own", replacing: element.element.name,
              with: element.element.name.with(\.tokenKind, .identifier("<#name#>"))))
        case .conditional(let clauses):
          var all = names
          for clause in clauses {
            var own = names
            checkOverloads(clause.parts, &own)
            all.formUnion(own)
          }
          names = all
        }
      }
    }

    /// Counts each key once, because clauses of one `#if` exclude each other.
    private mutating func checkUnique<Element>(
      _ parts: [Part<Element>], _ keys: (Element) -> [(String, Syntax, VariableDeclSyntax?)]
    ) {
      var known: Set<String> = []
      checkUnique(parts, keys, &known)
    }

    private mutating func checkUnique<Element>(
      _ parts: [Part<Element>], _ keys: (Element) -> [(String, Syntax, VariableDeclSyntax?)],
      _ known: inout Set<String>
    ) {
      for part in parts {
        switch part {
        case .one(let element):
          for (key, node, declaration) in keys(element) where !known.insert(key).inserted {
            var problem = Problem("the key \"\(key)\" is used twice", at: node)
            if let declaration {
              var changed = declaration
              for case .attribute(let attribute) in declaration.attributes where attribute.baseName == "GKey"
              {
                changed = changed.removing(attribute)
              }
              problem = problem.fix(
                "give the property a key of its own", replacing: declaration,
                with: changed.adding(attribute: "@GKey(\"<#key#>\")"))
            }
            problems.append(problem)
          }
        case .conditional(let clauses):
          var all = known
          for clause in clauses {
            var own = known
            checkUnique(clause.parts, keys, &own)
            all.formUnion(own)
          }
          known = all
        }
      }
    }

    /// `init(from:)` is in the class itself, so the parameters must be coded wherever the class is used.
    private mutating func checkGenerics(_ type: TypeDeclaration) {
      let types = type.members.properties.flatMap(\.elements).compactMap(\.type)
      for subject in type.generics.surelyUncoded(in: types) {
        let message = "a class with '\(subject)' in it needs '\(subject): GCodable'"
        guard let parameter = type.generics.parameters.first(where: { $0.name.text == subject }) else {
          // An associated type, or a parameter of an enclosing type.
          let root = subject.prefix { $0 != "." }
          let parameter = type.generics.parameters.first { $0.name.text == root }
          problems.append(Problem(message, at: parameter?.name ?? type.name))
          continue
        }
        let known = parameter.inheritedType.map { "\($0.trimmedDescription) & " } ?? ""
        let constrained = parameter.with(\.colon, .colonToken(trailingTrivia: .space))
          .with(\.name.trailingTrivia, []).with(\.inheritedType, "\(raw: known)GCodable")
        problems.append(
          Problem(message, at: parameter.name)
            .fix("add the constraint", replacing: parameter, with: constrained))
      }
    }

    private mutating func checkNames(_ type: TypeDeclaration) {
      let options = type.options
      if let name = options.name, let text = name.literalText,
        !((1...255).contains(text.utf8.count)
          && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x40 })
      {
        problems.append(
          Problem("an archive name has 1 to 255 ASCII characters without spaces and '@'", at: name))
      }
      if options.name == nil, let argument = options.argument("was") {
        problems.append(
          Problem("'was' needs 'name', by which archives know the class from now on", at: argument)
            .fix(
              "add 'name'", replacing: options.attribute,
              with: options.attribute.prepending("name: \"\(type.name.text)\"")))
      }
      if let migrate = type.members.migrate, options.version == nil {
        problems.append(
          Problem(
            "'migrate(from:_:)' is not called without a 'version' in '@GCodable'", at: migrate.name, .warning
          )
          .fix(
            "add 'version'", replacing: options.attribute, with: options.attribute.setting("version", to: "1")
          ))
      }
    }

    private mutating func checkSelfReference(_ property: Property, _ name: TokenSyntax) {
      guard let type = property.type, type.isNamed(name.text) || type.isNamed("Self"), !property.isDeferred,
        property.declaration.reference == nil, property.storage == property.name.text
      else { return }
      let waiting = property.declaration.replacing(type, with: type.implicitlyUnwrapped).asVariable
      problems.append(
        Problem(
          "'\(property.name.identifier)' always refers to another '\(name.text)', which can only end in a cycle; "
            + "let it wait by '@GDeferred'", at: type, .warning
        ).fix(
          "let it wait", replacing: property.declaration, with: waiting.adding(attribute: "@GDeferred")))
    }
  }

  extension AttributeSyntax {
    /// With an argument added at the front.
    fileprivate func prepending(_ argument: String) -> AttributeSyntax {
      let arguments = [argument] + labeledArguments.map { $0.trimmedDescription.dropSuffix(",") }
      var changed = AttributeSyntax(
        stringLiteral: "@\(attributeName.trimmedDescription)(\(arguments.joined(separator: ", ")))")
      changed.leadingTrivia = leadingTrivia
      changed.trailingTrivia = trailingTrivia
      return changed
    }
  }
#endif
