#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// `@GCodable`: members of a class, an extension of a struct or enum.
  ///
  /// `init(from:)` of a class has to stand in its body; that of a struct must not, or the memberwise initializer is lost.
  enum GCodableMacro: MemberMacro, ExtensionMacro {
    static func expansion(
      of attribute: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      // The other role says what is wrong with structs and enums.
      if declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self) { return [] }
      guard
        let type = context.diagnosing({ () throws(Problem) in
          try TypeDeclaration(declaration, attribute, missing: protocols, context)
        })
      else { return declaration.is(ClassDeclSyntax.self) ? Stub.members(missing: protocols) : [] }
      return (RecordCode(type: type).declarations + ClassCode(type: type).declarations).map {
        DeclSyntax(stringLiteral: $0.joined(separator: "\n"))
      }
    }

    static func expansion(
      of attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf typeName: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      if declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self) {
        guard
          let type = context.diagnosing({ () throws(Problem) in
            try TypeDeclaration(declaration, attribute, missing: protocols, context)
          })
        else { return Stub.extension(of: typeName, conformingTo: protocols) }
        return [try ExtensionCode(type: type, typeName: typeName.trimmedDescription).declaration]
      }
      // The other role says what is wrong with classes and everything else.
      guard declaration.is(ClassDeclSyntax.self) else { return [] }
      guard let type = try? TypeDeclaration(declaration, attribute, missing: protocols, context) else {
        return Stub.extension(of: typeName, conformingTo: protocols, isEmpty: true)
      }
      let code = ExtensionCode(type: type, typeName: typeName.trimmedDescription)
      return code.conformances.isEmpty ? [] : [try code.declaration]
    }
  }

  /// What stands for the coding of a type with errors, so that nothing else is said about it.
  private enum Stub {
    static func members(missing protocols: [TypeSyntax], access: String = "", isClass: Bool = true)
      -> [DeclSyntax]
    {
      guard !protocols.isEmpty else { return [] }
      return [
        "func encode(to encoder: GraphCodable.GEncoder) throws { Swift.fatalError() }",
        "\(raw: isClass ? "required " : "")init(from decoder: GraphCodable.GDecoder) throws { Swift.fatalError() }",
      ]
    }

    static func `extension`(
      of type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax], isEmpty: Bool = false
    ) -> [ExtensionDeclSyntax] {
      guard !protocols.isEmpty else { return [] }
      let conformances = protocols.map(\.trimmedDescription).filter { !$0.hasSuffix("GArchiveNamed") }
      let members = isEmpty ? [] : self.members(missing: protocols, isClass: false).map(\.description)
      let source = members.block("extension \(type.trimmed): \(conformances.joined(separator: ", "))")
      return DeclSyntax(stringLiteral: source.joined(separator: "\n")).as(ExtensionDeclSyntax.self).map {
        [$0]
      } ?? []
    }
  }

  extension MacroExpansionContext {
    /// Reports what is wrong; nil where there is an error.
    func diagnosing(_ read: () throws(Problem) -> TypeDeclaration) -> TypeDeclaration? {
      do throws(Problem) {
        let type = try read()
        for problem in type.problems { diagnose(problem.diagnostic) }
        return type.problems.contains(where: \.isError) ? nil : type
      } catch {
        diagnose(error.diagnostic)
        return nil
      }
    }
  }
#endif
