#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A struct with `@GPacked`.
  struct PackedStruct {
    private(set) var problems: [Problem] = []
    private var properties: [Property] = []
    private var access = Access.other
    private let isolation: Isolation
    private let userLines: UserLines

    init(
      _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, _ context: some MacroExpansionContext
    ) {
      isolation = Isolation(declaration, context)
      userLines = UserLines(declaration, attribute, context)
      guard let structure = declaration.as(StructDeclSyntax.self) else {
        problems.append(
          Problem("'@GPacked' is for structs", at: attribute).fixRemoving(attribute, from: declaration))
        return
      }
      access = Access(structure.modifiers, context)
      if let parameters = structure.genericParameterClause {
        problems.append(
          Problem("a packed struct has the same layout always, so it cannot be generic", at: parameters))
      }
      read(structure, attribute)
    }

    private mutating func read(_ structure: StructDeclSyntax, _ attribute: AttributeSyntax) {
      let coded = structure.renaming(attribute, to: "GCodable")
      for item in structure.memberBlock.members {
        if let condition = item.decl.as(IfConfigDeclSyntax.self) {
          let names = condition.description
          if names.contains("var ") || names.contains("let ") {
            problems.append(Problem("a packed struct has the same properties always", at: condition.clauses))
          }
          continue
        }
        guard let variable = item.decl.as(VariableDeclSyntax.self), variable.isStored else { continue }
        for (binding, type) in variable.typedBindings where binding.isStored {
          if let obstacle = obstacle(variable, type) {
            problems.append(
              Problem(obstacle, at: type.map { Syntax($0) } ?? Syntax(binding.pattern))
                .fix("store the struct by '@GCodable'", replacing: structure, with: coded))
          }
          append(variable, binding, type)
        }
      }
      if properties.isEmpty, problems.isEmpty {
        problems.append(Problem("a packed struct has at least one property", at: structure.name))
      }
      if problems.isEmpty { problems += PackedPadding(structure, properties).problems }
    }

    private mutating func append(
      _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ type: TypeSyntax?
    ) {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { return }
      do throws(Problem) {
        let attributes = try PropertyAttributes(variable.attributes)
        for (name, attribute) in attributes.all where name != "GKey" || !attributes.olderKeys.isEmpty {
          throw Problem("a packed struct has its properties as they are, without '@\(name)'", at: attribute)
            .fix("remove '@\(name)'", replacing: variable, with: variable.removing(attribute))
        }
        let key = attributes.key?.literalText ?? name.identifier
        if properties.contains(where: { $0.key == key }) {
          throw Problem("the key \"\(key)\" is used twice", at: name)
        }
        properties.append(
          Property(
            name: name, declaration: variable, type: type, attributes: attributes, key: key,
            olderKeys: [],
            storage: name.text, initialValue: binding.initializer?.value, hasObservers: false,
            isConditional: false,
            order: .plain))
      } catch { problems.append(error) }
    }

    /// Why a property is not made of numbers, as far as syntax shows; the compiler checks the rest.
    private func obstacle(_ variable: VariableDeclSyntax, _ type: TypeSyntax?) -> String? {
      if variable.reference != nil { return "a packed struct holds numbers, and no references" }
      guard let type else { return nil }
      if type.isOptional { return "an optional has bits that say nothing, and cannot be packed" }
      if type.is(TupleTypeSyntax.self) { return "a tuple cannot be packed; declare each number by itself" }
      if type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) || type.obstacle != nil
        || type.is(SomeOrAnyTypeSyntax.self)
        || Self.references.contains(type.trimmedDescription.dropPrefix("Swift."))
      {
        return "a packed struct holds numbers, and no references, which '\(type.trimmedDescription)' has"
      }
      return nil
    }

    private static let references: Set<String> = [
      "String", "Substring", "Character", "AnyObject", "Any", "Data", "URL", "NSObject",
    ]

    /// The extension that adopts `GPackedStruct`.
    func declaration(of typeName: String, conforms: Bool) -> ExtensionDeclSyntax {
      let paths = properties.map { "\\.\($0.name.text)" }.joined(separator: ", ")
      let names = properties.map(\.key.literal).joined(separator: ", ")
      let subject =
        typeName + (conforms ? "" : ": \(isolation.ofConformance)\(ModuleNames.ours)GPackedStruct")
      return ExtensionDeclSyntax(
        unparsed: subject, modifiers: isolation.ofExtension,
        members: userLines.text(
          of: [
            "\(access.ofOwnType)static let packedLayout = \(ModuleNames.ours)PackedLayout<\(typeName)>(\(paths)).named(\(names))"
          ], isEnd: false), line: userLines)
    }
  }

  extension StructDeclSyntax {
    /// The struct with one attribute replaced by another.
    func renaming(_ attribute: AttributeSyntax, to name: String) -> StructDeclSyntax {
      var changed = self
      changed.attributes = AttributeListSyntax(
        attributes.map { element in
          guard element.as(AttributeSyntax.self)?.baseName == attribute.baseName else { return element }
          return .attribute(
            AttributeSyntax(stringLiteral: "@\(name)").with(\.leadingTrivia, element.leadingTrivia)
              .with(\.trailingTrivia, element.trailingTrivia))
        })
      return changed
    }
  }
#endif
