import _GraphFiles
import _GraphSupport

// Sets and dictionaries are written in the order in which they iterate, unless `.canonicalOrder` is asked for.
// That order differs from process to process, and so do the bytes. Elements that are objects may be hashed before
// they are finished; the decoder watches that.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Set: GEncodable, _GraphContainerEncodable where Element: GEncodable {
  @inlinable
  public static var _graphPlainKind: GraphKind { Element._graphEncodedFormat == .unit ? .binary : .set }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    if Element._graphEncodedFormat == .unit {
      return try encoder.writeUnit(self, UnitType(Element.self, .set))
    }
    try encoder.hashed(encoder.nestedKind(Element.self)) {
      switch encoder.order(of: Element.self) {
      case .iteration: try encoder.writeElements(self, count: count)
      case .canonical: try encoder.writeElements(encoder.inCanonicalOrder(self) { $0 }, count: count)
      case .compared: try encoder.writeElements(encoder.canonicalKeys(of: self) { $0 }, count: count)
      }
    }
  }

  /// Encodes the elements without keys, for a type that wraps them.
  public func encode(to encoder: GEncoder) throws {
    encoder.enterList()
    switch encoder.order(of: Element.self) {
    case .iteration: try encoder.encodeEach(self)
    case .canonical: try encoder.encodeEach(encoder.inCanonicalOrder(self) { $0 })
    case .compared: try encoder.encodeEach(encoder.canonicalKeys(of: self) { $0 })
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Set: GDecodable where Element: GDecodable {
  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Set<Element> {
    switch kind {
    case .array, .set:
      var result: Set<Element> = []
      let (elementKind, count) = try decoder.readListHead()
      var tally = HashTally(count, isWellHashed: HashTally.isWellHashed(Element.self))
      // Tables of hashed elements have free places.
      try decoder.takeRoom(count, stride: 2 * MemoryLayout<Element>.stride)
      result.reserveCapacity(count)
      let leads = elementKind.mayLeadToObjects
      var text = decoder.markedText
      try decoder.readElements(Element.self, elementKind, count: count) {
        if !_isPOD(Element.self) { try decoder.takeMarks(since: &text, leads: leads) }
        try decoder.count($0, in: &tally)
        result.insert($0)
      }
      guard result.count == count else {
        throw decoder.equalElements(Set<Element>.self, "elements of a set")
      }
      decoder.watchHashes(of: result, elementKind, in: Set<Element>.self)
      return result
    case .packed: return try decoder.makeSet(decoder.readPacked(Element.self))
    case .nestedPacked: return try decoder.readRows { try Set<Element>._graphRead(decoder, $0) }
    case .packedOptionals: return try decoder.readOptionals { try Set<Element>._graphRead(decoder, $0) }
    case .binary: return try decoder.readUnit(Set<Element>.self, UnitType(Element.self, .set))
    default: return try decoder.readOther(Set<Element>.self, kind)
    }
  }

  /// Decodes all remaining values without keys.
  ///
  /// - Throws: `invalidValue` for two that are equal. Elements whose hashes change when deferred fields are set are an
  ///   error as well, which `GraphDecoder.decode` throws.
  public init(from decoder: GDecoder) throws {
    var text = decoder.markedText
    let elements = try [Element](from: decoder)
    try decoder.takeMarks(since: &text, leads: decoder.mayLead(Element.self))
    self = try decoder.makeSet(elements)
    decoder.watchHashes(of: self, .tagged, in: Set<Element>.self)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Dictionary: GEncodable, _GraphContainerEncodable where Key: GEncodable, Value: GEncodable {
  @inlinable
  public static var _graphPlainKind: GraphKind { isUnit ? .binary : .dictionary }

  /// Keys and values are packable, and at least one writes its own bytes.
  @inlinable
  static var isUnit: Bool {
    let formats = (Key._graphEncodedFormat, Value._graphEncodedFormat)
    guard formats.0 != .none, formats.0 != .structure, formats.1 != .none, formats.1 != .structure else {
      return false
    }
    return formats.0 == .unit || formats.1 == .unit
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    if Self.isUnit { return try encoder.writeUnit(self, UnitType(.pairs)) }
    switch encoder.order(of: Key.self) {
    case .iteration: try encoder.writePairs(self, count: count)
    case .canonical:
      let pairs = try encoder.inCanonicalOrder(self, by: { $0.key }, then: { CanonicalPair($0) })
      try encoder.writePairs(pairs, count: count)
    case .compared:
      try encoder.writeElements(encoder.canonicalKeys(of: self) { CanonicalPair($0) }, count: count)
    }
  }

  /// Encodes keys and values in turn, without keys, for a type that wraps them.
  public func encode(to encoder: GEncoder) throws {
    // Others make a container with keys of a dictionary, where they are `Codable`.
    if !(Key.self is any CodingKeyRepresentable.Type) { encoder.enterList() }
    switch encoder.order(of: Key.self) {
    case .iteration: try encoder.encodePairs(self)
    case .canonical:
      try encoder.encodePairs(encoder.inCanonicalOrder(self, by: { $0.key }, then: { CanonicalPair($0) }))
    case .compared: try encoder.encodeEach(encoder.canonicalKeys(of: self) { CanonicalPair($0) })
    }
  }
}

extension GEncoder {
  fileprivate func encodeEach<Element: GEncodable>(_ elements: some Sequence<Element>) throws {
    try hashed(hashedKind(of: Element.self)) { for element in elements { try encodeOutOfLine(element) } }
  }

  fileprivate func encodePairs<Key: GEncodable, Value: GEncodable>(
    _ pairs: some Sequence<(key: Key, value: Value)>
  ) throws {
    let kind = hashedKind(of: Key.self)
    for (key, value) in pairs {
      try hashed(kind) { try encodeOutOfLine(key) }
      try encodeOutOfLine(value)
    }
  }

  /// Writes the pairs of a dictionary, each as the static types say.
  @inlinable
  func writePairs<Key: GEncodable, Value: GEncodable>(
    _ pairs: some Sequence<(key: Key, value: Value)>, count: Int
  ) throws {
    try reserve()
    let keyKind = nestedKind(Key.self)
    state.pointee.out.putByte(keyKind.rawValue)
    state.pointee.out.putByte(nestedKind(Value.self).rawValue)
    state.pointee.out.putVarint(UInt64(count))
    try nested(in: Key.self) {
      var index = 0
      var markCount = markCount(inFrontOf: keyKind)
      for (key, value) in pairs {
        do {
          try writeNested(key)
          if state.pointee.overlongText.count != markCount { throw tooManyMarks() }
          try writeNested(value)
          markCount = state.pointee.overlongText.count
        } catch { throw failed(error, inPairOf: key, index) }
        index &+= 1  // Of what is in memory.
      }
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Dictionary: GDecodable where Key: GDecodable, Value: GDecodable {
  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> [Key: Value] {
    if kind == .binary { return try decoder.readUnit([Key: Value].self, UnitType(.pairs)) }
    guard kind == .dictionary else { return try decoder.readOther([Key: Value].self, kind) }
    let (keyKind, valueKind, count) = try decoder.readPairsHead()
    var result: [Key: Value] = [:]
    try decoder.takeRoom(count, stride: 2 * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    result.reserveCapacity(count)
    var tally = HashTally(count, isWellHashed: HashTally.isWellHashed(Key.self))
    let keysLead = keyKind.mayLeadToObjects
    try decoder.nested {
      for index in 0..<count {
        let key: Key
        var text = decoder.markedText
        do {
          key = try Key._graphRead(decoder, keyKind)
          if !_isPOD(Key.self) { try decoder.takeMarks(since: &text, leads: keysLead) }
        } catch { throw decoder.inElement(index, error) }
        do {
          let value = try Value._graphRead(decoder, valueKind)
          try decoder.count(key, in: &tally)
          guard result.updateValue(value, forKey: key) == nil else {
            throw decoder.equalElements([Key: Value].self, "keys of a dictionary")
          }
        } catch { throw decoder.inValue(of: key, index, error) }
      }
    }
    decoder.watchHashes(of: result.keys, keyKind, in: [Key: Value].self)
    return result
  }

  /// Decodes keys and values in turn from all remaining values without keys.
  ///
  /// - Throws: `invalidValue` for two keys that are equal, `valueNotFound` for a last key without a value. Keys whose
  ///   hashes change when deferred fields are set are an error as well, which `GraphDecoder.decode` throws.
  public init(from decoder: GDecoder) throws {
    self.init()
    try decoder.takeRoom(
      decoder.unkeyedCount / 2, stride: 2 * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    var tally = HashTally(decoder.unkeyedCount / 2, isWellHashed: HashTally.isWellHashed(Key.self))
    let leads = decoder.mayLead(Key.self)
    while decoder.unkeyedCount > 0 {
      var text = decoder.markedText
      let key: Key = try decoder.decodeOutOfLine()
      try decoder.takeMarks(since: &text, leads: leads)
      try decoder.count(key, in: &tally)
      guard updateValue(try decoder.decodeOutOfLine(), forKey: key) == nil else {
        throw decoder.equalElements([Key: Value].self, "keys of a dictionary")
      }
    }
    decoder.watchHashes(of: keys, .tagged, in: [Key: Value].self)
  }
}
