// In each of them the generic `encode` is the witness for those of the basic types, too: the compiler makes one
// for each of these. Only 128-bit integers have methods of their own, for which there are defaults that throw.

/// A container with keys.
struct KeyedNodeEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  let node: KeyedNode

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws { set(.null, for: key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    set(try encoder.flattening.node(of: value, .key(key), in: encoder), for: key)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128, forKey key: Key) throws { set(Node(value), for: key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128, forKey key: Key) throws { set(Node(value), for: key) }

  @discardableResult
  private func set(_ value: Node, for key: any CodingKey) -> Int {
    node.set(value, for: key.stringValue, predictions: &encoder.flattening.predictions)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    superEncoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nestedEncoder(SuperKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(key) }

  private func nestedEncoder(_ key: any CodingKey) -> NodeEncoder {
    let place = set(.null, for: key)
    return encoder.nestedEncoder(.key(key)) { [node] in node.replace(at: place, by: $0) }
  }
}

/// A container without keys.
struct UnkeyedNodeEncoder: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  let node: UnkeyedNode

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { node.elements.count }

  func encodeNil() throws { node.append(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.append(try encoder.flattening.node(of: value, .index(count), in: encoder))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { node.append(Node(value)) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { node.append(Node(value)) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    superEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

  func superEncoder() -> any Encoder {
    let index = count
    node.append(.null)
    return encoder.nestedEncoder(.index(index)) { [node] in node.replace(at: index, by: $0) }
  }
}
