#if Macros
  import SwiftSyntax

  /// The coding of an enum without raw values: the name of the case, then its payload, with the labels as keys.
  struct EnumCode {
    let type: TypeDeclaration

    private var cases: [Part<EnumCase>] { type.members.cases }

    var declarations: [[String]] {
      var declarations: [[String]] = []
      if !(type.members.hasEncode && type.members.hasDecode), let keys { declarations.append(keys) }
      if !type.members.hasEncode { declarations.append(encode) }
      if !type.members.hasDecode { declarations.append(decode) }
      return declarations
    }

    /// The distinct labels of all cases.
    private var keys: [String]? {
      var known: Set<String> = []
      let labels = cases.flatMap(\.elements).flatMap(\.payload).compactMap(\.label)
        .filter { known.insert($0.identifier).inserted }
      let lines = labels.map { label in
        label.caseName.dropBackticks == label.identifier
          ? "case \(label.caseName)" : "case \(label.caseName) = \(label.identifier.literal)"
      }
      return lines.isEmpty ? nil : lines.block("private enum GCodingKey: \(ModuleNames.swift)String")
    }

    /// Whether the parts are coded by functions that are not inlined.
    private var isLarge: Bool { cases.flatMap(\.elements).reduce(0) { $0 + 1 + $1.payload.count } > 24 }

    private func encodePart(_ arguments: String) -> String {
      isLarge ? "\(ModuleNames.support)encode(\(arguments), to: encoder)" : "encoder.encode(\(arguments))"
    }

    private func decodePart(_ key: String? = nil, ifPresent: Bool = false) -> String {
      let arguments = [key.map { "for: \($0)" }, isLarge ? "from: decoder" : nil].compactMap(\.self)
      return (isLarge ? ModuleNames.support : "decoder.") + "decode\(ifPresent ? "IfPresent" : "")"
        + "(\(arguments.joined(separator: ", ")))"
    }

    // MARK: Encoding

    private var encode: [String] {
      var lines = available { element in
        let values = element.payload.indices.map { "value\($0)" }
        let parts = zip(element.payload, values).map { payload, value in
          (payload.label.map { "\($0.argumentLabel): " } ?? "") + "let \(value)"
        }
        let pattern = parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
        let payload = zip(element.payload, values).map { payload, value in
          "  try "
            + encodePart(
              (payload.form?.wrap(value) ?? value)
                + (payload.label.map { ", for: GCodingKey.\($0.caseName)" } ?? ""))
        }
        let name = "  try " + encodePart(element.key.literal)
        return ["case .\(element.name.text)\(pattern):"] + ([name] + payload).at(element.userLine)
      }
      if cases.flatMap(\.elements).contains(where: \.availability.isLimited) {
        lines += [
          "default:", "  throw \(ModuleNames.ours)GCodableError(",
          "    .invalidValue, \"the case is not available\", "
            + "typeName: \(ModuleNames.swift)String(reflecting: Self.self))",
        ]
      }
      return lines.switch("self").block(
        "\(type.ofNaming)\(type.access.plain)func encode(to encoder: \(ModuleNames.ours)GEncoder) throws".at(
          type.userLine))
    }

    // MARK: Decoding

    private var decode: [String] {
      let lines = available { element in
        let names = ([element.key] + element.olderKeys).map(\.literal).joined(separator: ", ")
        let values = element.payload.map(value)
        let payload = values.isEmpty ? "" : "(" + values.joined(separator: ", ") + ")"
        let assignment = "self = \(values.isEmpty ? "" : "try ").\(element.name.text)\(payload)"
        let guardLine = element.availability.versionCondition.map {
          "  guard \($0) else { throw unknown(name) }"
        }
        return ["case \(names):"] + ([guardLine, "  \(assignment)"].compactMap(\.self)).at(element.userLine)
      }
      let unknown = [
        "func unknown(_ name: \(ModuleNames.swift)String) -> \(ModuleNames.ours)GCodableError {",
        "  \(ModuleNames.ours)GCodableError(",
        "    .invalidValue, \"there is no case \\\"\\(name)\\\"\", "
          + "typeName: \(ModuleNames.swift)String(reflecting: Self.self))",
        "}",
      ]
      return
        (["let name: \(ModuleNames.swift)String = try decoder.decode()"] + unknown
        + (lines + ["default: throw unknown(name)"]).switch("name"))
        .block(
          "\(type.ofNaming)\(type.access.plain)init(from decoder: \(ModuleNames.ours)GDecoder) throws".at(
            type.userLine))
    }

    /// Lines for each case that code may name, under the conditions that allow it.
    ///
    /// The compiler accepts no `#sourceLocation` between cases.
    private func available(_ lines: (EnumCase) -> [String]) -> [String] {
      [String](cases) { element in
        if element.availability.isNowhere { return [] }
        guard let condition = element.availability.platformCondition else { return lines(element) }
        return ["#if \(condition)"] + lines(element) + ["#endif"]
      }
    }

    private func value(_ payload: EnumCase.Payload) -> String {
      let label = payload.label.map { "\($0.argumentLabel): " } ?? ""
      guard let name = payload.label else {
        guard let form = payload.form else { return decodePart() }
        return form.unwrap("(decoder.decode(\(form.coded).self))")
      }
      let key = "GCodingKey.\(name.caseName)"
      let type = payload.form.map { "\($0.coded).self, " } ?? ""
      if let form = payload.form {
        let call =
          payload.type.isOptional
          ? "decoder.decode(\(type)for: \(key), default: nil)" : "decoder.decode(\(type)for: \(key))"
        guard let value = payload.defaultValue else { return label + form.unwrap("(\(call))") }
        return "\(label)decoder.contains(\(key)) ? \(form.unwrap("(\(call))")) : \(value.trimmedDescription)"
      }
      if let value = payload.defaultValue {
        return "\(label)decoder.decode(for: \(key), default: \(value.trimmedDescription))"
      }
      return label + decodePart(key, ifPresent: payload.type.isOptional)
    }
  }

  extension Availability {
    /// Some programs with the enum cannot name the case.
    fileprivate var isLimited: Bool { isNowhere || !missingPlatforms.isEmpty || !versions.isEmpty }
  }

  extension TokenSyntax {
    /// As the name of a case, where some labels need backticks.
    var caseName: String {
      let name = identifier
      return keyCase.hasPrefix("named_") && !name.hasPrefix("named_") ? keyCase : "`\(name)`"
    }

    /// As an argument label, where few words need backticks.
    fileprivate var argumentLabel: String {
      let isPlain = identifier.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      return !isPlain || ["inout", "var", "let"].contains(identifier) ? "`\(identifier)`" : identifier
    }
  }

  extension [String] {
    fileprivate func `switch`(_ subject: String) -> [String] { ["switch \(subject) {"] + self + ["}"] }
  }
#endif
