#if Macros
  import SwiftSyntax

  /// What stands for the coding of a type with errors, so that the compiler says nothing else about it.
  enum Stub {
    /// - Parameter type: the class; nil for a struct or an enum.
    static func members(
      missing protocols: [TypeSyntax], _ access: Access, of type: ClassDeclSyntax? = nil
    ) -> [String] {
      guard !protocols.isEmpty else { return [] }
      let (ours, trap) = (ModuleNames.ours, "{ \(ModuleNames.swift)fatalError() }")
      // Of no actor, because one that is implied is not seen here; and so without a call of the superclass's initializer.
      let isConvenience =
        type?.inheritanceClause != nil
        && type?.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) } == true
      let required = type == nil ? "" : isConvenience ? "required convenience " : "required "
      return [
        "\(access.plain)nonisolated func encode(to encoder: \(ours)GEncoder) throws \(trap)",
        "\(access.plain)\(required)nonisolated init(from decoder: \(ours)GDecoder) throws \(trap)",
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
