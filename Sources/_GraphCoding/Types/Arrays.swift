import _GraphFiles

// Arrays of packable elements are one piece of bytes, the others a kind, a count and the elements.

/// An array type whose elements are in one piece of memory.
///
/// Not for use outside the package.
public protocol _GraphArrayEncodable: Collection, _GraphContainerEncodable where Element: GEncodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphArrayEncodable {
  @inlinable
  public static var _graphPlainKind: GraphKind {
    switch Element._graphEncodedFormat {
    case .none:
      if _graphRowFormat(nil).isNested {
        .nestedPacked
      } else {
        Element._graphArrayKind(nil) == .null ? .array : .packedOptionals
      }
    case .unit: .binary
    case .structure: .packedStructs
    default: .packed
    }
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    switch Element._graphEncodedFormat {
    case .none:
      if Element.self == String.self, try writeStrings(encoder) { return }
      if Self._graphRowFormat(nil).isNested, try encoder.writeRows(self) { return }
      if Element._graphArrayKind(nil) != .null, try Element._graphWriteOptionals(self, encoder) { return }
      let storage = ArrayStorage(of: self)
      let written: Void? = try withContiguousStorageIfAvailable {
        try unsafe encoder.writeArray($0, of: storage)
      }
      if written == nil { try [Element](self)._graphWritePlain(encoder) }
    case .unit: try encoder.writeUnit(self, UnitType(Element.self, .list))
    case .structure: try encoder.writeStructs(self)
    default: try encoder.writePackable(self)
    }
  }

  /// Writes strings, faster than as rows of bytes.
  ///
  /// - Returns: false where they have an identity, and nothing is written.
  @inlinable
  func writeStrings(_ encoder: GEncoder) throws -> Bool {
    guard encoder.hasNoIdentity(String.self) else { return false }
    let written: Void? = try withContiguousStorageIfAvailable { elements in
      // The elements are strings: the caller has compared the types.
      let start = unsafe UnsafeRawPointer(elements.baseAddress)?.assumingMemoryBound(to: String.self)
      try unsafe encoder.writeStrings(UnsafeBufferPointer(start: start, count: elements.count))
    }
    return written != nil
  }

  @inlinable
  public static func _graphRowFormat(_ encoder: GEncoder?) -> _GraphRowFormat {
    _GraphRowFormat(arrayOf: Element.self, encoder)
  }

  @inlinable
  public func _graphAddRows(to rows: _GraphRows) { rows.add(self) }

  @inlinable
  public static func _graphIsPacked(_ encoder: GEncoder) -> Bool {
    switch _graphPlainKind {
    case .nestedPacked: _graphRowFormat(encoder).isNested
    case .packedOptionals: Element._graphArrayKind(encoder) != .null
    default: true
    }
  }

  /// Encodes the elements without keys, for a type that wraps them.
  public func encode(to encoder: GEncoder) throws {
    encoder.enterList()
    for element in self { try encoder.encodeOutOfLine(element) }
  }
}

/// An array type that is made of an array.
///
/// Not for use outside the package.
public protocol _GraphArrayDecodable: RangeReplaceableCollection, GDecodable where Element: GDecodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphArrayDecodable {
  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    switch kind {
    case .array, .set, .packed, .packedStructs, .nestedPacked, .packedOptionals, .binary:
      return Self(try [Element]._graphRead(decoder, kind))
    default: return try decoder.readOther(Self.self, kind)
    }
  }

  @inlinable public static var _graphRowDepth: Int { 1 + Element._graphRowDepth }

  @inlinable
  public static func _graphMakeRow(_ rows: _GraphRowReader, level: Int, index: Int) throws -> Self {
    Self(try rows.array(of: Element.self, level: level, index: index))
  }

  /// Decodes all remaining values without keys.
  public init(from decoder: GDecoder) throws {
    self.init()
    try decoder.takeRoom(decoder.unkeyedCount, stride: MemoryLayout<Element>.stride)
    reserveCapacity(decoder.unkeyedCount)
    while decoder.unkeyedCount > 0 { append(try decoder.decodeOutOfLine()) }
  }
}

extension Array: GEncodable, _GraphContainerEncodable, _GraphArrayEncodable where Element: GEncodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Array: GDecodable, _GraphArrayDecodable where Element: GDecodable {
  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> [Element] {
    switch kind {
    case .array, .set: return try decoder.readArray(Element.self)
    case .packed: return try decoder.readPacked(Element.self)
    case .packedStructs: return try decoder.readStructs(Element.self)
    case .nestedPacked:
      if Element.self == String.self, let strings = try decoder.readStrings() {
        // Both are the same type.
        return unsafe unsafeBitCast(strings, to: [Element].self)
      }
      return try decoder.readNested([Element].self)
    case .packedOptionals:
      if let optionals = try decoder.readOptionals(Element.self) { return optionals }
      return try decoder.readOptionals { try [Element]._graphRead(decoder, $0) }
    case .binary: return try decoder.readUnit([Element].self, UnitType(Element.self, .list))
    default: return try decoder.readOther([Element].self, kind)
    }
  }

  @inlinable
  public static func _graphMakeRow(_ rows: _GraphRowReader, level: Int, index: Int) throws -> [Element] {
    try rows.array(of: Element.self, level: level, index: index)
  }
}

extension ContiguousArray: GEncodable, _GraphContainerEncodable, _GraphArrayEncodable
where Element: GEncodable {}
extension ContiguousArray: GDecodable, _GraphArrayDecodable where Element: GDecodable {}

extension ArraySlice: GEncodable, _GraphContainerEncodable, _GraphArrayEncodable where Element: GEncodable {}
extension ArraySlice: GDecodable, _GraphArrayDecodable where Element: GDecodable {}

extension GEncoder {
  /// Writes the packed elements of a collection that has them in one piece of memory.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func writePackable<Elements: Collection>(_ elements: Elements) throws where Elements.Element: GEncodable {
    let format = Elements.Element._graphEncodedFormat
    let written: Void? = try elements.withContiguousStorageIfAvailable { buffer in
      let packed = unsafe PackedBytes(
        start: buffer.baseAddress, count: buffer.count, elementByteCount: format.byteCount,
        stride: MemoryLayout<Elements.Element>.stride)
      // `elements` shares its storage with the copy that becomes the owner, and a shared storage is
      // never changed in place: the bytes stay what they are.
      try writePacked(
        packed, count: buffer.count, format: format,
        owner: PackedCollection(elements: elements, elementByteCount: format.byteCount))
    }
    if written == nil { try writePackable([Elements.Element](elements)) }
  }
}
