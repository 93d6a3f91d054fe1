#if Macros
  import SwiftSyntax

  /// The coding of a struct or class: each property under its key.
  struct RecordCode {
    let type: TypeDeclaration

    private var inherits: Bool { type.kind == .reference(inherits: true, callsSuper: false) }
    private var callsSuper: Bool { type.kind == .reference(inherits: false, callsSuper: true) }
    private var properties: [Part<Property>] { type.members.properties }

    /// nil where there is nothing to code beyond what the superclass does.
    var declarations: [[String]] {
      if inherits, properties.isEmpty, !callsMigrate { return [] }
      var declarations: [[String]] = []
      if !(type.members.hasEncode && type.members.hasDecode), let keys { declarations.append(keys) }
      if !type.members.hasEncode { declarations.append(encode) }
      if !type.members.hasDecode { declarations.append(decode) }
      return declarations
    }

    // MARK: Keys

    private var keys: [String]? {
      guard !properties.isEmpty else { return nil }
      var cases = [String](properties) { property in
        ([(property.name.text, property.key)] + zip(property.olderCases, property.olderKeys))
          .map { name, key in
            name.dropBackticks == key ? "case \(name)" : "case \(name) = \(key.literal)"
          }
      }
      // An enum with a raw type has a case, whatever the conditions.
      if !properties.contains(where: { if case .one = $0 { true } else { false } }) {
        cases.append("case nothing_")
      }
      return cases.block("private enum GCodingKey: Swift.String")
    }

    private func key(_ property: Property) -> String { "GCodingKey.\(property.name.text)" }

    // MARK: Encoding

    private var encode: [String] {
      var lines = [String](properties) { $0.isDeferred ? [] : [encodeLine($0)] }
      // After what `init(from:)` sets before it calls the superclass, so that the record is read in order.
      if inherits { lines.append("try super.encode(to: encoder)") }
      lines += [String](properties) { $0.isDeferred ? [encodeLine($0)] : [] }
      let head = type.isClass ? type.overridable : type.access.plain
      return lines.block(
        "\(head)\(inherits ? "override " : "")func encode(to encoder: GraphCodable.GEncoder) throws")
    }

    private func encodeLine(_ property: Property) -> String {
      let value = "self.\(property.storage)"
      if property.isConditional { return "try encoder.encodeConditional(\(value), for: \(key(property)))" }
      let precision = property.attributes.argument(of: "GPrecision").map {
        ", precision: \($0.trimmedDescription)"
      }
      return "try encoder.encode(\(value), for: \(key(property))\(precision ?? ""))"
    }

    // MARK: Decoding

    private var decode: [String] {
      var lines = [String](properties) { $0.isDeferred ? [] : decodeLines($0) }
      if inherits { lines.append("try super.init(from: decoder)") }
      if callsSuper { lines.append("super.init()") }
      lines += [String](properties) { $0.isDeferred ? deferLines($0) : [] }
      if callsMigrate, let version = type.options.version {
        lines += [
          "if try decoder.encodedTypeVersion < \(version.trimmedDescription) {",
          "  try self.migrate(from: decoder.encodedTypeVersion, \(migrateLabel)decoder)", "}",
        ]
      }
      let isRequired = type.isClass && (inherits || !type.isFinal)
      return lines.block(
        "\(type.access.plain)\(isRequired ? "required " : "")init(from decoder: GraphCodable.GDecoder) throws"
      )
    }

    private var callsMigrate: Bool {
      guard let migrate = type.members.migrate else { return false }
      // An overridden one is called by the superclass.
      return type.options.version != nil && !migrate.modifiers.contains(.override)
    }

    private var migrateLabel: String {
      guard let second = type.members.migrate?.signature.parameterClause.parameters.dropFirst().first,
        second.firstName.tokenKind != .wildcard
      else { return "" }
      return "\(second.firstName.text): "
    }

    private func decodeLines(_ property: Property) -> [String] {
      let place = "self.\(property.storage)"
      let keys = [key(property)] + property.olderCases.map { "GCodingKey.\($0)" }
      let last: String
      if let value = property.attributes.argument(of: "GDefault") {
        last = value.trimmedDescription
      } else if property.isOptional && !property.hasInitialValue {
        if keys.count == 1 { return ["\(place) = try decoder.decodeIfPresent(for: \(keys[0]))"] }
        last = "nil"
      } else if property.hasInitialValue {
        return decodeOver(place, keys)
      } else {
        if keys.count == 1 { return ["\(place) = try decoder.decode(for: \(keys[0]))"] }
        last = "decoder.decode(for: \(keys[0]))"
      }
      let value = keys.reversed().reduce(last) { "decoder.decode(for: \($1), default: \($0))" }
      return ["\(place) = try \(value)"]
    }

    /// The property keeps its initial value unless one of the keys is there.
    ///
    /// It is not passed `inout`: Swift would check each access to a class's property.
    private func decodeOver(_ place: String, _ keys: [String]) -> [String] {
      let heads = keys.map { "if let value = try decoder.decodeIfPresent(like: \(place), for: \($0)) {" }
      return heads.enumerated().flatMap { number, head in
        [number == 0 ? head : "} else \(head)", "  \(place) = value"]
      } + ["}"]
    }

    private func deferLines(_ property: Property) -> [String] {
      let type = property.type.map { "\($0.explicitOptional).self, " } ?? ""
      let calls = ([property.name.text] + property.olderCases).map {
        "decoder.deferDecodeIfPresent(\(type)for: GCodingKey.\($0)) { self.\(property.storage) = $0 }"
      }
      func lines(_ calls: ArraySlice<String>) -> [String] {
        guard let call = calls.first else { return [] }
        return calls.count == 1 ? ["try \(call)"] : lines(calls.dropFirst()).block("if try !(\(call))")
      }
      return lines(calls[...])
    }
  }

  extension TypeDeclaration {
    /// In front of what subclasses override.
    var overridable: String { isFinal ? access.plain : access.overridable }
  }

  extension String {
    var dropBackticks: String { hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }

    /// As a string literal.
    var literal: String { StringLiteralExprSyntax(content: self).description }
  }
#endif
