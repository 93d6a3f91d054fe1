#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@GPacked`: the layout of a struct of numbers.
  enum GPackedMacro: ExtensionMacro {
    /// As that of `GCodableMacro`.
    static var formatMode: FormatMode { .disabled }

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
      return [packed.declaration(of: typeName.trimmedDescription, conforms: protocols.isEmpty)]
    }
  }
#endif
