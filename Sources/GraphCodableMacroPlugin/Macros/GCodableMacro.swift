#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@GCodable`: members of a class, an extension of a struct or enum.
  ///
  /// `init(from:)` of a class must be in its body; that of a struct must not, or the memberwise initializer is lost.
  enum GCodableMacro: MemberMacro, ExtensionMacro {
    /// The code is already formatted, and the formatter takes longer than everything else.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
      of attribute: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if let problem = PlaceChecks(declaration, attribute, context).problem {
        context.diagnose(problem.diagnostic)
        return []
      }
      // The other role diagnoses structs and enums.
      if declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self) { return [] }
      let type = context.diagnosing { () throws(Problem) in
        try TypeDeclaration(declaration, attribute, missing: protocols, context)
      }
      guard let type else {
        guard let type = declaration.as(ClassDeclSyntax.self) else { return [] }
        return Stub.members(missing: protocols, Access(declaration.modifiers, context), of: type)
          .map { DeclSyntax(unparsed: $0) }
      }
      return type.memberDeclarations
    }

    static func expansion(
      of attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf typeName: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard PlaceChecks(declaration, attribute, context).problem == nil else { return [] }
      if declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self) {
        let type = context.diagnosing { () throws(Problem) in
          try TypeDeclaration(declaration, attribute, missing: protocols, context)
        }
        guard let type else {
          let access = Access(declaration.modifiers, context)
          return Stub.extension(
            of: typeName, Isolation(declaration, context), conformingTo: protocols,
            members: Stub.members(missing: protocols, access))
        }
        return [ExtensionCode(type: type, typeName: typeName.trimmedDescription).declaration]
      }
      // The other role diagnoses classes and everything else.
      guard declaration.is(ClassDeclSyntax.self) else { return [] }
      guard let type = try? TypeDeclaration(declaration, attribute, missing: protocols, context) else {
        return Stub.extension(
          of: typeName, Isolation(declaration, context), conformingTo: protocols, members: [])
      }
      let code = ExtensionCode(type: type, typeName: typeName.trimmedDescription)
      return code.conformances.isEmpty ? [] : [code.declaration]
    }
  }

  /// `@GCodableMembers`: the same, all of it as members, for types that cannot have an extension.
  enum GCodableMembersMacro: MemberMacro {
    /// As that of `GCodableMacro`.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
      of attribute: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let type = context.diagnosing { () throws(Problem) in
        try TypeDeclaration(declaration, attribute, missing: protocols, context)
      }
      return type?.memberDeclarations ?? []
    }
  }

  extension TypeDeclaration {
    /// All of its coding, and what a class declares about itself.
    fileprivate var memberDeclarations: [DeclSyntax] {
      let code = codingDeclarations + (isClass ? ClassCode(type: self).declarations : [])
      return code.map { DeclSyntax(unparsed: userLines.text(of: $0).joined(separator: "\n")) }
    }

    var codingDeclarations: [[String]] {
      switch kind {
      case .structure, .reference:
        FieldListCode(type: self)?.declarations ?? RecordCode(type: self).declarations
      case .enumeration: EnumCode(type: self).declarations
      case .rawEnumeration: []
      }
    }
  }

  extension MacroExpansionContext {
    /// Reports problems; nil if there is an error.
    fileprivate func diagnosing(_ read: () throws(Problem) -> TypeDeclaration) -> TypeDeclaration? {
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
