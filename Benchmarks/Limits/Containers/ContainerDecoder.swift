/// Does nothing but hand out new containers, and zeros.
///
/// Arrays have their counts and enums their cases, which a tape has noted.
final class ContainerDecoder: Decoder {
  private let tape: ContainerTape
  private var keyedCount = 0
  private var unkeyedCount = 0
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ tape: ContainerTape) { self.tape = tape }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    keyedCount += 1
    return KeyedDecodingContainer(Keyed(decoder: self, names: tape.keys[keyedCount - 1]))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    unkeyedCount += 1
    return Unkeyed(decoder: self, count: tape.counts[unkeyedCount - 1])
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ContainerDecoder
    let names: [String]
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { names.contains(key.stringValue) }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<Value: ContainerLeaf>(_ type: Value.Type, forKey key: Key) -> Value { Value.leaf }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try Value(from: decoder)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> { decoder.container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      decoder.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: ContainerDecoder
    let count: Int?
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var isAtEnd: Bool { currentIndex == count }

    init(decoder: ContainerDecoder, count: Int) { (self.decoder, self.count) = (decoder, count) }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: ContainerLeaf>(_ type: Value.Type) -> Value {
      currentIndex += 1
      return Value.leaf
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try Value(from: superDecoder())
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      currentIndex += 1
      return decoder.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
      currentIndex += 1
      return decoder.unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
      currentIndex += 1
      return decoder
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: ContainerDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<Value: ContainerLeaf>(_ type: Value.Type) -> Value { Value.leaf }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: decoder) }
  }
}
