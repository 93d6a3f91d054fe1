#if Macros
  import SwiftSyntax

  /// What the macro finds in the body of a type.
  struct Members {
    var properties: [Part<Property>] = []
    var cases: [Part<EnumCase>] = []
    var problems: [Problem] = []
    /// The user's own coding.
    var hasEncode = false
    var hasDecode = false
    var hasInitializer = false
    var migrate: FunctionDeclSyntax?
    /// A member that only a class with a superclass has.
    var hasSuper = false
    /// Properties that a new instance needs values for.
    var needsValues = false
    /// Stored properties that are not coded.
    var hasOtherStorage = false
    /// The name of a property left out on purpose.
    var leftOut: TokenSyntax?

    private let userLines: UserLines

    init(of type: some DeclGroupSyntax, isClass: Bool, _ userLines: UserLines) {
      self.userLines = userLines
      (properties, cases) = read(type.memberBlock.members, isClass: isClass)
    }

    private mutating func read(
      _ items: MemberBlockItemListSyntax, isClass: Bool
    ) -> ([Part<Property>], [Part<EnumCase>]) {
      var (properties, cases): ([Part<Property>], [Part<EnumCase>]) = ([], [])
      for item in items {
        if let condition = item.decl.as(IfConfigDeclSyntax.self) {
          let (ownProperties, ownCases) = read(condition, isClass: isClass)
          properties += ownProperties
          cases += ownCases
        } else if let variable = item.decl.as(VariableDeclSyntax.self) {
          let reader = PropertyReader(variable, isClass: isClass, userLines)
          properties += reader.properties.map(Part.one)
          problems += reader.problems
          needsValues = needsValues || reader.needsValue
          hasOtherStorage = hasOtherStorage || reader.hasOtherStorage
          leftOut = leftOut ?? reader.leftOut
        } else if let enumCase = item.decl.as(EnumCaseDeclSyntax.self) {
          let (found, foundProblems) = EnumCase.read(enumCase, userLines)
          cases += found.map(Part.one)
          problems += foundProblems
        } else {
          note(item.decl)
        }
        if !item.decl.isProtocol((any DeclGroupSyntax).self), item.decl.mentionsSuperclass { hasSuper = true }
      }
      return (properties, cases)
    }

    private mutating func read(
      _ condition: IfConfigDeclSyntax, isClass: Bool
    ) -> ([Part<Property>], [Part<EnumCase>]) {
      var propertyClauses: [(line: String, parts: [Part<Property>])] = []
      var caseClauses: [(line: String, parts: [Part<EnumCase>])] = []
      for clause in condition.clauses {
        guard case .decls(let items)? = clause.elements else { continue }
        var line = clause.poundKeyword.text
        if let test = clause.condition { line += " \(test.trimmedDescription)" }
        let (properties, cases) = read(items, isClass: isClass)
        propertyClauses.append((line, properties))
        caseClauses.append((line, cases))
      }
      return (
        propertyClauses.contains { !$0.parts.isEmpty } ? [.conditional(propertyClauses)] : [],
        caseClauses.contains { !$0.parts.isEmpty } ? [.conditional(caseClauses)] : []
      )
    }

    private mutating func note(_ declaration: DeclSyntax) {
      if let function = declaration.as(FunctionDeclSyntax.self) {
        let parameters = function.signature.parameterClause.parameters
        guard let first = parameters.first else { return }
        switch (function.name.text, first.firstName.text) {
        case ("encode", "to") where first.type.isNamed("GEncoder"): hasEncode = true
        case ("migrate", "from") where parameters.count == 2: migrate = function
        default: break
        }
      } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
        hasInitializer = hasInitializer || !initializer.modifiers.contains(.convenience)
        if let first = initializer.signature.parameterClause.parameters.first, first.firstName.text == "from",
          first.type.isNamed("GDecoder")
        {
          hasDecode = true
        }
      }
    }
  }

  extension TypeSyntax {
    func isNamed(_ name: String) -> Bool {
      self.as(IdentifierTypeSyntax.self)?.name.text == name
        || self.as(MemberTypeSyntax.self)?.name.text == name
    }
  }

  extension DeclSyntax {
    fileprivate var mentionsSuperclass: Bool {
      tokens(viewMode: .sourceAccurate).contains {
        $0.tokenKind == .keyword(.super) || $0.tokenKind == .keyword(.override)
      }
    }
  }
#endif
