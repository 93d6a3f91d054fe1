import _GraphSupport

// In each container the generic `decode` is the witness for the basic types, too; the compiler specializes it for them. Only
// 128-bit integers have their own methods, because the default implementations throw.

/// Fields without keys, in order.
struct UnkeyedRecordDecoder: UnkeyedDecodingContainer {
  let record: RecordDecoder
  let count: Int?
  private(set) var currentIndex = 0

  private var reader: CodableReader { record.reader }

  init(record: RecordDecoder) throws {
    self.record = record
    count = try record.reader.with(record.serial) { try record.reader.unkeyedCount() }
  }

  var codingPath: [any CodingKey] { record.codingPath }

  var isAtEnd: Bool { currentIndex >= count ?? 0 }

  mutating func decodeNil() throws -> Bool {
    let isNil = try reader.with(record.serial) {
      guard let place = try reader.find(unkeyed: currentIndex) else { throw atEnd(Any?.self) }
      return reader.isNil(place)
    }
    if isNil { currentIndex += 1 }
    return isNil
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeAny(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }

  private mutating func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try record.decode(type, unkeyed: currentIndex)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested([String: Any].self, isRecord: true) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try nested([Any].self, isRecord: false) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try nested(Any.self, isRecord: false) { $0 } }

  private mutating func nested<Result>(
    _ type: Any.Type, isRecord: Bool, _ container: (RecordDecoder) throws -> Result
  ) throws -> Result {
    let nested = try reader.with(record.serial) {
      guard let place = try reader.find(unkeyed: currentIndex) else { throw atEnd(type) }
      return try record.nested(type, key: ArchiveKey(intValue: currentIndex), place, isRecord: isRecord)
    }
    let result = try container(nested)
    currentIndex += 1
    return result
  }

  @inline(never)
  private func atEnd(_ type: Any.Type) -> DecodingError {
    reader.atEnd(type, currentIndex, in: record.serial)
  }
}

/// The only field of a record, which has no key.
struct SingleRecordDecoder: SingleValueDecodingContainer {
  let record: RecordDecoder

  private var reader: CodableReader { record.reader }

  var codingPath: [any CodingKey] { record.codingPath }

  func decodeNil() -> Bool {
    let isNil = try? reader.with(record.serial) {
      guard reader.isSingle, let place = try reader.find(unkeyed: 0) else { return false }
      return reader.isNil(place)
    }
    return isNil ?? false
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeAny(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }

  private func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var text = reader.decoder.markedText
    let value = try record.decode(type, unkeyed: nil)
    // Raw values are single ones, which enums compare with their cases.
    if Value.self == String.self { try reader.decoder.takeMarks(since: &text, leads: false) }
    return value
  }
}

extension RecordDecoder {
  /// Decodes a field without a key.
  ///
  /// - Parameter index: nil for the only one or, if the record has others, for the value whose record it is.
  @inline(never)
  fileprivate func decode<Value: Decodable>(_ type: Value.Type, unkeyed index: Int?) throws -> Value {
    try reader.enter(serial)
    do {
      let decodable = reader.type(type)
      guard let place = try reader.place(ofUnkeyed: index, type, in: serial) else {
        // The value itself was encoded into the encoder whose single value container was requested.
        return try decodable.readAgain(self)
      }
      return try reader.read(place) { try decodable.read($0) }
    } catch { throw reader.translated(error, type, in: serial, unkeyed: index) }
  }
}

extension CodableReader {
  /// Whether the record being decoded is a single value.
  fileprivate var isSingle: Bool { graph.pointee.frame.shape.map(isSingle) ?? false }

  /// Moves to a field without a key.
  ///
  /// - Parameter index: nil for the only one.
  /// - Returns: nil if the record has others than the only one.
  @inline(never)
  fileprivate func place(ofUnkeyed index: Int?, _ type: Any.Type, in serial: Int) throws -> FoundField? {
    if index == nil, !isSingle { return nil }
    guard let place = try find(unkeyed: index ?? 0) else { throw atEnd(type, index ?? 0, in: serial) }
    return place
  }

  @inline(never)
  fileprivate func translated(
    _ error: any Error, _ type: Any.Type, in serial: Int, unkeyed index: Int?
  ) -> any Error {
    translated(error, type, in: serial, index.map { ArchiveKey(intValue: $0) })
  }
}
