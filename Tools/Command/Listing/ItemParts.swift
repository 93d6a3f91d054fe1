import GraphCodable

extension GraphArchive.Item {
  /// Whether it is an array of strings, or of arrays of these.
  var holdsStrings: Bool {
    kind == .nestedPacked && packedFormats == [PackedFormat(.byte, meaning: .utf8)]
  }

  /// Whether it is a packed array of numbers or structs, whose elements are shown together.
  var holdsNumbers: Bool {
    count ?? 0 > 0 && !packedFormats.isEmpty && kind != .packedOptionals && !holdsStrings
  }

  /// Whether it has parts that its own line does not show, and that are more than numbers.
  var hasListedParts: Bool { count ?? 0 > 0 && text == nil && !holdsNumbers }
}
