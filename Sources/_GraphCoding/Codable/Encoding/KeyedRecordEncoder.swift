import _GraphFiles
import _GraphSupport

/// Fields with keys, written straight into the stream as long as they come in the same order as before.
struct KeyedRecordEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: EncoderRecord

  private var record: RecordEncoder {
    @inline(__always) get { RecordEncoder(writer: place.writer, serial: place.serial) }
  }

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
      return try record.writer.putOff(
        WaitingValue(form: value, record.writer), for: ArchiveKey(key), in: record.serial)
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
    try record.encode(value, for: ArchiveKey(key)) { try move(to: key, $0) }
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
    // A field that is left out is still recorded, so that it needs no separate shape.
    if let value {
      try encode(Value?.some(value), forKey: key)
    } else {
      try field(LeftOut(), key)
    }
  }

  func encodeConditional<Object: AnyObject & Encodable>(_ object: Object, forKey key: Key) throws {
    try record.encodeConditional(object, for: ArchiveKey(key)) { try record.writer.enter(key, $0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let keys = record.writer.keyed(by: type)
    return keys.container(record.nested(keys, for: ArchiveKey(key)) { try move(to: key, $0) })
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    record.nested(record.writer.noKeys, for: ArchiveKey(key)) { try move(to: key, $0) }.unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    record.nested(record.writer.noKeys, for: .super, isContainer: false) {
      try record.writer.enter(named: .super, $0)
    }
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    record.nested(record.writer.noKeys, for: ArchiveKey(key), isContainer: false) { try move(to: key, $0) }
  }

  /// Moves to a field, usually the expected one.
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

/// A field that is left out, stored like an optional so that it shares the shape of values that have it.
private struct LeftOut: GEncodable {
  static func _graphKind(_ encoder: GEncoder) -> GraphKind { .tagged }

  func _graphWrite(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putByte(GraphKind.absent.rawValue)
  }

  func encode(to encoder: GEncoder) throws { try _graphWrite(encoder) }
}
