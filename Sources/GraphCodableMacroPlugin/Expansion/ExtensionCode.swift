#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// The extension by which a type adopts the protocols; it holds the coding of structs and enums.
  struct ExtensionCode {
    let type: TypeDeclaration
    let typeName: String

    var conformances: [String] {
      type.missing.filter { $0 != "GArchiveNamed" || (type.isClass && type.options.name != nil) }
    }

    var declaration: ExtensionDeclSyntax {
      get throws {
        var head = "extension \(typeName)"
        if !conformances.isEmpty {
          head += ": " + conformances.map { "GraphCodable.\($0)" }.joined(separator: ", ") + requirements
        }
        let members = declarations.enumerated().flatMap { $0 == 0 ? $1 : [""] + $1 }
        let source = DeclSyntax(stringLiteral: members.block(head).joined(separator: "\n"))
        guard let declaration = source.as(ExtensionDeclSyntax.self) else {
          throw Problem("the coding of '\(type.name.text)' cannot be written", at: type.name)
        }
        return declaration
      }
    }

    private var declarations: [[String]] { type.isClass ? [] : type.codingDeclarations }

    /// A struct with a parameter in it is coded where the parameter is.
    private var requirements: String {
      if type.isClass { return "" }
      let types =
        type.members.properties.flatMap(\.elements).compactMap(\.type)
        + type.members.cases.flatMap(\.elements).flatMap(\.payload).map(\.type)
      let needed = type.generics.uncoded(in: types).map { parameter in
        conformances.map { "\(parameter.name.text): GraphCodable.\($0)" }.joined(separator: ", ")
      }
      return needed.isEmpty ? "" : " where " + needed.joined(separator: ", ")
    }
  }
#endif
