/// How keys stand in the text of a path: with a dot in front or, where they could be taken for something else, quoted, in brackets.
package enum PathText {
  /// Adds a key to a path.
  package static func append(_ key: String, to text: inout String) {
    if key.utf8.isEmpty || !key.utf8.allSatisfy(isBare) {
      text += quoted(key)
    } else {
      text += text.isEmpty ? key : "." + key
    }
  }

  /// Whether a key may have the byte without being quoted.
  package static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""), UInt8(ascii: "\\"):
      false
    default: byte > 0x20 && byte != 0x7F
    }
  }

  /// A key in quotation marks and brackets.
  package static func quoted(_ key: String) -> String {
    var text = "[\""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\"]"
  }
}
