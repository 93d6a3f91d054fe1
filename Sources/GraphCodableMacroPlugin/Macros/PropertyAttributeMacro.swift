#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The attributes of properties: `@GCodable` reads them, and they only diagnose where they do not belong.
  enum PropertyAttributeMacro: PeerMacro {
    static func expansion(
      of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if let problem = problem(attribute, declaration, context) { context.diagnose(problem.diagnostic) }
      return []
    }

    private static func problem(
      _ attribute: AttributeSyntax, _ declaration: some DeclSyntaxProtocol,
      _ context: some MacroExpansionContext
    ) -> Problem? {
      let name = attribute.baseName
      let enclosing = context.lexicalContext.first { !$0.is(IfConfigDeclSyntax.self) }?
        .asProtocol((any DeclGroupSyntax).self)
      if let obstacle = obstacle(name, declaration) {
        return Problem(obstacle, at: attribute).fix(
          "remove '@\(name)'", replacing: declaration, with: declaration.removing(attribute))
      }
      let hasMacro = enclosing?.attributes.contains {
        guard let name = $0.as(AttributeSyntax.self)?.baseName else { return false }
        return name == "GCodable" || name == "GCodableMembers"
          || (name == "GPacked" && attribute.baseName == "GKey")
      }
      // A macro such as '@Observable' copies the attributes to the property that it stores in place of the original.
      if enclosing == nil, context.isExpansion(attribute) { return nil }
      guard hasMacro != true else { return nil }
      return Problem("'@\(name)' says nothing without '@GCodable' in front of the type", at: attribute)
        .fix("remove '@\(name)'", replacing: declaration, with: declaration.removing(attribute))
    }

    private static func obstacle(_ name: String, _ declaration: some DeclSyntaxProtocol) -> String? {
      if declaration.is(EnumCaseDeclSyntax.self) {
        return name == "GKey" ? nil : "'@\(name)' is for properties, not for cases"
      }
      guard let variable = declaration.as(VariableDeclSyntax.self) else {
        return "'@\(name)' is for stored properties"
      }
      if variable.modifiers.contains(.static) || variable.modifiers.contains(.class) {
        return "'@\(name)' is for properties of instances"
      }
      if variable.modifiers.contains(.lazy) {
        return "a lazy property is not stored, so '@\(name)' says nothing"
      }
      return variable.bindings.allSatisfy(\.isStored)
        ? nil : "a computed property is not stored, so '@\(name)' says nothing"
    }
  }

  extension MacroExpansionContext {
    /// Whether a macro generated it.
    fileprivate func isExpansion(_ node: some SyntaxProtocol) -> Bool {
      location(of: node)?.file.trimmedDescription.contains("@__swiftmacro_") == true
    }
  }

  extension DeclSyntaxProtocol {
    /// Without an attribute.
    func removing(_ attribute: AttributeSyntax) -> DeclSyntax {
      guard let attributed = asProtocol((any WithAttributesSyntax).self) else { return DeclSyntax(self) }
      var changed = attributed
      changed.attributes = attributed.attributes.removing(attribute)
      changed.leadingTrivia = leadingTrivia
      return DeclSyntax(fromProtocol: changed) ?? DeclSyntax(self)
    }
  }

  extension DeclSyntax {
    fileprivate init?(fromProtocol node: any WithAttributesSyntax) { self.init(Syntax(fromProtocol: node)) }
  }
#endif
