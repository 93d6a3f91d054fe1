#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@GPacked`: the layout of a struct of numbers.
  enum GPackedMacro: ExtensionMacro {
    static func expansion(
      of attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf typeName: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      let packed = PackedStruct(declaration, attribute, context)
      let problems =
        (PlaceChecks(declaration, attribute, context).problem.map { [$0] } ?? []) + packed.problems
      for problem in problems { context.diagnose(problem.diagnostic) }
      guard !problems.contains(where: \.isError) else { return [] }
      let source = DeclSyntax(
        stringLiteral: packed.source(of: typeName.trimmedDescription, conforms: protocols.isEmpty))
      return source.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
    }
  }
#endif
