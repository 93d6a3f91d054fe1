#if Macros
  import SwiftSyntax

  /// The generic parameters of a type.
  struct Generics {
    let parameters: [GenericParameterSyntax]
    /// Those that are known to be coded, by a constraint that says so.
    private var coded: Set<String> = []

    init(_ clause: GenericParameterClauseSyntax?, _ requirements: GenericWhereClauseSyntax?) {
      parameters = clause.map { Array($0.parameters) } ?? []
      for parameter in parameters where parameter.inheritedType?.isCoded == true {
        coded.insert(parameter.name.text)
      }
      for requirement in requirements?.requirements ?? [] {
        if case .conformanceRequirement(let conformance) = requirement.requirement,
          conformance.rightType.isCoded
        {
          coded.insert(conformance.leftType.trimmedDescription)
        }
      }
    }

    /// The parameters that one of the types needs, and that no constraint says to be coded.
    func uncoded(in types: [TypeSyntax]) -> [GenericParameterSyntax] {
      parameters.filter { parameter in
        !coded.contains(parameter.name.text) && parameter.specifier == nil
          && types.contains { type in
            type.tokens(viewMode: .sourceAccurate).contains { $0.text == parameter.name.text }
          }
      }
    }
  }

  extension TypeSyntax {
    fileprivate var isCoded: Bool {
      if let composition = self.as(CompositionTypeSyntax.self) {
        return composition.elements.contains { $0.type.isCoded }
      }
      return isNamed("GCodable") || isNamed("GEncodable") || isNamed("GDecodable")
    }
  }
#endif
