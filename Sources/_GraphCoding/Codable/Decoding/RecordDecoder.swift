import CycleBreaking
import _GraphFiles
import _GraphSupport

/// The decoder passed to a `Codable` value: for the record being read, or for one on the side.
struct RecordDecoder: Decoder {
  let reader: CodableReader
  let serial: Int

  var codingPath: [any CodingKey] { reader.path(of: serial) }

  var userInfo: [CodingUserInfoKey: Any] { reader.decoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let inner = try reader.with(serial, { try innerWithKeys() }) {
      return try inner.container(keyedBy: type)
    }
    return reader.keyed(by: type).container(self)
  }

  /// The record that holds the keys of this one, if not itself.
  private func innerWithKeys() throws -> RecordDecoder? {
    guard let shape = reader.graph.pointee.frame.shape, try !reader.mayHaveKeys(shape) else { return nil }
    do {
      if try reader.namePairs(of: serial) { return nil }
    } catch { throw reader.translated(error, [String: Any].self, in: serial, nil) }
    guard reader.isSingle(shape) else {
      throw reader.noSuchContainer([String: Any].self, "keys", in: serial)
    }
    // A single value with keys of its own: it was encoded through a single value container.
    return try nested([String: Any].self, key: nil, reader.find(unkeyed: 0), isRecord: true)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try reader.with(serial) {
      guard let shape = reader.graph.pointee.frame.shape, !shape.pointee.isList else {
        return try UnkeyedRecordDecoder(record: self)
      }
      guard reader.isSingle(shape) else {
        // Types that are `GCodable` may have encoded elements without saying that they are a list.
        guard try reader.unkeyedCount() > 0 else {
          throw reader.noSuchContainer([Any].self, "elements", in: serial)
        }
        return try UnkeyedRecordDecoder(record: self)
      }
      // A single value with elements of its own: it was encoded through a single value container.
      let elements: RecordDecoder
      do { elements = try reader.openElements() } catch {
        throw reader.translated(error, [Any].self, in: serial, nil)
      }
      return try elements.unkeyedContainer()
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleRecordDecoder(record: self) }

  /// A record in place of a field.
  func nested(
    _ type: Any.Type, key: ArchiveKey?, _ place: CodableReader.FoundField?, isRecord: Bool
  ) throws -> RecordDecoder {
    guard let place else { throw reader.keyNotFound(key ?? .super, in: serial) }
    do {
      return try reader.open(place, key: key, isRecord: isRecord)
    } catch { throw reader.translated(error, type, in: serial, key) }
  }
}

extension RecordDecoder: CycleBreakingDecoder {
  func decodeBreakingCycles<Object: AnyObject & Decodable>(
    _ type: Object.Type, set: @escaping (Object) -> Void, isHeld: (() -> Bool)?
  ) throws -> EarlyObject<Object> {
    try reader.with(serial) {
      guard let place = try reader.find(unkeyed: 0) else { throw reader.atEnd(type, 0, in: serial) }
      if place.overflowCursor == nil {
        // Objects reached only through such fields need not be prebuilt.
        reader.graph.pointee.frame.field.pointee.token = FieldToken.unkeyed | FieldToken.deferred
      }
      let path = codingPath
      var number: UInt32?
      try reader.read(place) { kind in
        // A value that is not a reference is refused immediately: it may be an element of a packed array, which
        // does not live until the end.
        guard kind.mayLeadToObjects else { return set(try reader.type(type).read(kind)) }
        let cursor = reader.graph.pointee.stream.input.cursor
        number = reader.objectNumber(kind)
        try reader.decoder.putOff(kind) { [reader] decoder in
          decoder.state.pointee.stream.input.cursor = cursor
          set(try reader.type(type).read(kind))
        }
      }
      if let isHeld {
        reader.finalChecks.append {
          guard isHeld() else {
            throw DecodingError.valueNotFound(
              type,
              .init(
                codingPath: path,
                debugDescription:
                  "The object of this UnownedCycleBreaker is gone: nothing else that was decoded "
                  + "holds it."))
          }
        }
      }
      return { [weak reader] isNeeded in
        number.flatMap { reader?.earlyObject(type, $0, isNeeded: isNeeded) }
      }
    }
  }
}
