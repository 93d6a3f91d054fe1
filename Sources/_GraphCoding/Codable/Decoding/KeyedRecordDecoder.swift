import _GraphFiles
import _GraphSupport

/// Fields with keys, read straight from the stream as long as they are requested in its order.
struct KeyedRecordDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: DecoderRecord

  private var reader: CodableReader {
    @inline(__always) get { place.reader }
  }

  private var record: RecordDecoder {
    @inline(__always) get { RecordDecoder(reader: place.reader, serial: place.serial) }
  }

  var codingPath: [any CodingKey] { record.codingPath }

  var allKeys: [Key] {
    (try? reader.with(record.serial) { try reader.keyed(by: Key.self).allKeys(reader) }) ?? []
  }

  func contains(_ key: Key) -> Bool {
    let place = try? reader.with(record.serial) { try reader.find(key) }
    return place.flatMap { $0 } != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try reader.with(record.serial) {
      guard let place = try reader.find(key) else { throw reader.keyNotFound(key, in: record.serial) }
      return reader.isNil(place)
    }
  }

  // MARK: Values

  /// Whether the field at the cursor has a key.
  @inline(__always)
  private func isNext(_ key: Key) -> Bool {
    reader.state.pointee.record == record.serial
      && reader.graph.pointee.frame.field.pointee.token == FieldToken.of(coding: key)
  }

  /// Reads the field at the cursor; after an error it still is.
  @inline(__always)
  private func next<Value>(_ type: Any.Type, _ key: Key, _ read: (GraphKind) throws -> Value) throws -> Value
  {
    let graph = reader.graph
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
    graph.pointee.frame.field = field.next
    do { return try read(field.pointee.kind) } catch {
      (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = (field, cursor)
      throw reader.failed(error, type, key, in: record.serial)
    }
  }

  /// Reads a value of the library's own types.
  @inline(__always)
  private func field<Value: GDecodable & Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
    guard isNext(key), !reader.graph.pointee.frame.field.pointee.kind.mayBeRecord else {
      return try unexpectedField(type, key) {
        try $0.mayBeRecord ? reader.type(type).read($0) : reader.decoder.read(type, $0)
      }
    }
    return try next(type, key) { try reader.decoder.read(type, $0) }
  }

  @inline(__always)
  private func fieldIfPresent<Value: GDecodable & Decodable>(_ type: Value.Type, _ key: Key) throws -> Value?
  {
    guard isNext(key), !reader.isAtRecord(reader.graph.pointee.frame.field.pointee.kind) else {
      return try unexpectedField(type, key, absent: .some(nil)) {
        try reader.isAtRecord($0)
          ? reader.type(Value?.self).read($0) : Value?._graphRead(reader.decoder, $0)
      }
    }
    return try next(type, key) { try Value?._graphRead(reader.decoder, $0) }
  }

  /// Reads a field other than the one at the cursor.
  ///
  /// - Parameter absent: the value if there is none; nil for an error.
  @inline(never)
  private func unexpectedField<Value>(
    _ type: Any.Type, _ key: Key, absent: Value? = nil, _ read: (GraphKind) throws -> Value
  ) throws -> Value {
    try reader.with(record.serial) {
      do {
        if let place = try reader.find(key) { return try reader.read(place, read) }
        if let absent { return absent }
        throw reader.keyNotFound(key, in: record.serial)
      } catch { throw reader.translated(error, type, in: record.serial, key) }
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let decodable = reader.type(type)
    guard isNext(key) else { return try unexpectedField(type, key) { try decodable.read($0) } }
    return try next(type, key) { try decodable.read($0) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let decodable = reader.type(Value?.self)
    guard isNext(key) else {
      return try unexpectedField(type, key, absent: .some(nil)) { try decodable.read($0) }
    }
    return try next(type, key) { try decodable.read($0) }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try field(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try field(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try field(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try field(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try field(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try field(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try field(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try field(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try field(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try field(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try field(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try field(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try field(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try field(type, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try field(type, key) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try field(type, key) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try fieldIfPresent(type, key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try fieldIfPresent(type, key)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try fieldIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try fieldIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try fieldIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try fieldIfPresent(type, key)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try fieldIfPresent(type, key)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try fieldIfPresent(type, key)
  }

  // MARK: Nested containers

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested([String: Any].self, key, isRecord: true).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested([Any].self, key, isRecord: false).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try nested(Any.self, ArchiveKey.super, isRecord: false) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try nested(Any.self, key, isRecord: false) }

  private func nested(_ type: Any.Type, _ key: some CodingKey, isRecord: Bool) throws -> RecordDecoder {
    try reader.with(record.serial) {
      try record.nested(type, key: ArchiveKey(key), reader.find(key), isRecord: isRecord)
    }
  }
}
