import CycleBreaking

/// The encoder that a `Codable` value is given: of a record that is being written.
struct RecordEncoder: Encoder {
  let writer: CodableWriter
  let serial: Int

  var codingPath: [any CodingKey] { writer.path(of: serial) }

  var userInfo: [CodingUserInfoKey: Any] { writer.encoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.keyed(by: type).container(self)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedRecordEncoder(record: self, count: writer.beginList(serial))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleRecordEncoder(record: self) }

  /// Whether fields of the record are written at once.
  var isStreaming: Bool {
    @inline(__always) get { writer.state.pointee.streaming == serial }
  }

  /// What takes fields that are not written at once.
  ///
  /// - Throws: where another record is being written.
  func rest(_ value: Any) throws -> BufferedNode {
    guard let rest = writer.rest(of: serial) else { throw writer.notCurrent(value) }
    return rest
  }

  /// The encoder of this record, where its fields wait; one that takes nothing where another record is being written.
  var buffered: BufferedEncoder {
    BufferedEncoder(writer: writer, node: writer.rest(of: serial) ?? BufferedTree(writer, serial: 0).root)
  }
}

extension RecordEncoder: CycleBreakingEncoder {
  /// Encodes a reference that counts only if others lead to its object: it keeps nothing alive.
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws {
    try SingleRecordEncoder(record: self).encodeConditional(object)
  }
}
