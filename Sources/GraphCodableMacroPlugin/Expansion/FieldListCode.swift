#if Macros
  import SwiftSyntax

  /// The coding of a struct with only plain stored properties: a list of them, and calls of the library's loop.
  struct FieldListCode {
    private let type: TypeDeclaration
    private let properties: [Property]

    /// nil for a type that must be coded field by field.
    init?(type: TypeDeclaration) {
      let members = type.members
      let properties = members.properties.flatMap(\.elements)
      guard type.kind == .structure, !type.mayBeChanged, !members.hasEncode, !members.hasDecode,
        !members.hasOtherStorage,
        !properties.isEmpty, members.properties.allSatisfy({ if case .one = $0 { true } else { false } }),
        properties.allSatisfy(\.isPlain)
      else { return nil }
      self.type = type
      self.properties = properties
    }

    var declarations: [[String]] {
      let access = type.access.plain
      let list = "\(ModuleNames.ours)_GraphFieldList"
      let (encoder, decoder) = ("\(ModuleNames.ours)GEncoder", "\(ModuleNames.ours)GDecoder")
      return [
        [
          "\(access)static var _graphIsFieldwise: \(ModuleNames.swift)Bool { true }",
          "\(access)static var _graphFieldwise: (any \(ModuleNames.ours)GEncodable.Type)? { Self.self }",
        ].at(type.userLine),
        properties.map { addition(of: $0).at($0.userLine) }
          .block(
            "\(type.ofNaming)\(access)static func _graphAddFields(to list: inout \(list)) throws".at(
              type.userLine)),
        [
          "\(access)func encode(to encoder: \(encoder)) throws { try \(list).encode(self, to: encoder) }",
          "\(access)func _graphWrite(_ encoder: \(encoder)) throws { try \(list).write(self, encoder) }",
          "\(access)func _graphWritePlain(_ encoder: \(encoder)) throws { try \(list).writePlain(self, encoder) }",
        ].at(type.userLine),
        [
          "\(access)init(from decoder: \(decoder)) throws { self = try \(list).decode(from: decoder) }",
          "\(type.access.ofOwnType)static func _graphRead(_ decoder: \(decoder), _ kind: \(ModuleNames.ours)GraphKind) throws -> Self {",
          "  try \(list).read(decoder, kind)",
          "}",
        ].at(type.userLine),
      ]
    }

    private func addition(of property: Property) -> String {
      let arguments = "\(property.key.literal), \\Self.\(property.name.text)"
      return property.valueWhereMissing.map {
        "try list.add(\(arguments), missing: \($0.trimmedDescription))"
      }
        ?? "list.\(property.isOptional ? "addOptional" : "add")(\(arguments))"
    }
  }

  extension Property {
    /// It has only its usual place, and no special coding.
    fileprivate var isPlain: Bool {
      !isConditional && order == .plain && form == nil && !keyCase.hasPrefix("named_") && !hasObservers
        && olderKeys.isEmpty && attributes.areOwn
        && attributes.all.allSatisfy { ["GKey", "GDefault"].contains($0.key) }
        && (!hasInitialValue || valueWhereMissing != nil)
    }

    /// An expression; nil if there is none, or if the initial value cannot be repeated.
    fileprivate var valueWhereMissing: ExprSyntax? {
      attributes.argument(of: "GDefault") ?? initialValue.flatMap { $0.isLiteral ? $0 : nil }
    }
  }

  extension ExprSyntax {
    /// It has the same value wherever it is written.
    var isLiteral: Bool {
      if let string = self.as(StringLiteralExprSyntax.self) { return string.representedLiteralValue != nil }
      if let array = self.as(ArrayExprSyntax.self) {
        return array.elements.allSatisfy(\.expression.isLiteral)
      }
      if let pairs = self.as(DictionaryExprSyntax.self) {
        guard case .elements(let elements) = pairs.content else { return true }
        return elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
      }
      if let signed = self.as(PrefixOperatorExprSyntax.self) {
        return signed.operator.text == "-" && signed.expression.isLiteral
      }
      return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
        || self.is(BooleanLiteralExprSyntax.self) || self.is(NilLiteralExprSyntax.self)
    }
  }
#endif
