/// An encoder that knows only the basic types, and insists on the rules.
///
/// - what an `Encoder` stands for is one kind of container; a single value is encoded once,
/// - each key is encoded once,
/// - a nested container is filled before anything else is encoded beside it, and before the `encode(to:)` that
///   made it returns,
/// - a value encodes something.
package struct StrictEncoder {
  package var userInfo: [CodingUserInfoKey: Any] = [:]

  package init() {}

  package func encode<Value: Encodable>(_ value: Value) throws -> StrictValue {
    try Place.value(of: value, codingPath: [], userInfo: userInfo)
  }
}

/// Where a value is encoded: what an `Encoder` stands for.
private final class Place {
  enum Content {
    case nothing, null
    case scalar(any Hashable)
    case unkeyed([Place])
    case keyed([(key: String, place: Place)])
  }

  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]
  var content = Content.nothing
  private var isOpen = true

  init(codingPath: [any CodingKey], userInfo: [CodingUserInfoKey: Any]) {
    self.codingPath = codingPath
    self.userInfo = userInfo
  }

  static func value<Value: Encodable>(
    of value: Value, codingPath: [any CodingKey], userInfo: [CodingUserInfoKey: Any]
  ) throws -> StrictValue {
    let place = Place(codingPath: codingPath, userInfo: userInfo)
    try place.encode(value)
    return try place.value()
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try check(isOpen, "a container was left")
    if StrictValue.isScalar(Value.self), let scalar = value as? any Hashable {
      guard case .nothing = content else { throw broken("a second value is encoded") }
      content = .scalar(scalar)
    } else {
      try value.encode(to: self)
    }
    close()
  }

  func encodeNil() throws {
    try check(isOpen, "a container was left")
    guard case .nothing = content else { throw broken("a second value is encoded") }
    content = .null
    close()
  }

  /// A new place for the next element, which closes the one before.
  func nextElement() throws -> Place {
    try check(isOpen, "a container was left")
    guard case .unkeyed(let places) = content else { throw broken("this is no unkeyed container") }
    places.last?.close()
    let place = Place(codingPath: codingPath + [StrictKey(intValue: places.count)], userInfo: userInfo)
    content = .unkeyed(places + [place])
    return place
  }

  /// A new place below a key, which closes the one before.
  func place(for key: any CodingKey) throws -> Place {
    try check(isOpen, "a container was left")
    guard case .keyed(let entries) = content else { throw broken("this is no keyed container") }
    try check(!entries.contains { $0.key == key.stringValue }, "'\(key.stringValue)' is encoded twice")
    entries.last?.place.close()
    let place = Place(codingPath: codingPath + [key], userInfo: userInfo)
    content = .keyed(entries + [(key.stringValue, place)])
    return place
  }

  func close() {
    isOpen = false
    switch content {
    case .nothing, .null, .scalar: break
    case .unkeyed(let places): places.last?.close()
    case .keyed(let entries): entries.last?.place.close()
    }
  }

  func value() throws -> StrictValue {
    switch content {
    case .nothing: throw broken("nothing is encoded")
    case .null: .null
    case .scalar(let scalar): .scalar(scalar)
    case .unkeyed(let places): .unkeyed(try places.map { try $0.value() })
    case .keyed(let entries): .keyed(try entries.map { ($0.key, try $0.place.value()) })
    }
  }

  func check(_ holds: Bool, _ text: @autoclosure () -> String) throws {
    if !holds { throw broken(text()) }
  }

  func broken(_ text: String) -> BrokenRule {
    BrokenRule(description: "\(text) (at \(codingPath.map(\.stringValue)))")
  }
}

extension Place: Encoder {
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = content { content = .keyed([]) }
    return KeyedEncodingContainer(KeyedPlaces(place: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = content { content = .unkeyed([]) }
    return UnkeyedPlaces(place: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SinglePlace(place: self) }
}

private struct KeyedPlaces<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) throws { try place.place(for: key).encodeNil() }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try place.place(for: key).encode(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    superEncoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(for: StrictKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

  private func encoder(for key: any CodingKey) -> any Encoder {
    do { return try place.place(for: key) } catch { fatalError("\(error)") }
  }
}

private struct UnkeyedPlaces: UnkeyedEncodingContainer {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  var count: Int {
    guard case .unkeyed(let places) = place.content else { return 0 }
    return places.count
  }

  func encodeNil() throws { try place.nextElement().encodeNil() }

  func encode<Value: Encodable>(_ value: Value) throws { try place.nextElement().encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    superEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

  func superEncoder() -> any Encoder {
    do { return try place.nextElement() } catch { fatalError("\(error)") }
  }
}

private struct SinglePlace: SingleValueEncodingContainer {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() throws { try place.encodeNil() }

  func encode<Value: Encodable>(_ value: Value) throws { try place.encode(value) }
}
