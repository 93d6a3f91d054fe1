#if Macros
  import SwiftSyntax

  extension TypeSyntax {
    /// Why no value of the type can be stored, as far as syntax shows.
    var obstacle: String? {
      if let tuple = self.as(TupleTypeSyntax.self) {
        if tuple.elements.count == 1, let only = tuple.elements.first { return only.type.obstacle }
        return "tuples cannot be stored; use a struct"
      }
      if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.obstacle }
      if self.is(FunctionTypeSyntax.self) { return "functions cannot be stored" }
      if self.is(MetatypeTypeSyntax.self) { return "metatypes cannot be stored" }
      if let existential = self.as(SomeOrAnyTypeSyntax.self) { return existential.obstacle }
      if let name = self.as(IdentifierTypeSyntax.self), name.genericArgumentClause == nil {
        return Self.anything[name.name.text].map { Self.cannotBeStored(name.name.text, $0) }
      }
      // The types inside it: elements, keys and values, arguments of generic types.
      return inside.lazy.compactMap(\.obstacle).first
    }

    /// The types that are written in this one.
    private var inside: [TypeSyntax] {
      func types(_ node: Syntax) -> [TypeSyntax] {
        node.children(viewMode: .sourceAccurate).flatMap { child in
          child.as(TypeSyntax.self).map { [$0] } ?? types(child)
        }
      }
      return types(Syntax(self))
    }

    fileprivate static func cannotBeStored(_ name: String, _ advice: String) -> String {
      "'\(name)' can be something that cannot be stored; \(advice)"
    }

    private static let anything = [
      "Any": "use an enum with a case for each type, or a protocol that adopts AnyObject and GCodable",
      "AnyObject": "use 'any GCodable & AnyObject', or a protocol that adopts both",
      "AnyHashable": "use an enum with a case for each type", "AnyClass": "store a name",
    ]
  }

  extension SomeOrAnyTypeSyntax {
    /// `any P` can be stored if `P` is for coded objects, which the compiler checks.
    fileprivate var obstacle: String? {
      if constraint.is(MetatypeTypeSyntax.self) { return "metatypes cannot be stored" }
      let protocols = (constraint.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [constraint])
        .map { $0.trimmedDescription.dropPrefix("Swift.") }
      if protocols.allSatisfy({ Self.ofValues.contains($0) }) {
        return TypeSyntax.cannotBeStored(
          trimmedDescription,
          "use an enum with a case for each type, or a protocol that adopts AnyObject and GCodable")
      }
      if protocols.allSatisfy({ Self.coded.contains($0) }) {
        return "'\(trimmedDescription)' can be a value, whose type an archive does not hold; write "
          + "'any GCodable & AnyObject' for objects, or an enum with a case for each type"
      }
      return nil
    }

    private static let coded: Set<String> = [
      "GCodable", "GEncodable", "GDecodable", "GraphCodable.GCodable", "GraphCodable.GEncodable",
      "GraphCodable.GDecodable", "Sendable", "Hashable", "Equatable",
    ]

    /// Protocols of Swift that do not concern coding, or concern another coding.
    private static let ofValues: Set<String> = [
      "Any", "AnyObject", "Error", "Sendable", "Hashable", "Equatable", "Comparable", "Codable", "Encodable",
      "Decodable", "CustomStringConvertible", "CustomDebugStringConvertible", "LosslessStringConvertible",
      "Identifiable", "StringProtocol", "Numeric", "BinaryInteger", "FixedWidthInteger", "FloatingPoint",
      "BinaryFloatingPoint", "Strideable", "Sequence", "Collection", "RandomAccessCollection",
      "AsyncSequence", "Actor", "CodingKey", "CaseIterable", "RawRepresentable", "LocalizedError",
    ]
  }
#endif
