#if Macros
  import SwiftSyntax

  // Code written by a macro goes to the compiler as text, which parses it. Parsing it here as well took half of the expansion
  // time in a debug build of the plugin, which debug builds use.

  extension DeclSyntax {
    /// A declaration that is one token for swift-syntax.
    init(unparsed source: String) {
      self.init(
        MissingDeclSyntax(
          attributes: [], modifiers: [], placeholder: TokenSyntax(.unknown(source), presence: .present)))
    }
  }

  extension ExtensionDeclSyntax {
    /// An extension whose inside is one token for swift-syntax.
    ///
    /// - Parameters:
    ///   - subject: what follows `extension`: the type, its conformances and requirements.
    ///   - modifiers: what precedes it, followed by a space.
    ///   - members: lines.
    ///   - line: the user's lines; the extension begins at the first.
    init(unparsed subject: String, modifiers: String = "", members: [String], line: UserLines? = nil) {
      let body =
        members.isEmpty
        ? []
        : [
          MemberBlockItemSyntax(decl: DeclSyntax(unparsed: members.indented.joined(separator: "\n")))
        ]
      let lineEnd: Trivia = members.isEmpty ? [] : .newline
      self.init(
        extensionKeyword: TokenSyntax(
          .unknown((line?.directive ?? "") + modifiers + "extension"), trailingTrivia: .space,
          presence: .present),
        extendedType: IdentifierTypeSyntax(name: TokenSyntax(.unknown(subject), presence: .present)),
        memberBlock: MemberBlockSyntax(
          leftBrace: .leftBraceToken(leadingTrivia: .space, trailingTrivia: lineEnd),
          members: MemberBlockItemListSyntax(body),
          rightBrace: TokenSyntax(
            .unknown(line?.directive.isEmpty == false ? "}\n#sourceLocation()\n" : "}"),
            leadingTrivia: lineEnd,
            presence: .present)))
    }
  }
#endif
