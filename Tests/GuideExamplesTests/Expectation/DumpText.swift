import DocumentTestSupport

/// What of a dump the guide promises, and what each implementation writes in its own way.
///
/// - The runs of `=` and `-` in ruling lines may be of any length.
/// - The header of this library's archives has other fields than that of the archives in the guide. The file
///   type, the version of BinaryIO and, of an archive, some size of its data are in both.
/// - The help must explain the same codes, in words of its own.
enum DumpText {
  private enum Section {
    case help, header, binaryIO, other
  }

  /// The lines without what may differ.
  static func canonical(_ lines: [Substring]) -> [String] {
    var section = Section.other
    return lines.compactMap { line in
      if let rule = rule(line) {
        switch rule.split(separator: " ").dropFirst().first {
        case "HELP": section = .help
        case "HEADER": section = .header
        case "BinaryIO": section = .binaryIO
        default: section = .other
        }
        return rule
      }
      return switch section {
      case .help: explainedCode(line)
      case .header: line.hasPrefix("- FileType ") ? String(line) : nil
      case .binaryIO: line.hasPrefix("- Data size ") ? "- Data size" : String(line)
      case .other: String(line)
      }
    }
  }

  /// A ruling line begins with `=`, or with `-` and ends with `--`; its runs become one character each.
  private static func rule(_ line: Substring) -> String? {
    let text = line.trimmed
    guard text.hasPrefix("=") || (text.hasPrefix("- ") && text.hasSuffix("--")) else { return nil }
    var result = ""
    for character in text where !("=-".contains(character) && result.last == character) {
      result.append(character)
    }
    return result
  }

  /// `VAL<objID?>` of a line that says what this is.
  private static func explainedCode(_ line: Substring) -> String? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count > 2, words[1] == "=", words[0].hasSuffix(">") else { return nil }
    return String(words[0])
  }

  /// A data unit that was too long: its text up to the first number, and how long it was.
  static func withoutNumbers(_ line: String) -> String {
    guard line.hasSuffix("…"), let unit = line.firstRange(of: "BIV ") else { return line }
    let text = line[unit.upperBound...].dropLast()
    guard let number = text.firstRange(of: /[(\[]-?\d/) else { return line }
    let start = text[...number.lowerBound]
    return line[..<unit.upperBound] + start + "# (\(text.count) characters)…"
  }
}
