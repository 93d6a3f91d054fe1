#if Macros
  import SwiftSyntax

  /// The coding of an enum without raw values: the name of the case, then its payload, which has its labels as keys.
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

    /// The labels of all cases, each once.
    private var keys: [String]? {
      var known: Set<String> = []
      let labels = cases.flatMap(\.elements).flatMap(\.payload).compactMap(\.label)
        .filter { known.insert($0.identifier).inserted }
      return labels.isEmpty
        ? nil : labels.map { "case \($0.caseName)" }.block("private enum GCodingKey: Swift.String")
    }

    private var encode: [String] {
      let lines = [String](cases) { element in
        let values = element.payload.indices.map { "value\($0)" }
        let pattern = values.isEmpty ? "" : "(" + values.map { "let \($0)" }.joined(separator: ", ") + ")"
        let payload = zip(element.payload, values).map { payload, value in
          "  try encoder.encode(\(value)\(payload.label.map { ", for: GCodingKey.\($0.caseName)" } ?? ""))"
        }
        return ["case .\(element.name.text)\(pattern):", "  try encoder.encode(\(element.key.literal))"]
          + payload
      }
      return lines.switch("self").block(
        "\(type.access.plain)func encode(to encoder: GraphCodable.GEncoder) throws")
    }

    private var decode: [String] {
      let lines = [String](cases) { element in
        let names = ([element.key] + element.olderKeys).map(\.literal).joined(separator: ", ")
        let values = element.payload.map(value)
        let payload = values.isEmpty ? "" : "(" + values.joined(separator: ", ") + ")"
        return ["case \(names): self = \(values.isEmpty ? "" : "try ").\(element.name.text)\(payload)"]
      }
      let unknown = [
        "default:", "  throw GraphCodable.GCodableError(",
        "    .invalidValue, \"there is no case \\\"\\(name)\\\"\", typeName: Swift.String(reflecting: Self.self))",
      ]
      return (["let name: Swift.String = try decoder.decode()"] + (lines + unknown).switch("name"))
        .block("\(type.access.plain)init(from decoder: GraphCodable.GDecoder) throws")
    }

    private func value(_ payload: EnumCase.Payload) -> String {
      guard let label = payload.label else { return "decoder.decode()" }
      let key = "GCodingKey.\(label.caseName)"
      let isOptional = payload.type.isOptional && payload.defaultValue == nil
      let call =
        if isOptional {
          "decoder.decodeIfPresent(for: \(key))"
        } else if let value = payload.defaultValue {
          "decoder.decode(for: \(key), default: \(value.trimmedDescription))"
        } else {
          "decoder.decode(for: \(key))"
        }
      return "\(label.argumentLabel): \(call)"
    }
  }

  extension TokenSyntax {
    /// As the name of a case: labels may be words that need backticks there.
    var caseName: String { "`\(identifier)`" }

    /// As the label of an argument: few words need backticks there.
    fileprivate var argumentLabel: String {
      ["inout", "var", "let"].contains(identifier) ? caseName : identifier
    }
  }

  extension [String] {
    fileprivate func `switch`(_ subject: String) -> [String] { ["switch \(subject) {"] + self + ["}"] }
  }
#endif
