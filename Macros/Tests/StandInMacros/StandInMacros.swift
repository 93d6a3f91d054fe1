import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

@main
struct StandInPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [ModelMacro.self, PersistedMacro.self, MarkMacro.self]
}

/// `@Model`: all variables become computed ones, of a store that it adds.
enum ModelMacro: MemberMacro, MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { ["private var store_: [String: Any] = [:]"] }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) -> [AttributeSyntax] {
    guard let variable = member.as(VariableDeclSyntax.self), variable.bindingSpecifier.text == "var",
      variable.bindings.first?.accessorBlock == nil,
      variable.bindings.first?.pattern.trimmedDescription != "store_",
      !variable.attributes.contains(where: { $0.trimmedDescription == "@Ephemeral" })
    else { return [] }
    return ["@Persisted"]
  }
}

/// `@Persisted`: the accessors of such a property, and where its first value is.
enum PersistedMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first else { return [] }
    let name = binding.pattern.trimmedDescription
    let type = binding.typeAnnotation?.type.trimmedDescription ?? "Never"
    return [
      """
      @storageRestrictions(initializes: _first_\(raw: name))
      init(initialValue) { _first_\(raw: name) = initialValue }
      """,
      "get { (store_[\"\(raw: name)\"] as? \(raw: type)) ?? _first_\(raw: name) }",
      "set { store_[\"\(raw: name)\"] = newValue }",
    ]
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first else { return [] }
    let value = binding.initializer.map { " \($0.trimmedDescription)" } ?? ""
    let type = binding.typeAnnotation?.trimmedDescription ?? ""
    return ["private var _first_\(raw: binding.pattern.trimmedDescription)\(raw: type)\(raw: value)"]
  }
}

/// An attribute that says something, and writes nothing.
enum MarkMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] { [] }
}
