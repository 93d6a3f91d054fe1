import _GraphFiles
import _GraphSupport

// In each container the generic `encode` is the witness for the basic types, too; the compiler specializes it for them. Only
// 128-bit integers have their own methods, because the default implementations throw.

/// Fields without keys, in order.
struct UnkeyedRecordEncoder: UnkeyedEncodingContainer {
  let record: RecordEncoder
  private var knownCount: Int

  /// - Parameter count: how many elements there are already.
  init(record: RecordEncoder, count: Int) {
    self.record = record
    knownCount = count
  }

  /// Includes those of the record's other containers, except while a container inside it is being filled.
  var count: Int { record.writer.elementCount(of: record.serial) ?? knownCount }

  var codingPath: [any CodingKey] { record.codingPath }

  mutating func encodeNil() throws { try encode(Int?.none) }

  mutating func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  private mutating func encodeAny<Value: Encodable>(_ value: Value) throws {
    try record.encode(value, for: nil) { try record.moveUnkeyed(to: $0) }
    knownCount += 1
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws { try encodeAny(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws { try encodeAny(value) }

  mutating func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
    try record.encodeConditional(object, for: nil) { try record.writer.encoder.enterUnkeyed($0) }
    knownCount += 1
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > {
    let keys = record.writer.keyed(by: type)
    return keys.container(nested(keys))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nested(record.writer.noKeys).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nested(record.writer.noKeys) }

  private mutating func nested(_ keys: AnyKeyedEncoders) -> RecordEncoder {
    knownCount += 1
    return record.nested(keys, for: nil) { try record.moveUnkeyed(to: $0) }
  }
}

/// The only field of a record, which has no key.
struct SingleRecordEncoder: SingleValueEncodingContainer {
  let record: RecordEncoder

  var codingPath: [any CodingKey] { record.codingPath }

  func encodeNil() throws {
    guard try streams(), !record.writer.waits else {
      // It has no parts, unlike some optionals.
      return try record.writer.putOff(single: WaitingValue(form: Int?.none, record.writer), in: record.serial)
    }
    try encode(Int?.none)
  }

  func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try encodeAny(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try encodeAny(value) }

  private func encodeAny<Value: Encodable>(_ value: Value) throws {
    let writer = record.writer
    let type = writer.type(Value.self)
    guard try streams(), !(writer.waits && type.hasParts) else {
      return try writer.putOff(single: WaitingValue(value, writer), in: record.serial)
    }
    try record.moveUnkeyed(to: type.kind)
    do {
      guard Value.self == String.self else { return try type.write(value) }
      // Perhaps a raw value, which decoders compare.
      try writer.encoder.hashed { try type.write(value) }
    } catch { throw writer.encoder.noted(error) }
  }

  /// Encodes a conditional reference.
  func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
    let writer = record.writer
    guard try streams() else {
      return try writer.putOff(single: WaitingValue(conditional: object, writer), in: record.serial)
    }
    try record.encodeConditional(object, for: nil) { try record.moveUnkeyed(to: $0) }
  }

  /// Whether the value is written at once.
  ///
  /// - Throws: if something was written before.
  @inline(__always)
  private func streams() throws -> Bool {
    guard try record.streams() else { return false }
    guard record.writer.isAtStart else { throw record.writer.mixed() }
    return true
  }
}

extension RecordEncoder {
  /// Moves to a field without a key, usually the expected one.
  @inline(__always)
  fileprivate func moveUnkeyed(to kind: GraphKind) throws {
    let next = writer.graph.pointee.node.pointee.prediction
    if next.pointee.token == FieldToken.with(FieldToken.unkeyed, kind) {
      writer.graph.pointee.node = next
    } else {
      try writer.encoder.enterUnkeyed(kind)
    }
  }
}
