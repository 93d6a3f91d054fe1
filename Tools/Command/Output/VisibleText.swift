extension Unicode.Scalar {
  /// Whether it moves the cursor of a terminal, changes the order of what stands around it, or ends a line.
  fileprivate var isHidden: Bool {
    switch value {
    // Marks, embeddings, overrides and isolates of writing from right to left; separators of lines and paragraphs.
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    // A name that is not UTF-8 is not shown as what it is not.
    case _ where FileName.isByte(self): true
    default: properties.generalCategory == .control
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where FileName.isByte(self): "\\x\(String(value & 0xFF, radix: 16, uppercase: true))"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}

extension String {
  /// The text with escapes in place of what a terminal would not show as it is.
  ///
  /// Names in an archive are whatever its writer liked, and may be meant to deceive.
  var visible: String { escaped(\.escape) }

  /// Text in JSON that has the escapes of JSON in these places.
  ///
  /// There they stand in strings only; those below U+0020 are escaped already.
  var visibleJSON: String {
    escaped { scalar in
      if FileName.isByte(scalar) { return "\\" + scalar.escape }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  /// The text with escapes, but for tabs.
  var visibleWithTabs: String { escaped(keepsTabs: true, \.escape) }

  private func escaped(keepsTabs: Bool = false, _ escape: (Unicode.Scalar) -> String) -> String {
    // Most texts are plain ASCII.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || keepsTabs && $0 == 0x09 }) { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isHidden, !(keepsTabs && scalar == "\t") {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
