// In each container the generic `decode` is the witness for the basic types, too; the compiler specializes it for them.
// Only the 128-bit integers need methods of their own, because their default implementations throw.

/// A keyed container.
struct KeyedNodeDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: NodeDecoder
  let node: KeyedNode

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { node.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.value(of: key.stringValue, in: node) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try value(of: key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.unflattening.value(of: value(of: key), as: type, .key(key), in: decoder)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decoder.unflattening.value(of: value(of: key), as: type, .key(key), in: decoder)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decoder.unflattening.value(of: value(of: key), as: type, .key(key), in: decoder)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nestedDecoder(key, value(of: key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nestedDecoder(key, value(of: key)).unkeyedContainer()
  }

  /// As with other decoders, a superclass that has encoded nothing finds nil.
  func superDecoder() -> any Decoder { superDecoder(at: SuperKey.super) }

  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

  private func superDecoder(at key: any CodingKey) -> any Decoder {
    nestedDecoder(key, decoder.value(of: key.stringValue, in: node) ?? .null)
  }

  private func nestedDecoder(_ key: any CodingKey, _ value: Node) -> NodeDecoder {
    NodeDecoder(value, in: decoder.unflattening, .key(key), decoder)
  }

  private func value(of key: Key) throws -> Node {
    guard let value = decoder.value(of: key.stringValue, in: node) else {
      throw DecodingError.keyNotFound(
        key, decoder.errorContext("There is no value for the key '\(key.stringValue)'."))
    }
    return value
  }
}

/// An unkeyed container.
struct UnkeyedNodeDecoder: UnkeyedDecodingContainer {
  private let decoder: NodeDecoder
  private let elements: [Node]
  private(set) var currentIndex = 0

  init(decoder: NodeDecoder, elements: [Node]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { elements.count }

  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try next(Any?.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeNext(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeNext(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeNext(type) }

  @inline(__always)
  private mutating func decodeNext<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decoder.unflattening.value(
      of: next(type), as: type, .index(currentIndex), in: decoder)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try nextDecoder(KeyedDecodingContainer<Nested>.self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try nextDecoder([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try nextDecoder((any Decoder).self)
    currentIndex += 1
    return decoder
  }

  private func nextDecoder(_ type: Any.Type) throws -> NodeDecoder {
    NodeDecoder(try next(type), in: decoder.unflattening, .index(currentIndex), decoder)
  }

  private func next(_ type: Any.Type) throws -> Node {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        decoder.errorContext("The container has only \(elements.count) values.", at: ElementKey(currentIndex))
      )
    }
    return elements[currentIndex]
  }
}
