/// A key with the kind of what is stored below it.
///
/// It has no more than a key may have that lies in an `any CodingKey` without memory of its own.
struct StoredKey: CodingKey {
  /// The key, a colon and the sign of the kind; only the sign for an element of a list.
  let stringValue: String
  /// Nil where the text ends in no sign.
  let kind: StoredKind?

  var intValue: Int? { nil }

  init(_ name: String, _ kind: StoredKind) {
    stringValue = name + ":" + kind.sign
    self.kind = kind
  }

  init(element kind: StoredKind) {
    stringValue = kind.sign
    self.kind = kind
  }

  init?(stringValue: String) {
    self.stringValue = stringValue
    let bytes = stringValue.utf8
    let start = Self.colon(in: stringValue).map(bytes.index(after:))
    kind = StoredKind(sign: bytes[(start ?? bytes.startIndex)...])
  }

  init?(intValue: Int) { nil }

  /// The key; nil for an element of a list.
  var name: String? { Self.colon(in: stringValue).map { String(stringValue[..<$0]) } }

  private static func colon(in text: String) -> String.Index? { text.utf8.lastIndex(of: UInt8(ascii: ":")) }
}
