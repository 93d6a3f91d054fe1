// In each of these the generic `encode` is the witness for those of the basic types, too: the compiler makes one for
// each of these. Only 128-bit integers have methods of their own, for which there are defaults that throw.

/// Fields without keys, in order.
struct UnkeyedRecordEncoder: UnkeyedEncodingContainer {
  let record: RecordEncoder
  private var knownCount: Int

  /// - Parameter count: how many elements there are already.
  init(record: RecordEncoder, count: Int) {
    self.record = record
    knownCount = count
  }

  /// Those of other containers of the record are among them, but while one inside it is being filled.
  var count: Int { record.writer.elementCount(of: record.serial) ?? knownCount }

  var codingPath: [any CodingKey] { record.codingPath }

  mutating func encodeNil() throws { try encode(Int?.none) }

  mutating func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  private mutating func encodeAny<Value: Encodable>(_ value: Value) throws {
    if try record.streams() {
      let type = record.writer.type(Value.self)
      try move(to: type.kind)
      do { try type.write(value) } catch { throw record.writer.encoder.noted(error) }
    } else {
      try putOff(value)
    }
    knownCount += 1
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func putOff<Value: Encodable>(_ value: Value) throws {
    try record.rest(value).append(BufferedValue(value), for: nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) throws { try encodeAny(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) throws { try encodeAny(value) }

  mutating func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
    if try record.streams() {
      let writer = record.writer
      try writer.encoder.enterUnkeyed(.taggedConditional)
      do { try writer.type(Object.self).writeConditional(object) } catch { throw writer.encoder.noted(error) }
    } else {
      try record.rest(object).append(BufferedConditional(object), for: nil)
    }
    knownCount += 1
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > {
    nested(BufferedRecord<Nested>.self).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nested(BufferedRecord<ArchiveKey>.self).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nested(BufferedRecord<ArchiveKey>.self) }

  private mutating func nested<Form: BufferedRecordType>(_ form: Form.Type) -> any Encoder {
    knownCount += 1
    return record.nested(form) { try move(to: .record) } ?? record.buffered.nested(for: nil, form)
  }

  @inline(__always)
  private func move(to kind: GraphKind) throws { try record.moveUnkeyed(to: kind) }
}

/// The only field of a record, which has no key.
struct SingleRecordEncoder: SingleValueEncodingContainer {
  let record: RecordEncoder

  var codingPath: [any CodingKey] { record.codingPath }

  func encodeNil() throws { try encode(Int?.none) }

  func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try encodeAny(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try encodeAny(value) }

  private func encodeAny<Value: Encodable>(_ value: Value) throws {
    let writer = record.writer
    let type = writer.type(Value.self)
    guard try streams(), !(writer.waits && type.hasParts) else { return try putOff(value) }
    try record.moveUnkeyed(to: type.kind)
    do { try type.write(value) } catch { throw writer.encoder.noted(error) }
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func putOff<Value: Encodable>(_ value: Value) throws {
    try record.rest(value).appendSingle(BufferedValue(value))
  }

  /// Encodes a reference that counts only if others lead to its object.
  func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
    guard try streams() else { return try record.rest(object).appendSingle(BufferedConditional(object)) }
    let writer = record.writer
    try record.moveUnkeyed(to: .taggedConditional)
    do { try writer.type(Object.self).writeConditional(object) } catch { throw writer.encoder.noted(error) }
  }

  /// Whether the value is written at once.
  ///
  /// - Throws: where something has been written before.
  @inline(__always)
  private func streams() throws -> Bool {
    guard try record.streams() else { return false }
    guard record.writer.isAtStart else { throw record.writer.mixed() }
    return true
  }
}

extension RecordEncoder {
  /// Moves to a field without a key, which is the one expected most times.
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
