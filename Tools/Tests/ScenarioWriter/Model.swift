import GraphCodable

/// What is written: a text that tells entries apart, and numbers that no codec makes shorter.
struct Model: GCodable {
  let text: String
  let numbers: [UInt64]

  init(_ text: String, _ count: Int) {
    self.text = text
    numbers = (0..<UInt64(count)).map { index in
      let product = (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
      return (product ^ product >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
  }

  private enum Key: String { case text, numbers }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(text, for: Key.text)
    try encoder.encode(numbers, for: Key.numbers)
  }

  init(from decoder: GDecoder) throws {
    text = try decoder.decode(for: Key.text)
    numbers = try decoder.decode(for: Key.numbers)
  }
}
