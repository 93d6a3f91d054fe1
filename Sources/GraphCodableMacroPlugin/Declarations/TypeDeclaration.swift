#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The parts of a type with `@GCodable` that its coding depends on.
  struct TypeDeclaration {
    enum Kind: Equatable {
      case structure, enumeration, rawEnumeration
      /// `inherits`: the superclass codes its own part. `callsSuper`: the superclass does not.
      case reference(inherits: Bool, callsSuper: Bool)
    }

    let kind: Kind
    let name: TokenSyntax
    let access: Access
    let isolation: Isolation
    let userLines: UserLines
    let isFinal: Bool
    let options: TypeOptions
    let members: Members
    private(set) var problems: [Problem]
    /// Protocols that the type does not conform to yet.
    let missing: [String]
    let generics: Generics
    /// Whether another macro may change the properties.
    let mayBeChanged: Bool
    /// Whether a class certainly has no superclass beyond what the compiler reported.
    private(set) var isSurelyRoot = false

    /// - Parameter protocols: those reported as missing by the compiler.
    init(
      _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, missing protocols: [TypeSyntax],
      _ context: some MacroExpansionContext
    ) throws(Problem) {
      options = try TypeOptions(attribute)
      missing = protocols.map { $0.trimmedDescription.split(separator: ".").last.map(String.init) ?? "" }
      let isClass = declaration.is(ClassDeclSyntax.self)
      userLines = UserLines(declaration, attribute, context)
      members = Members(of: declaration, isClass: isClass, userLines)
      problems = members.problems
      access = Access(declaration.modifiers, context)
      isolation = Isolation(declaration, context)
      isFinal = declaration.modifiers.contains(.final)
      mayBeChanged =
        !declaration.attributes.allSatisfy(Self.leavesProperties)
        || declaration.memberBlock.members.contains { $0.decl.is(MacroExpansionDeclSyntax.self) }
      if let structure = declaration.as(StructDeclSyntax.self) {
        (kind, name) = (.structure, structure.name)
        generics = Generics(structure.genericParameterClause, structure.genericWhereClause, in: context)
        problems += options.problems(forValues: "a struct")
      } else if let enumeration = declaration.as(EnumDeclSyntax.self) {
        let isRaw = Self.isRaw(enumeration, members.cases)
        (kind, name) = (isRaw ? .rawEnumeration : .enumeration, enumeration.name)
        generics = Generics(enumeration.genericParameterClause, enumeration.genericWhereClause, in: context)
        problems += options.problems(forValues: "an enum")
        if members.cases.isEmpty, members.problems.isEmpty {
          problems.append(Problem("an enum without cases has no values to store", at: enumeration.name))
        }
      } else if let reference = declaration.as(ClassDeclSyntax.self) {
        name = reference.name
        generics = Generics(reference.genericParameterClause, reference.genericWhereClause, in: context)
        let inheritance = try Inheritance(of: reference, options, members, missing)
        kind = .reference(inherits: inheritance.isCoded, callsSuper: inheritance.callsSuper)
        isSurelyRoot = inheritance.isSurelyRoot
        problems += inheritance.problems
      } else if let actor = declaration.as(ActorDeclSyntax.self) {
        throw Problem(
          "an actor cannot be coded: its state is read from outside without waiting; store a struct of it",
          at: actor.actorKeyword
        ).fix(
          "make it a class", replacing: actor.actorKeyword,
          with: actor.actorKeyword.with(\.tokenKind, .keyword(.class)))
      } else {
        throw Problem("'@GCodable' is for structs, enums and classes", at: attribute)
          .fixRemoving(attribute, from: declaration)
      }
      problems += TypeChecks(self).problems
    }

    /// Precedes members that name all properties and cases.
    ///
    /// Subclasses call those of their superclass, which would cause warnings.
    var ofNaming: String {
      let isDeprecated =
        members.properties.flatMap(\.elements).contains {
          Availability($0.declaration.attributes).isDeprecated
        }
        || members.cases.flatMap(\.elements).contains(where: \.availability.isDeprecated)
      return isDeprecated && (!isClass || isFinal) ? Availability.ofDeprecated : ""
    }

    var isClass: Bool { if case .reference = kind { true } else { false } }

    /// Whether an attribute is known not to be a macro that adds or changes stored properties.
    private static func leavesProperties(_ element: AttributeListSyntax.Element) -> Bool {
      guard case .attribute(let attribute) = element else { return false }
      let name = attribute.baseName
      return name.hasPrefix("GCodable") || name.isGlobalActor || plainAttributes.contains(name)
    }

    private static let plainAttributes: Set<String> = [
      "GPacked", "available", "dynamicMemberLookup", "frozen", "propertyWrapper", "resultBuilder",
      "usableFromInline",
    ]

    /// An enum has a raw type if a case has a value, or if its first inherited type can be one.
    private static func isRaw(_ declaration: EnumDeclSyntax, _ cases: [Part<EnumCase>]) -> Bool {
      let elements = cases.flatMap(\.elements)
      if elements.contains(where: { !$0.payload.isEmpty }) { return false }
      if elements.contains(where: { $0.element.rawValue != nil }) { return true }
      guard let first = declaration.inheritanceClause?.inheritedTypes.first?.type else { return false }
      return rawTypes.contains(first.trimmedDescription.dropPrefix("Swift."))
    }

    private static let rawTypes: Set<String> = [
      "String", "Character", "Double", "Float", "Float16", "Int", "Int8", "Int16", "Int32", "Int64", "Int128",
      "UInt",
      "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
    ]
  }

  extension Problem {
    func fixRemoving(_ attribute: AttributeSyntax, from declaration: some DeclGroupSyntax) -> Problem {
      var changed = declaration
      changed.attributes = declaration.attributes.removing(attribute)
      changed.leadingTrivia = declaration.leadingTrivia
      return fix("remove '@\(attribute.baseName)'", replacing: declaration, with: changed)
    }
  }

  extension String {
    func dropPrefix(_ prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
  }
#endif
