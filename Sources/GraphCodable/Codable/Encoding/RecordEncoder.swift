import CyclicCoding

/// The encoder that a `Codable` value is given: of a record that is being written.
struct RecordEncoder: Encoder {
  let writer: CodableWriter
  let serial: Int

  var codingPath: [any CodingKey] { writer.path(of: serial) }

  var userInfo: [CodingUserInfoKey: Any] { writer.encoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedRecordEncoder<Key>(record: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writer.beginList(serial)
    return UnkeyedRecordEncoder(record: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    UnkeyedRecordEncoder(record: self)
  }

  /// Whether fields of the record are written at once.
  var isStreaming: Bool {
    @inline(__always) get { writer.state.pointee.streaming == serial }
  }

  /// What takes fields that are not written at once.
  ///
  /// - Throws: where another record is being written.
  func rest(_ value: Any) throws -> PendingNode {
    guard let rest = writer.rest(of: serial) else { throw writer.notCurrent(value) }
    return rest
  }

  /// What is encoded in place of a field.
  func nested(for key: String?) -> PendingNode { pending.nested(for: key) }

  /// A container in place of a field.
  func container(for key: String) -> PendingNode { pending.container(for: key) }

  private var pending: PendingNode { writer.rest(of: serial) ?? PendingTree(writer, serial: 0).root }
}

extension RecordEncoder: CycleBreakingEncoder {
  /// Encodes a reference that counts only if others lead to its object: it keeps nothing alive.
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws {
    var container = UnkeyedRecordEncoder(record: self)
    try container.encodeConditional(object)
  }
}
