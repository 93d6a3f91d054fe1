// The value of a decoder, as the only value in a container.
//
// Discriminators decode instances from containers. But a discriminator is known only when there is a decoder for the
// value itself; going back to the container around it would decode the same value twice, which not every decoder
// supports.
//
// In both containers the generic `decode` is the witness for those of the basic types, too. It does not call
// `Value(from: decoder)`, because a decoder that preserves identity has to see the instance.

/// The value of a decoder as the only one in a keyed container.
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

/// The value of a decoder as the only element of an unkeyed container.
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

  /// Lets `body` decode the value, and moves past it unless `body` throws.
  private mutating func takingNext<Result>(
    _ type: Any.Type, _ body: (any Decoder) throws -> Result
  ) throws -> Result {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "The container has only one value."))
    }
    let result = try body(decoder)
    currentIndex = 1
    return result
  }
}
