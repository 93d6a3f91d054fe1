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
      let lines = declarations.enumerated().flatMap { $0 == 0 ? $1 : [""] + $1 }
      var subject = typeName
      if !conformances.isEmpty {
        let names = conformances.map { type.isolation.ofConformance + ModuleNames.ours + $0 }
        subject += ": " + names.joined(separator: ", ") + requirements
      }
      return ExtensionDeclSyntax(
        unparsed: subject, modifiers: type.isolation.ofExtension,
        members: type.userLines.text(of: lines, isEnd: false), line: type.userLines)
    }

    private var declarations: [[String]] { type.isClass ? [] : type.codingDeclarations }

    /// A struct that contains a parameter is coded if the parameter is.
    private var requirements: String {
      if type.isClass { return "" }
      let types =
        type.members.properties.flatMap(\.elements).compactMap(\.type)
        + type.members.cases.flatMap(\.elements).flatMap(\.payload).map(\.type)
      let needed = type.generics.uncoded(in: types).map { subject in
        conformances.map { "\(subject): \(ModuleNames.ours)\($0)" }.joined(separator: ", ")
      }
      return needed.isEmpty ? "" : " where " + needed.joined(separator: ", ")
    }
  }
#endif
