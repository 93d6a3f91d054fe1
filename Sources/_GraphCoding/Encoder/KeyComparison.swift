/// The encoders that compare keys for the canonical order.
struct KeyComparison {
  /// The encoder whose objects keep their numbers in this one, which only compares keys for it.
  let main: GEncoder?
  /// Objects that a key leads to are not among its bytes.
  var leavesOut = false
  /// How many objects may be encoded with the key that is being compared.
  var objectCount = 0
  /// Compares keys for this encoder, and holds it.
  var encoder: GEncoder?

  init(main: GEncoder?) { self.main = main }

  /// Releases the encoders that hold each other.
  mutating func end() {
    encoder?.tables.comparison.end()
    encoder = nil
  }
}
