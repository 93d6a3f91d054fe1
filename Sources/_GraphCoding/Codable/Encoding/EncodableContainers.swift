import _GraphFiles
import _GraphSupport

// Containers of `Codable` elements, written like those of `GCodable` elements: kinds, a count, the elements.

/// A container of the standard library.
protocol EncodableContainer {
  static func encodableType(_ writer: CodableWriter) -> AnyEncodableType
  /// Whether it is an optional with another container in it.
  static var holdsContainer: Bool { get }
}

extension EncodableContainer {
  static var holdsContainer: Bool { false }
}

extension Array: EncodableContainer where Element: Encodable {
  static func encodableType(_ writer: CodableWriter) -> AnyEncodableType {
    EncodableList<Self>(.array, writer)
  }
}

extension ContiguousArray: EncodableContainer where Element: Encodable {
  static func encodableType(_ writer: CodableWriter) -> AnyEncodableType {
    EncodableList<Self>(.array, writer)
  }
}

extension Set: EncodableContainer where Element: Encodable {
  static func encodableType(_ writer: CodableWriter) -> AnyEncodableType { EncodableSet<Element>(writer) }
}

extension Dictionary: EncodableContainer where Key: Encodable, Value: Encodable {
  static func encodableType(_ writer: CodableWriter) -> AnyEncodableType {
    EncodableDictionary<Key, Value>(writer)
  }
}

extension Optional: EncodableContainer where Wrapped: Encodable {
  static var holdsContainer: Bool { Wrapped.self is any EncodableContainer.Type }

  static func encodableType(_ writer: CodableWriter) -> AnyEncodableType {
    EncodableOptional<Wrapped>(writer)
  }
}

private final class EncodableList<List: Collection & Encodable>: EncodableType<List>
where List.Element: Encodable {
  override func write(_ value: List) throws {
    let written: Void? = try value.withContiguousStorageIfAvailable { try unsafe writer.writeList($0) }
    if written == nil { try unsafe Array(value).withUnsafeBufferPointer { try unsafe writer.writeList($0) } }
  }
}

private final class EncodableSet<Element: Hashable & Encodable>: EncodableType<Set<Element>> {
  init(_ writer: CodableWriter) { super.init(.set, writer) }

  override func write(_ value: Set<Element>) throws {
    let encoder = writer.encoder
    try encoder.hashed(writer.type(Element.self).kind) {
      switch encoder.order(of: CodableAdapter<Element>.self) {
      case .iteration: try unsafe Array(value).withUnsafeBufferPointer { try unsafe writer.writeList($0) }
      case .canonical:
        let elements = try encoder.inCanonicalOrder(value) { CodableAdapter($0) }
        try unsafe elements.withUnsafeBufferPointer { try unsafe writer.writeList($0) }
      case .compared:
        try encoder.writeElements(
          encoder.canonicalKeys(of: value) { CodableAdapter($0) }, count: value.count)
      }
    }
  }
}

private final class EncodableDictionary<Key: Hashable & Encodable, Value: Encodable>: EncodableType<
  [Key: Value]
>
{
  init(_ writer: CodableWriter) { super.init(.dictionary, writer) }

  override func write(_ value: [Key: Value]) throws {
    let encoder = writer.encoder
    func pair(_ pair: (key: Key, value: Value)) -> CanonicalPair<CodableAdapter<Key>, CodableAdapter<Value>> {
      CanonicalPair((key: CodableAdapter(pair.key), value: CodableAdapter(pair.value)))
    }
    switch encoder.order(of: CodableAdapter<Key>.self) {
    case .iteration: try writer.writePairs(value, count: value.count)
    case .canonical:
      let pairs = try encoder.inCanonicalOrder(value, by: { CodableAdapter($0.key) }, then: pair)
      try writer.writePairs(pairs, count: value.count)
    case .compared: try encoder.writeElements(encoder.canonicalKeys(of: value, pair), count: value.count)
    }
  }
}

private final class EncodableOptional<Wrapped: Encodable>: EncodableType<Wrapped?> {
  init(_ writer: CodableWriter) { super.init(.tagged, writer) }

  override func write(_ value: Wrapped?) throws {
    let encoder = writer.encoder
    try encoder.reserve()
    guard let value else { return writer.graph.pointee.out.putByte(GraphKind.null.rawValue) }
    let type = writer.type(Wrapped.self)
    writer.graph.pointee.out.putByte(type.kind.rawValue)
    try type.write(value)
  }

  override func writeConditional(_ value: Wrapped?) throws {
    if let value { try writer.type(Wrapped.self).writeConditional(value) } else { try write(nil) }
  }
}

extension CodableWriter {
  /// Writes the elements of a list after their kind and count.
  fileprivate func writeList<Element: Encodable>(_ elements: UnsafeBufferPointer<Element>) throws {
    let type = type(Element.self)
    try encoder.reserve()
    graph.pointee.out.putByte(type.kind.rawValue)
    graph.pointee.out.putVarint(UInt64(elements.count))
    try encoder.nested(in: Element.self) { try unsafe type.writeElements(elements) }
  }

  /// Writes the pairs of a dictionary after their kinds and count.
  fileprivate func writePairs<Key: Encodable, Value: Encodable>(
    _ pairs: some Sequence<(key: Key, value: Value)>, count: Int
  ) throws {
    let (keyType, valueType) = (type(Key.self), type(Value.self))
    try encoder.reserve()
    graph.pointee.out.putByte(keyType.kind.rawValue)
    graph.pointee.out.putByte(valueType.kind.rawValue)
    graph.pointee.out.putVarint(UInt64(count))
    var index = 0
    let keys = PairKeys<Key>(isDecoding: false)
    try encoder.nested(in: Key.self) {
      try withElements(&index, keys: keys) { index in
        for (key, value) in pairs {
          keys.isAtValue = false
          try encoder.hashed(keyType.kind) { try keyType.write(key) }
          keys.current = key
          keys.isAtValue = true
          try valueType.write(value)
          index.pointee += 1
        }
      }
    }
  }
}
