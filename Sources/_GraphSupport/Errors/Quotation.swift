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

  /// A message that may quote without saying so: escaped, and without its middle where it has more than 8 KiB.
  package static func message(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= maximumMessageByteCount && text.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x0A }
    if isPlain { return text }
    let scalars = text.unicodeScalars
    let start = pieces(of: scalars, upTo: maximumMessageByteCount)
    if start.count == scalars.count { return start.joined() }
    let half = (maximumMessageByteCount - ellipsis.utf8.count) / 2
    let end = pieces(of: scalars.reversed(), upTo: half).reversed()
    return pieces(of: scalars, upTo: half).joined() + ellipsis + end.joined()
  }

  private static let maximumMessageByteCount = 8 << 10
  private static let ellipsis = " … "

  /// The first scalars, each escaped if need be, that have no more than a number of bytes.
  private static func pieces(of scalars: some Sequence<Unicode.Scalar>, upTo byteCount: Int) -> [String] {
    var (pieces, left): ([String], Int) = ([], byteCount)
    for scalar in scalars {
      let piece = scalar == "\n" ? "\n" : escaped(CollectionOfOne(scalar))
      left -= piece.utf8.count
      if left < 0 { break }
      pieces.append(piece)
    }
    return pieces
  }

  private static func escaped(_ scalars: some Collection<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      if isEscaped(scalar) {
        text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        text.append(scalar)
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
