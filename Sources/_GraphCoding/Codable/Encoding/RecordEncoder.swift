import CycleBreaking
import _GraphFiles
import _GraphSupport

/// The encoder passed to a `Codable` value, and that of a nested record.
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

  /// Whether fields of the record are written at once, after ending the records inside it.
  ///
  /// - Throws: if its fields can no longer be written, or another value is being encoded.
  @inline(__always)
  func streams() throws -> Bool { try isStreaming || writer.resume(serial) }

  // MARK: Fields

  /// Encodes a value into the field that `enter` moves to.
  @inline(__always)
  func encode<Value: Encodable>(
    _ value: Value, for key: @autoclosure () -> ArchiveKey?, _ enter: (GraphKind) throws -> Void
  ) throws {
    guard try streams() else { return try putOff(value, for: key()) }
    let type = writer.type(Value.self)
    try enter(type.kind)
    do { try type.write(value) } catch { throw writer.encoder.noted(error) }
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func putOff<Value: Encodable>(_ value: Value, for key: ArchiveKey?) throws {
    try writer.putOff(WaitingValue(value, writer), for: key, in: serial)
  }

  /// Encodes a conditional reference.
  @inline(never)
  func encodeConditional<Object: AnyObject & Encodable>(
    _ object: Object, for key: ArchiveKey?, _ enter: (GraphKind) throws -> Void
  ) throws {
    guard try streams() else {
      return try writer.putOff(WaitingValue(conditional: object, writer), for: key, in: serial)
    }
    try enter(.taggedConditional)
    do { try writer.type(Object.self).writeConditional(object) } catch { throw writer.encoder.noted(error) }
  }

  /// Begins a record in place of the field that `enter` moves to.
  ///
  /// If anything is wrong, everything encoded into it throws.
  ///
  /// - Parameters:
  ///   - keys: the record's, which hold the shapes of such records.
  ///   - isContainer: whether requesting it again with the same key continues it.
  func nested(
    _ keys: AnyKeyedEncoders, for key: @autoclosure () -> ArchiveKey?, isContainer: Bool = true,
    _ enter: (GraphKind) throws -> Void
  ) -> RecordEncoder {
    let type = keys.recordType(writer)
    let nested: Int
    do {
      if try !writer.waits && streams() {
        try enter(.record)
        nested = try writer.beginNested(type)
      } else {
        nested = writer.waitingNested(in: serial, for: key(), type, isContainer: isContainer)
      }
    } catch {
      // Perhaps a container requested again.
      if (error as? GCodableError)?.code == .duplicateKey { writer.encodeAnew() }
      nested = CodableWriterState.noRecord
    }
    return RecordEncoder(writer: writer, serial: nested)
  }
}

extension RecordEncoder: CycleBreakingEncoder {
  /// Encodes a conditional reference: it keeps nothing alive.
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws {
    try SingleRecordEncoder(record: self).encodeConditional(object)
  }
}
