import CGraphArchive

// Containers of `Codable` elements, which are read as those of `GCodable` ones.

/// A container of the standard library.
protocol DecodableContainer {
  static func decodableType(_ reader: CodableReader) -> AnyDecodableType
}

extension Array: DecodableContainer where Element: Decodable {
  static func decodableType(_ reader: CodableReader) -> AnyDecodableType { DecodableList<Self>(reader) }
}

extension ContiguousArray: DecodableContainer where Element: Decodable {
  static func decodableType(_ reader: CodableReader) -> AnyDecodableType { DecodableList<Self>(reader) }
}

extension Set: DecodableContainer where Element: Decodable {
  static func decodableType(_ reader: CodableReader) -> AnyDecodableType { DecodableSet<Element>(reader) }
}

extension Dictionary: DecodableContainer where Key: Decodable, Value: Decodable {
  static func decodableType(_ reader: CodableReader) -> AnyDecodableType {
    DecodableDictionary<Key, Value>(reader)
  }
}

extension Optional: DecodableContainer where Wrapped: Decodable {
  static func decodableType(_ reader: CodableReader) -> AnyDecodableType {
    DecodableOptional<Wrapped>(reader)
  }
}

/// A container in any of the forms that values with fields have as well.
private class ContainerDecodable<Value: Decodable>: DecodableType<Value> {
  func readOther(_ kind: GraphKind) throws -> Value {
    switch kind {
    case .tagged: return try read(reader.readTag())
    case .reference, .conditional: return try reader.readReference(Value.self, isClass: false)
    // It has encoded itself into an encoder of another type's.
    case .record: return try reader.readRecord(Value.self)
    case .null, .absent:
      throw GCodableError(.valueNotFound, "there is nil where a value is asked for; decode an optional")
    default: throw reader.decoder.typeMismatch(Value.self, "the archive has a value of kind \(kind)")
    }
  }
}

private final class DecodableList<List: RangeReplaceableCollection & Decodable>: ContainerDecodable<List>
where List.Element: Decodable {
  override func read(_ kind: GraphKind) throws -> List {
    guard kind.isList else { return try readOther(kind) }
    return List(try reader.readList(List.Element.self, kind))
  }
}

private final class DecodableSet<Element: Hashable & Decodable>: ContainerDecodable<Set<Element>> {
  override func read(_ kind: GraphKind) throws -> Set<Element> {
    guard kind.isList else { return try readOther(kind) }
    let elements = try reader.readList(Element.self, kind)
    let result = Set(elements)
    guard result.count == elements.count else {
      throw reader.decoder.equalElements(Set<Element>.self, "elements of a set")
    }
    reader.decoder.watchHashes(of: result, .tagged, in: Set<Element>.self)
    return result
  }
}

private final class DecodableDictionary<Key: Hashable & Decodable, Value: Decodable>: ContainerDecodable<
  [Key: Value]
>
{
  override func read(_ kind: GraphKind) throws -> [Key: Value] {
    guard kind == .dictionary else { return try readOther(kind) }
    let decoder = reader.decoder
    let keyKind = GraphKind(rawValue: try decoder.readByte())
    let valueKind = GraphKind(rawValue: try decoder.readByte())
    let count = try decoder.readCount(of: keyKind.takesBytes ? valueKind : keyKind, perElement: 2)
    var result: [Key: Value] = [:]
    result.reserveCapacity(
      try decoder.plausibleCapacity(count, stride: MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    let (keyType, valueType) = (reader.type(Key.self), reader.type(Value.self))
    var index = 0
    do {
      try reader.withElements(&index) { index in
        try decoder.nested {
          while index.pointee < count {
            let key = try keyType.read(keyKind)
            guard try result.updateValue(valueType.read(valueKind), forKey: key) == nil else {
              throw decoder.equalElements([Key: Value].self, "keys of a dictionary")
            }
            index.pointee += 1
          }
        }
      }
    } catch { throw decoder.inElement(index, error) }
    decoder.watchHashes(of: result.keys, keyKind, in: [Key: Value].self)
    return result
  }
}

private final class DecodableOptional<Wrapped: Decodable>: DecodableType<Wrapped?> {
  override func read(_ kind: GraphKind) throws -> Wrapped? {
    var kind = kind
    if kind == .tagged { kind = GraphKind(rawValue: try reader.decoder.readByte()) }
    switch kind {
    case .null, .absent: return nil
    case .conditional where !reader.decoder.conditionalIsStored(): return nil
    default: return try reader.type(Wrapped.self).read(kind)
    }
  }
}

extension CodableReader {
  /// Reads the elements of a list of a kind.
  fileprivate func readList<Element: Decodable>(_ type: Element.Type, _ kind: GraphKind) throws -> [Element] {
    guard kind == .packed else { return try readArray(type) }
    let elements = try decoder.readUnpacked([Element].self)
    let input = graph.pointee.input
    graph.pointee.input = elements.input
    defer { graph.pointee.input = input }
    return try withExtendedLifetime(elements) { try readElements(type, elements.kind, count: elements.count) }
  }

  /// Reads the elements of a list behind its kind; see `GDecoder.readArray`.
  private func readArray<Element: Decodable>(_ type: Element.Type) throws -> [Element] {
    let kind = GraphKind(rawValue: try decoder.readByte())
    return try readElements(type, kind, count: decoder.readCount(of: kind))
  }

  private func readElements<Element: Decodable>(
    _ type: Element.Type, _ kind: GraphKind, count: Int
  ) throws -> [Element] {
    let elementType = self.type(type)
    let capacity = try decoder.plausibleCapacity(count, stride: MemoryLayout<Element>.stride)
    var index = 0
    do {
      return try withElements(&index) { index in
        try decoder.nested {
          // Of an array that is not finished, the elements before `filled` are destroyed by the initializer.
          // The array of none is shared by all, so its count must not be written.
          var result: [Element] =
            try capacity == 0
            ? []
            : [Element](unsafeUninitializedCapacity: capacity) { buffer, filled in
              while filled < capacity {
                (buffer.baseAddress! + filled).initialize(to: try elementType.read(kind))
                filled += 1
                index.pointee = filled
              }
            }
          while index.pointee < count {
            result.append(try elementType.read(kind))
            index.pointee += 1
          }
          return result
        }
      }
    } catch { throw decoder.inElement(index, error) }
  }
}
