import CycleBreaking

// Containers inside containers, whose fields wait until the record around them ends.
//
// In each of them the generic `encode` is the witness for those of the basic types, too.

/// The encoder of a nested container, or what `superEncoder()` returns.
struct BufferedEncoder: Encoder {
  let writer: CodableWriter
  let node: BufferedNode

  var codingPath: [any CodingKey] { node.path }

  var userInfo: [CodingUserInfoKey: Any] { writer.encoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedBufferedEncoder<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    _ = node.beginList()
    return UnkeyedBufferedEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleBufferedEncoder(encoder: self) }

  /// - Parameter form: that of the records.
  func nested(
    for key: ArchiveKey?, _ form: any BufferedRecordType.Type = BufferedRecord<ArchiveKey>.self
  ) -> BufferedEncoder {
    BufferedEncoder(writer: writer, node: node.nested(for: key, form))
  }

  func container(
    for key: ArchiveKey, _ form: any BufferedRecordType.Type = BufferedRecord<ArchiveKey>.self
  ) -> BufferedEncoder {
    BufferedEncoder(writer: writer, node: node.container(for: key, form))
  }
}

extension BufferedEncoder: CycleBreakingEncoder {
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws {
    try node.appendSingle(BufferedConditional(object))
  }
}

struct KeyedBufferedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: BufferedEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws {
    try encoder.node.append(BufferedForm(Int?.none), for: ArchiveKey(key))
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.node.append(BufferedValue(value), for: ArchiveKey(key))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128, forKey key: Key) throws {
    try encoder.node.append(BufferedValue(value), for: ArchiveKey(key))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128, forKey key: Key) throws {
    try encoder.node.append(BufferedValue(value), for: ArchiveKey(key))
  }

  func encodeConditional<Object: AnyObject & Encodable>(_ object: Object, forKey key: Key) throws {
    try encoder.node.append(BufferedConditional(object), for: ArchiveKey(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.container(for: ArchiveKey(key), BufferedRecord<Nested>.self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.container(for: ArchiveKey(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.nested(for: .super) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(for: ArchiveKey(key)) }
}

struct SingleBufferedEncoder: SingleValueEncodingContainer {
  let encoder: BufferedEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws { try encoder.node.appendSingle(BufferedForm(Int?.none)) }

  @_semantics("optimize.sil.specialize.generic.never")
  func encode<Value: Encodable>(_ value: Value) throws { try encoder.node.appendSingle(BufferedValue(value)) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try encoder.node.appendSingle(BufferedValue(value)) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try encoder.node.appendSingle(BufferedValue(value)) }
}

struct UnkeyedBufferedEncoder: UnkeyedEncodingContainer {
  let encoder: BufferedEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.node.unkeyedCount }

  func encodeNil() throws { try encoder.node.append(BufferedForm(Int?.none), for: nil) }

  @_semantics("optimize.sil.specialize.generic.never")
  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.node.append(BufferedValue(value), for: nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try encoder.node.append(BufferedValue(value), for: nil) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try encoder.node.append(BufferedValue(value), for: nil) }

  func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
    try encoder.node.append(BufferedConditional(object), for: nil)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.nested(for: nil, BufferedRecord<Nested>.self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.nested(for: nil).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.nested(for: nil) }
}
