#if Macros
  import SwiftSyntax

  /// The coding of a struct or class: each property under its key.
  struct RecordCode {
    let type: TypeDeclaration

    var inherits: Bool { type.kind == .reference(inherits: true, callsSuper: false) }
    private var callsSuper: Bool { type.kind == .reference(inherits: false, callsSuper: true) }
    private var properties: [Part<Property>] { type.members.properties }

    /// nil if there is nothing to code beyond the superclass.
    var declarations: [[String]] {
      if inherits, properties.isEmpty, !callsMigrate {
        // With its own initializers, it does not inherit `init(from:)`.
        return leavingOut + (type.members.hasInitializer && !type.members.hasDecode ? [decode] : [])
      }
      var declarations: [[String]] = []
      if !(type.members.hasEncode && type.members.hasDecode), let keys { declarations.append(keys) }
      if !type.members.hasEncode { declarations.append(encode) }
      if !type.members.hasDecode { declarations.append(decode) }
      return declarations
    }

    /// A subclass that leaves out all of its properties says so with a key without a value; otherwise the encoder assumes that it
    /// forgot them.
    private var leavingOut: [[String]] {
      guard let name = type.members.leftOut, !type.members.hasEncode, !type.generics.arePacks else {
        return []
      }
      let (key, raw) = (name.keyCase, name.identifier)
      return [
        [key.dropBackticks == raw ? "case \(key)" : "case \(key) = \(raw.literal)"]
          .block("private enum GCodingKey: \(ModuleNames.swift)String"),
        [
          "try super.encode(to: encoder)",
          "try encoder.encodeIfPresent(nil as \(ModuleNames.swift)Bool?, for: GCodingKey.\(key))",
        ].block("\(type.overridable)override func encode(to encoder: \(ModuleNames.ours)GEncoder) throws"),
      ]
    }

    /// One part of each property of a kind, in source order.
    private func lines(_ order: Property.Order, _ lines: (Property) -> [String]) -> [String] {
      [String](properties) { $0.order == order ? lines($0).at($0.userLine) : [] }
    }

    // MARK: Keys

    private var keys: [String]? {
      guard !properties.isEmpty else { return nil }
      var cases = [String](properties) { property in
        ([(property.keyCase, property.key)] + zip(property.olderCases, property.olderKeys))
          .map { name, key in
            let isSame = name.dropBackticks == key
            let line =
              type.generics.arePacks
              ? "static var \(name): Self { Self(rawValue: \(key.literal)) }"
              : isSame ? "case \(name)" : "case \(name) = \(key.literal)"
            return line.at(property.userLine)
          }
      }
      // Swift has no enums in a type with a parameter pack.
      if type.generics.arePacks {
        return (["let rawValue: \(ModuleNames.swift)String"] + cases)
          .block("private struct GCodingKey: \(ModuleNames.swift)RawRepresentable")
      }
      // An enum with a raw type needs a case under all conditions.
      if !properties.contains(where: { if case .one = $0 { true } else { false } }) {
        cases.append("case nothing_")
      }
      return cases.block("private enum GCodingKey: \(ModuleNames.swift)String")
    }

    // MARK: Encoding

    private var encode: [String] {
      var lines = lines(.plain) { [encodeLine($0)] }
      // After the properties that `init(from:)` sets before it calls the superclass, so that the record is read in order.
      if inherits { lines.append("try super.encode(to: encoder)".at(type.userLine)) }
      lines += self.lines(.constant) { [encodeLine($0)] } + self.lines(.deferred) { [encodeLine($0)] }
      let head = type.isClass ? type.overridable : type.access.plain
      return lines.block(
        "\(type.ofNaming)\(head)\(inherits ? "override " : "")func encode(to encoder: \(ModuleNames.ours)GEncoder) throws"
          .at(type.userLine))
    }

    private func encodeLine(_ property: Property) -> String {
      let value = property.encoded
      if property.isConditional { return "try encoder.encodeConditional(\(value), for: \(property.keyPath))" }
      let precision = property.attributes.argument(of: "GPrecision").map {
        ", precision: \($0.trimmedDescription)"
      }
      let attributes = property.attributes.argument(of: "GAttributes").map {
        ", attributes: \($0.trimmedDescription)"
      }
      return "try encoder.encode(\(value), for: \(property.keyPath)\(precision ?? "")\(attributes ?? ""))"
    }

    // MARK: Decoding

    private var decode: [String] {
      let changed = ChangedPropertyCode(typeName: type.name.text, mayBeChanged: type.mayBeChanged)
      var lines = lines(.plain) { changed.decodeLines($0) ?? PropertyCode($0).decodeLines }
      lines += self.lines(.deferred) { $0.isSetToNil ? ["self.\($0.storage) = nil"] : [] }
      if inherits { lines.append("try super.init(from: decoder)".at(type.userLine)) }
      if callsSuper { lines.append("super.init()".at(type.userLine)) }
      lines += self.lines(.plain) { changed.assignLines($0) }
      lines += self.lines(.constant) { PropertyCode($0).constantLines }
      lines += self.lines(.deferred) { PropertyCode($0).deferLines }
      if callsMigrate, let version = type.options.version {
        lines += [
          "if try decoder.encodedTypeVersion < \(version.trimmedDescription) {",
          "  try self.migrate(from: decoder.encodedTypeVersion, \(migrateLabel)decoder)", "}",
        ]
      }
      let isRequired = type.isClass && (inherits || !type.isFinal)
      let code = lines.block(
        ("\(type.ofNaming)\(type.access.plain)\(isRequired ? "required " : "")"
          + "init(from decoder: \(ModuleNames.ours)GDecoder) throws").at(type.userLine))
      guard inherits, let line = type.userLine, let last = code.last else { return code }
      // Behind it, the compiler says which required initializers are missing.
      return code.dropLast() + [last.at(max(line - 1, 1))]
    }

    private var callsMigrate: Bool {
      guard let migrate = type.members.migrate else { return false }
      // The superclass calls an override itself.
      return type.options.version != nil && !migrate.modifiers.contains(.override)
    }

    private var migrateLabel: String {
      guard let second = type.members.migrate?.signature.parameterClause.parameters.dropFirst().first,
        second.firstName.tokenKind != .wildcard
      else { return "" }
      return "\(second.firstName.text): "
    }
  }

  extension TypeDeclaration {
    /// Precedes members that subclasses override.
    var overridable: String { isFinal ? access.plain : access.overridable }

    var userLine: Int? { userLines.start }
  }

  extension String {
    var dropBackticks: String { hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }

    /// As a string literal.
    var literal: String {
      // Making a node of swift-syntax takes longer than reading a property.
      let isPlain = utf8.allSatisfy {
        ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "_")
      }
      return isPlain ? "\"\(self)\"" : StringLiteralExprSyntax(content: self).description
    }
  }
#endif
