/// Text from a file as messages show it: cut, on one line, and without what changes how the text around it looks.
///
///     "the calendar \(Quotation(name))"
package struct Quotation: CustomStringConvertible {
  private let text: String
  /// Longer text ends with an ellipsis.
  private static let maximumScalarCount = 80

  package init(_ text: String) { self.text = text }

  /// The text in quotation marks.
  package var description: String {
    let start = text.unicodeScalars.prefix(Self.maximumScalarCount)
    let isCut = start.endIndex != text.unicodeScalars.endIndex
    return "\"\(Self.escaped(start))\(isCut ? "…" : "")\""
  }

  /// A message that may quote without saying so: escaped, and without its middle where it is long.
  package static func message(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= maximumMessageByteCount && text.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x0A }
    if isPlain { return text }
    let scalars = text.unicodeScalars
    let edge = maximumMessageByteCount / 8
    guard scalars.count > 2 * edge else { return escaped(scalars[...], keepsLines: true) }
    return escaped(scalars.prefix(edge), keepsLines: true) + " … "
      + escaped(scalars.suffix(edge), keepsLines: true)
  }

  private static let maximumMessageByteCount = 8 << 10

  private static func escaped(_ scalars: Substring.UnicodeScalarView, keepsLines: Bool = false) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      if keepsLines && scalar == "\n" || !isEscaped(scalar) {
        text.append(scalar)
      } else {
        text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(text)
  }

  /// Whether a scalar is a control character, a mark on the one before it, or invisible.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .enclosingMark: return true
    default: return CombiningMarks.isReordered(scalar)
    }
  }
}
