#if Macros
  import SwiftSyntax

  /// What stands for the coding of a type with errors, so that the compiler says nothing else about it.
  enum Stub {
    static func members(missing protocols: [TypeSyntax], _ access: Access, isClass: Bool = true) -> [String] {
      guard !protocols.isEmpty else { return [] }
      let (ours, trap) = (ModuleNames.ours, "{ \(ModuleNames.swift)fatalError() }")
      return [
        "\(access.plain)func encode(to encoder: \(ours)GEncoder) throws \(trap)",
        "\(access.plain)\(isClass ? "required " : "")init(from decoder: \(ours)GDecoder) throws \(trap)",
      ]
    }

    static func `extension`(
      of type: some TypeSyntaxProtocol, _ isolation: Isolation, conformingTo protocols: [TypeSyntax],
      members: [String]
    ) -> [ExtensionDeclSyntax] {
      let conformances = protocols.map(\.trimmedDescription).filter { !$0.hasSuffix("GArchiveNamed") }
      guard !conformances.isEmpty else { return [] }
      let list = conformances.map { isolation.ofConformance + $0 }.joined(separator: ", ")
      return [
        ExtensionDeclSyntax(
          unparsed: "\(type.trimmed): \(list)", modifiers: isolation.ofExtension, members: members)
      ]
    }
  }
#endif
