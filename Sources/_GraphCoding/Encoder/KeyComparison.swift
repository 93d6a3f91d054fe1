/// The encoders that compare keys for the canonical order.
struct KeyComparison {
  /// The encoder that this one compares keys for; its objects keep their numbers here.
  let main: GEncoder?
  /// Objects that a key leads to are missing from its bytes.
  var leavesOut = false
  /// How many objects may be encoded with the key being compared.
  var objectCount = 0
  /// Compares keys for this encoder, and holds it.
  var encoder: GEncoder?

  init(main: GEncoder?) { self.main = main }

  /// Releases the encoders that hold each other.
  mutating func end() {
    guard let known = encoder else { return }
    known.tables.comparison.end()
    encoder = nil
  }
}
