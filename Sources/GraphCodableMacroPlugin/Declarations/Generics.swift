#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The generic parameters of a type and of the types around it.
  struct Generics {
    let parameters: [GenericParameterSyntax]
    /// Whether the type or a type around it has parameters of any kind.
    let areAny: Bool
    /// Including those of the types around; only types, no numbers or packs.
    private var names: Set<String>
    /// Parameters and their associated types that a constraint declares as coded.
    private var coded: Set<String> = []
    /// Parameters with a constraint unknown to the macro.
    private var constrained: Set<String> = []

    init(
      _ clause: GenericParameterClauseSyntax?, _ requirements: GenericWhereClauseSyntax?,
      in context: some MacroExpansionContext
    ) {
      parameters = clause.map { Array($0.parameters) } ?? []
      let outer = context.lexicalContext.compactMap { $0.genericClauses }
      let all = parameters + outer.flatMap { $0.parameters.map { Array($0.parameters) } ?? [] }
      areAny = !all.isEmpty
      names = Set(all.filter(\.isType).map(\.name.text))
      for parameter in all {
        if let type = parameter.inheritedType { note(parameter.name.text, type) }
      }
      for requirement in ([requirements] + outer.map(\.requirements)).compactMap({ $0?.requirements })
        .joined()
      {
        switch requirement.requirement {
        case .conformanceRequirement(let conformance):
          note(conformance.leftType.trimmedDescription, conformance.rightType)
        case .sameTypeRequirement(let same):
          // Its replacement is written somewhere, so the compiler knows whether that is coded.
          coded.insert(same.leftType.trimmedDescription)
        default: break
        }
      }
    }

    private mutating func note(_ subject: String, _ type: TypeSyntax) {
      if type.isCoded {
        coded.insert(subject)
      } else if !type.isKnownConstraint {
        constrained.insert(subject)
      }
    }

    /// The parameters and associated types in some types that no constraint declares as coded.
    func uncoded(in types: [TypeSyntax]) -> [String] {
      var subjects: [String] = []
      for type in types { note(Syntax(type), &subjects) }
      return subjects.filter { !coded.contains($0) }
    }

    /// Those without any constraint that might imply coding through a protocol of the user's.
    func surelyUncoded(in types: [TypeSyntax]) -> [String] {
      uncoded(in: types).filter { !constrained.contains($0) }
    }

    private func note(_ node: Syntax, _ subjects: inout [String]) {
      func add(_ subject: String) { if !subjects.contains(subject) { subjects.append(subject) } }
      if node.is(SomeOrAnyTypeSyntax.self) || node.is(FunctionTypeSyntax.self)
        || node.is(MetatypeTypeSyntax.self)
      {
        return
      }
      if let member = node.as(MemberTypeSyntax.self), let root = member.rootName, names.contains(root) {
        return add(member.trimmedDescription)
      }
      if let name = node.as(IdentifierTypeSyntax.self), name.genericArgumentClause == nil,
        names.contains(name.name.text)
      {
        return add(name.name.text)
      }
      for child in node.children(viewMode: .sourceAccurate) { note(child, &subjects) }
    }
  }

  extension GenericParameterSyntax {
    /// Neither a number (`let N: Int`) nor a pack (`each T`), in the words of any version of swift-syntax.
    fileprivate var isType: Bool {
      !tokens(viewMode: .sourceAccurate).contains { ["let", "each"].contains($0.text) }
    }
  }

  extension MemberTypeSyntax {
    /// The first name of `C.Index.Stride`.
    fileprivate var rootName: String? {
      if let member = baseType.as(MemberTypeSyntax.self) { return member.rootName }
      return baseType.as(IdentifierTypeSyntax.self)?.name.text
    }
  }

  extension Syntax {
    /// The generic parameters and requirements of a declaration.
    fileprivate var genericClauses:
      (parameters: GenericParameterClauseSyntax?, requirements: GenericWhereClauseSyntax?)?
    {
      if let type = self.as(StructDeclSyntax.self) {
        return (type.genericParameterClause, type.genericWhereClause)
      }
      if let type = self.as(ClassDeclSyntax.self) {
        return (type.genericParameterClause, type.genericWhereClause)
      }
      if let type = self.as(EnumDeclSyntax.self) {
        return (type.genericParameterClause, type.genericWhereClause)
      }
      if let type = self.as(ActorDeclSyntax.self) {
        return (type.genericParameterClause, type.genericWhereClause)
      }
      if let type = self.as(ExtensionDeclSyntax.self) { return (nil, type.genericWhereClause) }
      if let function = self.as(FunctionDeclSyntax.self) {
        return (function.genericParameterClause, function.genericWhereClause)
      }
      return nil
    }
  }

  extension TypeSyntax {
    fileprivate var isCoded: Bool {
      let type = withoutAttributes
      if let composition = type.as(CompositionTypeSyntax.self) {
        return composition.elements.contains { $0.type.isCoded }
      }
      return ["GCodable", "GEncodable", "GDecodable", "GPackedStruct", "GBinaryCodable"].contains {
        type.isNamed($0)
      }
    }

    /// A protocol of Swift that does not require coding by this package.
    fileprivate var isKnownConstraint: Bool {
      let type = withoutAttributes
      if let composition = type.as(CompositionTypeSyntax.self) {
        return composition.elements.allSatisfy { $0.type.isKnownConstraint }
      }
      return Self.knownConstraints.contains(type.trimmedDescription.dropPrefix("Swift."))
    }

    private static let knownConstraints: Set<String> = [
      "AnyObject", "AdditiveArithmetic", "BidirectionalCollection", "BinaryFloatingPoint", "BinaryInteger",
      "BitwiseCopyable", "Codable", "Collection", "Comparable", "CustomStringConvertible", "Decodable",
      "Encodable",
      "Equatable", "Error", "FixedWidthInteger", "FloatingPoint", "Hashable", "Identifiable", "Numeric",
      "RandomAccessCollection", "RawRepresentable", "Sendable", "Sequence", "SignedInteger", "SignedNumeric",
      "StringProtocol", "UnsignedInteger",
    ]
  }
#endif
