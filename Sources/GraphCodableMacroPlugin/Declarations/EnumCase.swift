#if Macros
  import SwiftSyntax

  /// A case of an enum.
  struct EnumCase {
    let element: EnumCaseElementSyntax
    /// Its current and earlier names in archives.
    let key: String
    let olderKeys: [String]
    let payload: [Payload]
    let availability: Availability
    /// Where the user declared it.
    let userLine: Int?

    struct Payload {
      /// The key; nil for one without a label.
      var label: TokenSyntax?
      let type: TypeSyntax
      let defaultValue: ExprSyntax?

      /// How objects behind protocols in it are coded.
      var form: ObjectForm? { ObjectForm(type) }
    }

    var name: TokenSyntax { element.name.trimmed }

    static func read(_ declaration: EnumCaseDeclSyntax, _ userLines: UserLines) -> ([EnumCase], [Problem]) {
      var problems: [Problem] = []
      var cases: [EnumCase] = []
      do throws(Problem) {
        let attributes = try PropertyAttributes(declaration.attributes)
        if let key = attributes["GKey"], declaration.elements.count > 1 {
          throw Problem("'@GKey' is for one case: declare it by itself", at: key)
        }
        for element in declaration.elements {
          let payload = (element.parameterClause?.parameters ?? []).map { parameter in
            if let obstacle = parameter.type.obstacle {
              problems.append(Problem(obstacle, at: parameter.type))
            }
            let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.trimmed }
            return Payload(
              label: label, type: parameter.type.trimmed, defaultValue: parameter.defaultValue?.value.trimmed)
          }
          cases.append(
            EnumCase(
              element: element, key: attributes.key?.literalText ?? element.name.identifier,
              olderKeys: attributes.olderKeys.compactMap(\.literalText), payload: payload,
              availability: Availability(declaration.attributes), userLine: userLines.line(of: element)))
        }
      } catch { problems.append(error) }
      return (cases, problems)
    }
  }
#endif
