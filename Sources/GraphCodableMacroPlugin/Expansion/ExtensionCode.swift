#if Macros
  import SwiftSyntax

  /// The extension by which a type adopts the protocols; it holds the coding of structs and enums.
  struct ExtensionCode {
    let type: TypeDeclaration
    let typeName: String

    var conformances: [String] {
      type.missing.filter { $0 != "GArchiveNamed" || (type.isClass && type.options.name != nil) }
    }

    var declaration: ExtensionDeclSyntax {
      var subject = typeName
      if !conformances.isEmpty {
        subject += ": " + conformances.map { "GraphCodable.\($0)" }.joined(separator: ", ") + requirements
      }
      return ExtensionDeclSyntax(
        unparsed: subject, members: declarations.enumerated().flatMap { $0 == 0 ? $1 : [""] + $1 })
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
