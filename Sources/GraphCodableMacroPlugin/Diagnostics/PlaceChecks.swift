#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Where the extension that `@GCodable` makes cannot be, and types that cannot adopt what it does.
  struct PlaceChecks {
    private(set) var problem: Problem?

    init(
      _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, _ context: some MacroExpansionContext
    ) {
      let outer = context.lexicalContext.filter { !$0.is(IfConfigDeclSyntax.self) }
      let types = outer.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
      let name = attribute.baseName
      if let mark = declaration.inheritanceClause?.inheritedTypes.map(\.type).first(where: \.isNotCopyable) {
        problem = Problem("what cannot be copied cannot be coded; store a struct of its values", at: mark)
        return
      }
      if types.count < outer.count {
        problem = Problem(
          "'@\(name)' adopts GCodable by an extension, which a type inside a function cannot have",
          at: attribute)
      } else if let modifier = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) }
      ),
        !types.isEmpty
      {
        let visible = modifier.with(\.name.tokenKind, .keyword(.fileprivate))
        problem = Problem(
          "'@\(name)' adopts GCodable by an extension, where what is private inside a type is not seen",
          at: modifier
        ).fix("make it 'fileprivate'", replacing: modifier, with: visible)
      } else if let hidden = types.dropLast().first(where: { $0.modifiers.contains(.private) }) {
        problem = Problem(
          "'@\(name)' adopts GCodable by an extension, where '\(hidden.typeName)', which is private inside a type, "
            + "is not seen: make it 'fileprivate'", at: attribute)
      }
      guard name == "GCodable" else { return }
      problem = problem?.fix(
        "adopt GCodable in the declaration", replacing: declaration,
        with: declaration.adoptingGCodable(by: attribute))
    }
  }

  extension TypeSyntax {
    /// `~Copyable`.
    fileprivate var isNotCopyable: Bool {
      self.as(SuppressedTypeSyntax.self).map {
        ["Copyable", "Swift.Copyable"].contains($0.type.trimmedDescription)
      }
        ?? self.as(CompositionTypeSyntax.self)?.elements.contains { $0.type.isNotCopyable } ?? false
    }
  }

  extension DeclGroupSyntax {
    var typeName: String {
      asProtocol((any NamedDeclSyntax).self)?.name.text
        ?? self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
    }

    /// With `@GCodableMembers` and the protocols in its declaration.
    fileprivate func adoptingGCodable(by attribute: AttributeSyntax) -> Self {
      var changed = self
      changed.attributes = AttributeListSyntax(
        attributes.map { element in
          guard let own = element.as(AttributeSyntax.self), own.baseName == "GCodable" else { return element }
          var new = own
          new.attributeName = "GCodableMembers"
          new.attributeName.trailingTrivia = own.attributeName.trailingTrivia
          return .attribute(new)
        })
      let hasName = attribute.labeledArguments.contains { $0.label?.text == "name" }
      let names = ["GCodable"] + (hasName ? ["GArchiveNamed"] : [])
      let old = inheritanceClause?.inheritedTypes.map(\.trimmedDescription).map { $0.dropSuffix(",") } ?? []
      let added = (old + names).joined(separator: ", ")
      let source = DeclSyntax("struct S: \(raw: added) {}").as(StructDeclSyntax.self)
      changed.inheritanceClause = source?.inheritanceClause
      // The space in front of the body belongs to what is now in front of the clause.
      if inheritanceClause == nil { changed = changed.withoutSpaceBeforeClause }
      return changed
    }

    private var withoutSpaceBeforeClause: Self {
      if var type = self.as(StructDeclSyntax.self) {
        if type.genericParameterClause != nil {
          type.genericParameterClause?.trailingTrivia = []
        } else {
          type.name.trailingTrivia = []
        }
        return type as? Self ?? self
      }
      if var type = self.as(EnumDeclSyntax.self) {
        if type.genericParameterClause != nil {
          type.genericParameterClause?.trailingTrivia = []
        } else {
          type.name.trailingTrivia = []
        }
        return type as? Self ?? self
      }
      if var type = self.as(ClassDeclSyntax.self) {
        if type.genericParameterClause != nil {
          type.genericParameterClause?.trailingTrivia = []
        } else {
          type.name.trailingTrivia = []
        }
        return type as? Self ?? self
      }
      return self
    }
  }
#endif
