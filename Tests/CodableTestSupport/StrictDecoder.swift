/// A decoder that knows only the basic types, converts none to another, and insists that anything nested at a
/// key or index is decoded only once from its container.
///
/// Its unkeyed containers are references: a copy is no way to look ahead.
package struct StrictDecoder {
  package var userInfo: [CodingUserInfoKey: Any] = [:]

  package init() {}

  package func decode<Value: Decodable>(_ type: Value.Type, from value: StrictValue) throws -> Value {
    try Reading(value: value, codingPath: [], userInfo: userInfo).decode(type)
  }
}

/// What a `Decoder` stands at.
private final class Reading: Decoder {
  let value: StrictValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]
  /// The keys whose nested values have been decoded.
  private var used: Set<String> = []
  private var index = 0

  init(value: StrictValue, codingPath: [any CodingKey], userInfo: [CodingUserInfoKey: Any]) {
    self.value = value
    self.codingPath = codingPath
    self.userInfo = userInfo
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard StrictValue.isScalar(type) else { return try type.init(from: self) }
    guard case .scalar(let scalar) = value, Swift.type(of: scalar) == type, let result = scalar as? Value
    else { throw mismatch(type) }
    return result
  }

  var isNull: Bool {
    guard case .null = value else { return false }
    return true
  }

  func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "this is \(value)")
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func reading(_ value: StrictValue, at key: any CodingKey) -> Reading {
    Reading(value: value, codingPath: codingPath + [key], userInfo: userInfo)
  }

  /// Marks what is below a key as decoded, if it is no scalar.
  func use(_ key: String, _ value: StrictValue) throws {
    switch value {
    case .null, .scalar: break
    case .unkeyed, .keyed:
      guard used.insert(key).inserted else {
        throw BrokenRule(description: "'\(key)' is decoded twice (at \(codingPath.map(\.stringValue)))")
      }
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .keyed(let entries) = value else { throw mismatch(KeyedDecodingContainer<Key>.self) }
    return KeyedDecodingContainer(KeyedReading(reading: self, entries: entries))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .unkeyed(let values) = value else { throw mismatch([Any].self) }
    return UnkeyedReading(reading: self, values: values)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleReading(reading: self) }
}

private struct KeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reading: Reading
  let entries: [(key: String, value: StrictValue)]

  var codingPath: [any CodingKey] { reading.codingPath }

  var allKeys: [Key] { entries.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { entries.contains { $0.key == key.stringValue } }

  func decodeNil(forKey key: Key) throws -> Bool { try reading(for: key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let reading = try reading(for: key)
    try self.reading.use(key.stringValue, reading.value)
    return try reading.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(for: StrictKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

  private func decoder(for key: any CodingKey) throws -> any Decoder {
    let reading = try reading(for: key)
    try self.reading.use(key.stringValue, reading.value)
    return reading
  }

  private func reading(for key: any CodingKey) throws -> Reading {
    guard let entry = entries.first(where: { $0.key == key.stringValue }) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "there is none"))
    }
    return reading.reading(entry.value, at: key)
  }
}

private final class UnkeyedReading: UnkeyedDecodingContainer {
  private let reading: Reading
  private let values: [StrictValue]
  private(set) var currentIndex = 0

  init(reading: Reading, values: [StrictValue]) {
    self.reading = reading
    self.values = values
  }

  var codingPath: [any CodingKey] { reading.codingPath }

  var count: Int? { values.count }

  var isAtEnd: Bool { currentIndex == values.count }

  func decodeNil() throws -> Bool {
    guard try next(Any?.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let reading = try next(type)
    try self.reading.use("\(currentIndex)", reading.value)
    let value = try reading.decode(type)
    currentIndex += 1
    return value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    let reading = try next((any Decoder).self)
    try self.reading.use("\(currentIndex)", reading.value)
    currentIndex += 1
    return reading
  }

  private func next(_ type: Any.Type) throws -> Reading {
    let key = StrictKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [key], debugDescription: "there are only \(values.count)"))
    }
    return reading.reading(values[currentIndex], at: key)
  }
}

private struct SingleReading: SingleValueDecodingContainer {
  let reading: Reading

  var codingPath: [any CodingKey] { reading.codingPath }

  func decodeNil() -> Bool { reading.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reading.decode(type) }
}
