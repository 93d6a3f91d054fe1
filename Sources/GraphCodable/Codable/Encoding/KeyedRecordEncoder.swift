/// Fields with keys, which go straight into the stream as long as they come in the order of the values before.
struct KeyedRecordEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let record: RecordEncoder

  var codingPath: [any CodingKey] { record.codingPath }

  /// Writes a value of the library's own types.
  @inline(__always)
  private func field<Value: GEncodable>(_ value: Value, _ key: Key) throws {
    let graph = record.writer.graph
    let next = graph.pointee.node.pointee.prediction
    let encoder = record.writer.encoder
    guard record.isStreaming,
      next.pointee.token == FieldToken.with(FieldToken.of(coding: key), Value._graphKind(encoder))
    else { return try unexpectedField(value, key) }
    graph.pointee.node = next
    do { try value._graphWrite(encoder) } catch { throw encoder.noted(error) }
  }

  @inline(never)
  private func unexpectedField<Value: GEncodable>(_ value: Value, _ key: Key) throws {
    guard try record.streams() else {
      return try record.rest(value).append(BufferedForm(value), for: ArchiveKey(key))
    }
    let encoder = record.writer.encoder
    try record.writer.enter(key, encoder.nestedKind(Value.self))
    do { try encoder.writeNested(value) } catch { throw encoder.noted(error) }
  }

  func encodeNil(forKey key: Key) throws { try field(Int?.none, key) }

  func encode(_ value: Bool, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try field(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try field(value, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128, forKey key: Key) throws { try field(value, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128, forKey key: Key) throws { try field(value, key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let writer = record.writer
    guard try record.streams() else {
      return try record.rest(value).append(BufferedValue(value), for: ArchiveKey(key))
    }
    let type = writer.type(Value.self)
    try move(to: key, type.kind)
    do { try type.write(value) } catch { throw writer.encoder.noted(error) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try field(IfPresent(value: value), key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try field(IfPresent(value: value), key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try field(IfPresent(value: value), key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try field(IfPresent(value: value), key) }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    // A field that is left out is there all the same, so that it makes no shape of its own.
    if let value {
      try encode(Value?.some(value), forKey: key)
    } else {
      try field(LeftOut(), key)
    }
  }

  func encodeConditional<Object: AnyObject & Encodable>(_ object: Object, forKey key: Key) throws {
    guard try record.streams() else {
      return try record.rest(object).append(BufferedConditional(object), for: ArchiveKey(key))
    }
    let writer = record.writer
    try writer.enter(key, .taggedConditional)
    do { try writer.type(Object.self).writeConditional(object) } catch { throw writer.encoder.noted(error) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    if let nested = record.nested(BufferedRecord<Nested>.self, { try move(to: key, .record) }) {
      return nested.container(keyedBy: type)
    }
    return record.buffered.container(for: ArchiveKey(key), BufferedRecord<Nested>.self).container(
      keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    if let nested = record.nested(BufferedRecord<ArchiveKey>.self, { try move(to: key, .record) }) {
      return nested.unkeyedContainer()
    }
    return record.buffered.container(for: ArchiveKey(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    record.nested(BufferedRecord<ArchiveKey>.self) { try record.writer.enter(named: .super, .record) }
      ?? record.buffered.nested(for: .super)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    record.nested(BufferedRecord<ArchiveKey>.self) { try move(to: key, .record) }
      ?? record.buffered.nested(for: ArchiveKey(key))
  }

  /// Moves to a field, which is the one expected most times.
  @inline(__always)
  private func move(to key: Key, _ kind: GraphKind) throws {
    let graph = record.writer.graph
    let next = graph.pointee.node.pointee.prediction
    if next.pointee.token == FieldToken.with(FieldToken.of(coding: key), kind) {
      graph.pointee.node = next
    } else {
      try record.writer.enter(key, kind)
    }
  }
}

/// A field that is left out, among those of the same shape that have a value, which are optionals.
private struct LeftOut: GEncodable {
  static func _graphKind(_ encoder: GEncoder) -> GraphKind { .tagged }

  func _graphWrite(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putByte(GraphKind.absent.rawValue)
  }

  func encode(to encoder: GEncoder) throws { try _graphWrite(encoder) }
}
