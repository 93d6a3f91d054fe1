import _GraphFiles
import _GraphSupport

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

/// A container in any of the forms in which it may have been encoded.
///
/// One of `GCodable` elements is read as such, unless it may hold what only the `Codable` way takes for its elements:
/// single values of other types. What is no container of the kind is decoded by the container's own `init(from:)`,
/// which knows what other coders have of it.
private class ContainerDecodable<Value: Decodable>: DecodableType<Value> {
  /// nil where the elements are not `GCodable`.
  private let native: DecodableType<Value>?
  private let isList: Bool
  /// How many arrays lie around an element that is none; 0 where elements are not `GCodable`.
  private let rowDepth: Int
  /// Whether nothing in it can have parts.
  private let holdsLeaves: Bool

  init(_ reader: CodableReader, isList: Bool = true, of elements: Any.Type...) {
    native = reader.nativeType(Value.self)
    self.isList = isList
    rowDepth = (Value.self as? any GDecodable.Type)?._graphRowDepth ?? 0
    holdsLeaves = elements.allSatisfy { $0 is any _GraphLeafDecodable.Type }
    super.init(reader)
  }

  final override func read(_ kind: GraphKind) throws -> Value {
    guard let native, isNative(kind) else { return try readElements(kind) }
    guard kind == .dictionary else { return try native.read(kind) }
    let start = reader.graph.pointee.stream.input.cursor
    do { return try native.read(kind) } catch is GCodableError {
      // The key of the value is wanted in the path.
      reader.graph.pointee.stream.input.cursor = start
      return try readElements(kind)
    }
  }

  private func isNative(_ kind: GraphKind) -> Bool {
    switch kind {
    case .binary: true
    case .packed: isList && !reader.isAtData
    case .packedStructs: isList
    // Of another depth, elements of the `Codable` way may be what an array is.
    case .nestedPacked: reader.dimensionCount() == rowDepth
    case .packedOptionals: isList
    case .array, .set: isList && holdsLeaves && reader.isAtLeaves(kindCount: 1)
    case .dictionary: !isList && holdsLeaves && reader.isAtLeaves(kindCount: 2)
    case .reference: !reader.leadsToInstance()
    case .record: reader.isAtElements()
    default: false
    }
  }

  /// Reads it element by element.
  func readElements(_ kind: GraphKind) throws -> Value {
    preconditionFailure("every container is of a subclass")
  }

  final func readOther(_ kind: GraphKind) throws -> Value {
    switch kind {
    case .tagged: return try read(reader.readTag())
    // An instance of a class that has encoded itself as one.
    case .reference where reader.leadsToInstance(): return try reader.readShared(Value.self)
    case .reference, .conditional: return try reader.readReference(Value.self, isClass: false)
    // The single value of another type, or encoded into an encoder of another type's.
    case .record:
      guard let kind = reader.enterSingleValue() else {
        if reader.isAtUnkeyedRecord(), let value = try readUnkeyed(.record) { return value }
        return try reader.readRecord(Value.self)
      }
      return try reader.decoder.nested { try read(kind) }
    case .null, .absent:
      throw GCodableError(.valueNotFound, "there is nil where a value is asked for; decode an optional")
    default:
      if kind.isList, let value = try readUnkeyed(kind) { return value }
      return try reader.readBare(Value.self, kind)
    }
  }

  /// Reads what the container's own `init(from:)` takes from a list, with its hashes counted; nil where that has keys.
  ///
  /// - Parameter kind: `.record`, or that of a list.
  func readUnkeyed(_ kind: GraphKind) throws -> Value? { nil }

  /// Reads a list as another type, which has the elements.
  final func read<List: Decodable>(_ list: List.Type, _ kind: GraphKind) throws -> List {
    kind == .record ? try reader.readRecord(list) : try reader.readBare(list, kind)
  }
}

private final class DecodableList<List: RangeReplaceableCollection & Decodable>: ContainerDecodable<List>
where List.Element: Decodable {
  init(_ reader: CodableReader) { super.init(reader, of: List.Element.self) }

  override func readElements(_ kind: GraphKind) throws -> List {
    guard kind.isList else { return try readOther(kind) }
    return List(try reader.readList(List.Element.self, kind))
  }
}

private final class DecodableSet<Element: Hashable & Decodable>: ContainerDecodable<Set<Element>> {
  init(_ reader: CodableReader) { super.init(reader, of: Element.self) }

  override func readElements(_ kind: GraphKind) throws -> Set<Element> {
    guard kind.isList else { return try readOther(kind) }
    let leads = (kind == .array || kind == .set) && !reader.isAtLeaves(kindCount: 1)
    var text = reader.decoder.markedText
    let elements = try reader.readList(Element.self, kind)
    try reader.decoder.takeMarks(since: &text, leads: leads)
    return try makeSet(elements)
  }

  override func readUnkeyed(_ kind: GraphKind) throws -> Set<Element>? {
    var text = reader.decoder.markedText
    let elements = try read(UnkeyedElements<Element>.self, kind).elements
    try reader.decoder.takeMarks(since: &text, leads: true)
    return try makeSet(elements)
  }

  private func makeSet(_ elements: [Element]) throws -> Set<Element> {
    if reader.leavesHashedEmpty { return [] }
    return try reader.hashing {
      let result = try reader.decoder.makeSet(elements)
      reader.decoder.watchHashes(of: result, .tagged, in: Set<Element>.self)
      return result
    }
  }
}

private final class DecodableDictionary<Key: Hashable & Decodable, Value: Decodable>: ContainerDecodable<
  [Key: Value]
>
{
  init(_ reader: CodableReader) { super.init(reader, isList: false, of: Key.self, Value.self) }

  override func readElements(_ kind: GraphKind) throws -> [Key: Value] {
    guard kind == .dictionary else { return try readOther(kind) }
    let decoder = reader.decoder
    let (keyKind, valueKind, count) = try decoder.readPairsHead()
    var result: [Key: Value] = [:]
    try decoder.takeRoom(count, stride: 2 * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    result.reserveCapacity(count)
    let (keyType, valueType) = (reader.type(Key.self), reader.type(Value.self))
    var tally = HashTally(count, isWellHashed: HashTally.isWellHashed(Key.self))
    var index = 0
    let keysLead = keyKind.mayLeadToObjects
    let keys = PairKeys<Key>(isDecoding: true)
    try reader.withElements(&index, keys: keys) { index in
      do {
        try decoder.nested {
          while index.pointee < count {
            (keys.current, keys.isAtValue) = (nil, false)
            var text = decoder.markedText
            let key = try keyType.read(keyKind)
            try decoder.takeMarks(since: &text, leads: keysLead)
            (keys.current, keys.isAtValue) = (key, true)
            let value = try valueType.read(valueKind)
            if !reader.leavesHashedEmpty {
              try reader.hashing {
                try decoder.count(key, in: &tally)
                guard result.updateValue(value, forKey: key) == nil else {
                  throw decoder.equalElements([Key: Value].self, "keys of a dictionary")
                }
              }
            }
            index.pointee += 1
          }
        }
      } catch {
        throw reader.inElement(error, Value.self, of: reader.state.pointee.record, keys.key(index.pointee))
      }
    }
    reader.hashing { decoder.watchHashes(of: result.keys, keyKind, in: [Key: Value].self) }
    return result
  }

  override func readUnkeyed(_ kind: GraphKind) throws -> [Key: Value]? {
    if Key.self is any CodingKeyRepresentable.Type { return nil }
    let decoder = reader.decoder
    var text = decoder.markedText
    let pairs = try read(UnkeyedPairs<Key, Value>.self, kind)
    // Values count, too: this is an array that is asked for as a dictionary.
    try decoder.takeMarks(since: &text, leads: true)
    var result: [Key: Value] = [:]
    try decoder.takeRoom(
      pairs.keys.count, stride: 2 * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    result.reserveCapacity(pairs.keys.count)
    var tally = HashTally(pairs.keys.count, isWellHashed: HashTally.isWellHashed(Key.self))
    if reader.leavesHashedEmpty { return [:] }
    try reader.hashing {
      if tally.isNeeded { for key in pairs.keys { try decoder.count(key, in: &tally) } }
      for (key, value) in zip(pairs.keys, pairs.values) { result[key] = value }
      decoder.watchHashes(of: result.keys, .tagged, in: [Key: Value].self)
    }
    return result
  }
}

extension CodableReader {
  /// Whether the kinds of a container's elements, at the cursor, are those of leaves.
  fileprivate func isAtLeaves(kindCount: Int) -> Bool {
    let input = graph.pointee.stream.input
    guard input.left > kindCount else { return false }
    return (0..<kindCount).allSatisfy {
      input.peek($0).map { !GraphKind(rawValue: $0).plain.mayLeadToObjects } ?? false
    }
  }

  /// How many dimensions the nested array at the cursor has; nil where it cannot be read.
  fileprivate func dimensionCount() -> Int? {
    let input = graph.pointee.stream.input
    defer { graph.pointee.stream.input = input }
    guard let format = try? decoder.readVarint(), format != 0 || (try? decoder.readVarint()) != nil else {
      return nil
    }
    return (try? decoder.readVarint()).flatMap { Int(exactly: $0) }
  }

  /// Reads the elements of a list of a kind.
  fileprivate func readList<Element: Decodable>(_ type: Element.Type, _ kind: GraphKind) throws -> [Element] {
    if kind == .nestedPacked { return try decoder.readRows { try readList(type, $0) } }
    if kind == .packedOptionals { return try decoder.readOptionals { try readList(type, $0) } }
    guard kind == .packed else { return try readArray(type) }
    guard !isAtData else { throw noList([Element].self) }
    let elements = try decoder.readUnpacked([Element].self)
    let input = graph.pointee.stream.input
    graph.pointee.stream.input = elements.input
    defer { graph.pointee.stream.input = input }
    return try withExtendedLifetime(elements) { try readElements(type, elements.kind, count: elements.count) }
  }

  /// The error of `Data` where a list is asked for.
  func noList(_ type: Any.Type) -> GCodableError { decoder.typeMismatch(type, "the archive has Data") }

  /// Reads the elements of a list behind its kind; see `GDecoder.readArray`.
  private func readArray<Element: Decodable>(_ type: Element.Type) throws -> [Element] {
    let (kind, count) = try decoder.readListHead()
    return try readElements(type, kind, count: count)
  }

  private func readElements<Element: Decodable>(
    _ type: Element.Type, _ kind: GraphKind, count: Int
  ) throws -> [Element] {
    let elementType = self.type(type)
    guard count > 0 else { return [] }
    if kind == .record { try decoder.takeSteps(count) }
    try decoder.takeRoom(forArrayOf: count, stride: MemoryLayout<Element>.stride)
    var index = 0
    do {
      return try withElements(&index) { index in
        try decoder.nested {
          // Of an array that is not finished, the elements before `filled` are destroyed by the initializer.
          try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
              // Errors that elements have caught.
              if graph.pointee.cursor.stepsLeft < 0 { throw decoder.noSteps() }
              unsafe (buffer.baseAddress! + filled).initialize(to: try elementType.read(kind))
              filled += 1
              index.pointee = filled
            }
          }
        }
      }
    } catch {
      decoder.giveBackRoom(forArrayOf: count, stride: MemoryLayout<Element>.stride)
      throw decoder.inElement(index, error)
    }
  }
}
