// The value that a decoder stands at, as the only one in a container.
//
// Discriminators decode from containers. When one is known, the decoder stands at the value already. To go
// back to the container that holds it would mean to decode the same place twice, which not every decoder
// takes.
//
// In both containers the generic `decode` is the witness for those of the basic types, too. It is not
// `Value(from: decoder)`: a decoder that keeps identity wants to know of the instance.

/// The value as the only one in a container with keys.
struct WholeValueContainer: KeyedDecodingContainerProtocol {
  enum Key: CodingKey {
    case whole
  }

  let decoder: any Decoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { [.whole] }

  func contains(_: Key) -> Bool { true }

  func decodeNil(forKey _: Key) throws -> Bool { try decoder.singleValueContainer().decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey _: Key) throws -> Value {
    try decoder.singleValueContainer().decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey _: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey _: Key) -> any Decoder { decoder }
}

/// The value as the only element of a sequence.
struct WholeValueSequence: UnkeyedDecodingContainer {
  private let decoder: any Decoder
  private(set) var currentIndex = 0

  init(decoder: any Decoder) {
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { 1 }

  var isAtEnd: Bool { currentIndex == 1 }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, try decoder.singleValueContainer().decodeNil() else { return false }
    currentIndex = 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try takingNext(type) { try $0.singleValueContainer().decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try takingNext(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try takingNext((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try takingNext((any Decoder).self) { $0 }
  }

  /// What `body` makes of the value, which is over then, unless `body` throws.
  private mutating func takingNext<Result>(
    _ type: Any.Type, _ body: (any Decoder) throws -> Result
  ) throws -> Result {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "There is one value, which has been decoded."))
    }
    let result = try body(decoder)
    currentIndex = 1
    return result
  }
}
