/// Fields without keys, in order; a single value is one of them.
///
/// The generic `encode` is the witness for those of the basic types, too: the compiler makes one for each of these.
/// Only 128-bit integers have methods of their own, for which there are defaults that throw.
struct UnkeyedRecordEncoder: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let record: RecordEncoder
  private(set) var count = 0

  init(record: RecordEncoder) { self.record = record }

  var codingPath: [any CodingKey] { record.codingPath }

  mutating func encodeNil() throws { try encode(Int?.none) }

  mutating func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  private mutating func encodeAny<Value: Encodable>(_ value: Value) throws {
    let writer = record.writer
    let type = writer.type(Value.self)
    if try record.streams() {
      try move(to: type.kind)
      do { try type.write(value) } catch { throw writer.encoder.noted(error) }
    } else {
      try putOff(value)
    }
    count += 1
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func putOff<Value: Encodable>(_ value: Value) throws {
    try record.rest(value).append(PendingValue(value), for: nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws { try encodeAny(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws { try encodeAny(value) }

  mutating func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
    if try record.streams() {
      let writer = record.writer
      try writer.encoder.enterUnkeyed(.tagged)
      do { try writer.type(Object.self).writeConditional(object) } catch { throw writer.encoder.noted(error) }
    } else {
      try record.rest(object).append(PendingConditional(object), for: nil)
    }
    count += 1
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > {
    nested(PendingRecord<Nested>.self).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nested(PendingRecord<ArchiveKey>.self).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nested(PendingRecord<ArchiveKey>.self) }

  private mutating func nested<Form: PendingRecordType>(_ form: Form.Type) -> any Encoder {
    count += 1
    return record.nested(form) { try move(to: .record) } ?? record.pending.nested(for: nil, form)
  }

  /// Moves to a field, which is the one expected most times.
  @inline(__always)
  private func move(to kind: GraphKind) throws {
    let graph = record.writer.graph
    let next = graph.pointee.node.pointee.next
    if next.pointee.token == FieldToken.with(FieldToken.unkeyed, kind) {
      graph.pointee.node = next
    } else {
      try record.writer.encoder.enterUnkeyed(kind)
    }
  }
}
