// In each container the generic `encode` is the witness for the basic types, too; the compiler specializes it for them.
// Only the 128-bit integers need methods of their own, because their default implementations throw.

/// A keyed container.
struct KeyedNodeEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  let node: KeyedNode

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws { try set(.null, for: key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.checkIsOpen(value)
    encoder.set(try encoder.flattening.node(of: value, .key(key), in: encoder), for: key, in: node)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128, forKey key: Key) throws { try set(Node(value), for: key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128, forKey key: Key) throws { try set(Node(value), for: key) }

  private func set(_ value: Node, for key: Key) throws {
    try encoder.checkIsOpen(value)
    encoder.set(value, for: key, in: node)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.containerEncoder(key, in: node).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.containerEncoder(key, in: node).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.superEncoder(SuperKey.super, in: node) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.superEncoder(key, in: node) }
}

/// An unkeyed container.
struct UnkeyedNodeEncoder: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  let node: UnkeyedNode

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { node.elements.count }

  func encodeNil() throws { try append(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.checkIsOpen(value)
    node.append(try encoder.flattening.node(of: value, .index(count), in: encoder))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try append(Node(value)) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try append(Node(value)) }

  private func append(_ element: Node) throws {
    try encoder.checkIsOpen(element)
    node.append(element)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.elementEncoder(in: node).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.elementEncoder(in: node).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.elementEncoder(in: node) }
}
