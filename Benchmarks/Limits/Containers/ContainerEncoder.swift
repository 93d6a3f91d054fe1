/// Does nothing but hand out new containers.
///
/// A function that takes every leaf is the witness of the fourteen that the protocols ask for.
struct ContainerEncoder: Encoder {
  /// Notes what is asked for; nil while time is measured.
  var tape: ContainerTape?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed(tape: tape, number: tape?.noteKeyed() ?? 0))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    Unkeyed(tape: tape, number: tape?.noteUnkeyed() ?? 0)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(tape: tape) }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tape: ContainerTape?
    let number: Int
    var codingPath: [any CodingKey] { [] }

    private func note(_ key: Key) { tape?.note(key.stringValue, in: number) }

    func encodeNil(forKey key: Key) { note(key) }
    func encode<Value: ContainerLeaf>(_ value: Value, forKey key: Key) { note(key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try value.encode(to: superEncoder(forKey: key))
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      note(key)
      return ContainerEncoder(tape: tape).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ContainerEncoder(tape: tape) }

    func superEncoder(forKey key: Key) -> any Encoder {
      note(key)
      return ContainerEncoder(tape: tape)
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let tape: ContainerTape?
    let number: Int
    var count = 0
    var codingPath: [any CodingKey] { [] }

    private mutating func note() {
      count += 1
      tape?.noteElement(of: number)
    }

    mutating func encodeNil() { note() }
    mutating func encode<Value: ContainerLeaf>(_ value: Value) { note() }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: superEncoder()) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      superEncoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      superEncoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
      note()
      return ContainerEncoder(tape: tape)
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let tape: ContainerTape?
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}
    func encode<Value: ContainerLeaf>(_ value: Value) {}
    func encode<Value: Encodable>(_ value: Value) throws {
      try value.encode(to: ContainerEncoder(tape: tape))
    }
  }
}
