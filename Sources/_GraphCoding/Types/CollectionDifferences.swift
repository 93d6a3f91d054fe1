// A difference is its changes, removals first, as it iterates. Changes that do not go together are refused
// by the type itself; offsets below zero are refused here, and those to which no collection reaches: the type adds to them when it
// is applied, and traps.

extension CollectionDifference.Change {
  private static var offsets: Range<Int> { 0..<Int.max / 2 }

  fileprivate init?(_ offset: Int, _ element: ChangeElement, _ associatedWith: Int?, isInsertion: Bool) {
    guard Self.offsets ~= offset, Self.offsets ~= associatedWith ?? 0 else { return nil }
    self =
      isInsertion
      ? .insert(offset: offset, element: element, associatedWith: associatedWith)
      : .remove(offset: offset, element: element, associatedWith: associatedWith)
  }

  private var parts: (offset: Int, element: ChangeElement, associatedWith: Int?, isInsertion: Bool) {
    switch self {
    case .insert(let offset, let element, let associatedWith): (offset, element, associatedWith, true)
    case .remove(let offset, let element, let associatedWith): (offset, element, associatedWith, false)
    }
  }

  /// What is stored.
  ///
  /// - Throws: `invalidValue` for offsets that decoding would refuse.
  fileprivate var checkedParts: (offset: Int, element: ChangeElement, associatedWith: Int?, isInsertion: Bool)
  {
    get throws {
      let parts = parts
      guard Self.offsets ~= parts.offset, Self.offsets ~= parts.associatedWith ?? 0 else {
        throw BinaryIOError.invalid(
          Self.self, "a change with an offset below zero, or beyond the elements of any collection,")
      }
      return parts
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference.Change: GEncodable where ChangeElement: GEncodable {
  public func encode(to encoder: GEncoder) throws {
    let parts = try checkedParts
    try encoder.encodeOutOfLine(parts.isInsertion, for: .isInsertion)
    try encoder.encodeOutOfLine(parts.offset, for: .offset)
    try encoder.encodeOutOfLine(parts.element, for: .element)
    try encoder.encodeOutOfLine(ifPresent: parts.associatedWith, for: .associatedWith)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference.Change: GDecodable where ChangeElement: GDecodable {
  public init(from decoder: GDecoder) throws {
    let isInsertion: Bool = try decoder.decodeOutOfLine(for: .isInsertion)
    let offset: Int = try decoder.decodeOutOfLine(for: .offset)
    let element: ChangeElement = try decoder.decodeOutOfLine(for: .element)
    let associatedWith: Int? = try decoder.decodeOutOfLine(ifPresent: .associatedWith)
    guard let change = Self(offset, element, associatedWith, isInsertion: isInsertion) else {
      throw decoder.invalidValue(
        Self.self, "a change has an offset below zero, or beyond the elements of any collection")
    }
    self = change
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference: GEncodable where ChangeElement: GEncodable {
  public func encode(to encoder: GEncoder) throws {
    for change in self { try encoder.encodeOutOfLine(change) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference: GDecodable where ChangeElement: GDecodable {
  public init(from decoder: GDecoder) throws {
    var changes: [Change] = []
    // The changes, and those that the difference sorts.
    try decoder.takeRoom(decoder.unkeyedCount, stride: 2 * MemoryLayout<Change>.stride)
    while decoder.unkeyedCount > 0 { changes.append(try decoder.decodeOutOfLine()) }
    guard let difference = Self(changes) else {
      throw decoder.invalidValue(Self.self, "its changes contradict each other")
    }
    self = difference
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference.Change: BinaryOType where ChangeElement: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    let parts = try checkedParts
    parts.isInsertion.write(to: &wbuffer)
    parts.offset.write(to: &wbuffer)
    try parts.element.write(to: &wbuffer)
    try parts.associatedWith.write(to: &wbuffer)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference.Change: BinaryIType where ChangeElement: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let isInsertion = try Bool(from: &rbuffer)
    let offset = try Int(from: &rbuffer)
    let element = try rbuffer.read(ChangeElement.self)
    guard let change = Self(offset, element, try Int?(from: &rbuffer), isInsertion: isInsertion) else {
      throw BinaryIOError.invalid(
        Self.self, "a change with an offset below zero, or beyond the elements of any collection,")
    }
    self = change
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference: BinaryOType where ChangeElement: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    try [Change](self).write(to: &wbuffer)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CollectionDifference: BinaryIType where ChangeElement: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    guard let difference = Self(try [Change](from: &rbuffer)) else {
      throw BinaryIOError.invalid(Self.self, "a difference whose changes contradict each other")
    }
    self = difference
  }
}
