/// A JSON document whose objects keep the order of their members.
indirect enum JSON {
  case null
  case bool(Bool)
  /// A number as it is to be written.
  case number(String)
  case string(String)
  case list([JSON])
  case object([(String, JSON)])

  static func integer(_ number: some BinaryInteger) -> JSON { .string("\(number)") }

  /// Bytes in hexadecimal.
  static func hex(_ bytes: some Sequence<UInt8>) -> JSON {
    .string(
      bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined())
  }

  /// The document with what is short on one line.
  var text: String { text(indent: 0) + "\n" }

  private func text(indent: Int) -> String {
    let line = self.line
    if line.utf8.count + indent <= 110 { return line }
    let inner = String(repeating: " ", count: indent + 1)
    let outer = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .list(let items):
      return "[\n" + items.map { inner + $0.text(indent: indent + 1) }.joined(separator: ",\n") + outer + "]"
    case .object(let members):
      return "{\n"
        + members.map { inner + Self.quoted($0) + ": " + $1.text(indent: indent + 1) }.joined(
          separator: ",\n")
        + outer + "}"
    default: return line
    }
  }

  private var line: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .list(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0) + ": " + $1.line }.joined(separator: ", ") + "}"
    }
  }

  /// A string in ASCII, so that no tool changes its normalization.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x5C: result += "\\" + String(UnicodeScalar(UInt8(unit)))
      case 0x20..<0x7F: result += String(UnicodeScalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
