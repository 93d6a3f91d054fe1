import Foundation

extension Output {
  /// Adds a value as JSON, with its keys in alphabetical order.
  ///
  /// Numbers that JSON does not have are the strings "nan", "inf" and "-inf".
  func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    for line in text.split(separator: "\n") { try self.line(String(line).visibleJSON) }
  }
}
