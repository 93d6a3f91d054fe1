/// A key with the kind of its value.
///
/// It is small enough for the inline storage of an `any CodingKey`.
struct TaggedKey: CodingKey {
  /// The key, a colon and the tag of the kind; only the tag for an element of a list.
  let stringValue: String
  /// The kind, or nil if the text has no known tag.
  let kind: TypeTag?

  var intValue: Int? { nil }

  init(_ name: String, _ kind: TypeTag) {
    stringValue = name + ":" + kind.tag
    self.kind = kind
  }

  init(element kind: TypeTag) {
    stringValue = kind.tag
    self.kind = kind
  }

  init?(stringValue: String) {
    self.stringValue = stringValue
    let bytes = stringValue.utf8
    let start = Self.colon(in: stringValue).map(bytes.index(after:))
    kind = TypeTag(tag: bytes[(start ?? bytes.startIndex)...])
  }

  init?(intValue: Int) { nil }

  /// The key; nil for an element of a list.
  var name: String? { Self.colon(in: stringValue).map { String(stringValue[..<$0]) } }

  private static func colon(in text: String) -> String.Index? { text.utf8.lastIndex(of: UInt8(ascii: ":")) }
}
