import _GraphFiles
import _GraphSupport

// An array of optionals of packed elements is the array that it would be without the optionals, and bits that tell which
// elements are missing.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional where Wrapped: GEncodable {
  @inlinable
  public static func _graphArrayKind(_ encoder: GEncoder?) -> GraphKind {
    let kind: GraphKind =
      switch Wrapped._graphEncodedFormat {
      case .none:
        Wrapped._graphPlainKind == .string && Wrapped._graphRowFormat(nil).depth == 1 ? .nestedPacked : .null
      case .unit: .null
      case .structure: .packedStructs
      default: .packed
      }
    return kind == .null || encoder?.hasNoIdentity(Wrapped.self) != false ? kind : .null
  }

  @inlinable
  public static func _graphWriteOptionals<List: Collection>(_ list: List, _ encoder: GEncoder) throws -> Bool
  where List.Element == Self {
    let kind = _graphArrayKind(encoder)
    guard kind != .null else { return false }
    try encoder.writeOptionals(list, kind)
    return true
  }
}

/// Optionals whose arrays may be packed.
private protocol PackableOptional {
  /// Reads packed optionals, as an array of the type.
  ///
  /// - Returns: nil, and the cursor stays, where they are to be read one by one.
  static func readPacked(_ decoder: GDecoder) throws -> Any?
}

extension Optional: PackableOptional where Wrapped: GDecodable {
  fileprivate static func readPacked(_ decoder: GDecoder) throws -> Any? {
    // An empty string, which stands for a missing one, is no character.
    guard Wrapped.self != Character.self else { return nil }
    return try decoder.readOptionals(wrapping: Wrapped.self)
  }
}

extension GEncoder {
  /// Writes optionals of a type whose arrays are packed, as an array of a kind.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func writeOptionals<List: Collection, Wrapped: GEncodable>(_ list: List, _ kind: GraphKind) throws
  where List.Element == Wrapped? {
    let count = list.count
    try reserve()
    state.pointee.out.putByte(kind.rawValue)
    try write(presenceOf: list, count: count)
    if kind == .nestedPacked {
      let strings =
        (list as? [String?])?.map { $0 ?? "" }
        ?? list.map { ($0 as? any _GraphText)?._graphText ?? "" }
      return try unsafe strings.withUnsafeBufferPointer { try unsafe writeStrings($0) }
    }
    let isStructure = kind == .packedStructs
    let layout = isStructure ? layout(of: Wrapped.self) : nil
    let format = isStructure ? .none : Wrapped._graphEncodedFormat
    let size = isStructure ? MemoryLayout<Wrapped>.stride : format.byteCount
    let bytes = try RawBytes(zeros: count * size)
    let isRange = Wrapped.self is any _GraphRangeEncodable.Type
    try unsafe bytes.fill { memory in
      for (index, element) in list.enumerated() {
        guard let element else { continue }
        if isRange, (element as? any _GraphRange)?.isOrdered == false {
          throw failed(BinaryIOError.badBounds(Wrapped.self))
        }
        // Of such a type the first bytes are those that packed arrays have; the memory has room for `count` elements.
        unsafe withUnsafeBytes(of: element) {
          unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(index * size)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<size]))
        }
      }
    }
    try reserve()
    if let layout {
      state.pointee.out.putVarint(UInt64(tables.shapes.number(of: layout)))
    } else {
      putFormat(format)
    }
    let owner = OwnedBytes(bytes, elementByteCount: size)
    try owner.withPackedBytes {
      try writePackedElements($0, count: count, format: format, layout: layout, owner: owner)
    }
  }

  /// Writes a bit for each element that is there, or no byte where all are.
  private func write<List: Collection, Wrapped>(presenceOf list: List, count: Int) throws
  where List.Element == Wrapped? {
    var bits: [UInt8] = []
    for (index, element) in list.enumerated() where element == nil {
      if bits.isEmpty {
        bits = Array(repeating: 0xFF, count: (count + 7) / 8)
        if count & 7 != 0 { bits[bits.count - 1] = 1 << UInt8(count & 7) - 1 }
      }
      bits[index >> 3] &= ~(1 << UInt8(index & 7))
    }
    try unsafe bits.withUnsafeBytes {
      try unsafe writePacked(
        PackedBytes($0), count: bits.count, format: .byte,
        owner: PackedCollection(elements: bits, elementByteCount: 1))
    }
  }
}

extension GDecoder {
  /// Reads packed optionals as an array of a type.
  ///
  /// - Returns: nil, and the cursor stays, where they are to be read one by one, as for any type that is no optional.
  @usableFromInline
  func readOptionals<Element>(_ type: Element.Type) throws -> [Element]? {
    try (type as? any PackableOptional.Type)?.readPacked(self) as? [Element]
  }

  fileprivate func readOptionals<Wrapped: GDecodable>(wrapping type: Wrapped.Type) throws -> [Wrapped?]? {
    let start = state.pointee.stream.input
    let optionals = try state.pointee.stream.readOptionals()
    let end = state.pointee.stream.input.cursor
    let presence = try optionals.presence(self)
    let count = optionals.count
    if (0..<count).allSatisfy({ !presence[$0] }) {
      // Whatever they are optionals of.
      try noteMention(of: optionals.array.elements)
      if count > 0 { try takeRoom(forArrayOf: count, stride: MemoryLayout<Wrapped?>.stride) }
      return Array(repeating: nil, count: count)
    }
    let elements = optionals.array.elements
    guard optionals.kind != .packed || elements.format.plain == Wrapped._graphDecodedFormat else {
      // What stands in the place of a missing element need not be a number that the type has.
      state.pointee.stream.input = start
      return nil
    }
    state.pointee.stream.input.cursor = state.pointee.stream.input.position(at: optionals.arrayStart)
    let room = (state.pointee.roomByteCount, state.pointee.elementRoomByteCount)
    let values: [Wrapped]
    if Wrapped._graphRefuses != nil, optionals.kind == .packed {
      // What stands in the place of a missing element need not be a value of the type.
      let start = state.pointee.stream.input
      values = try makeArray(Wrapped.self, readPackedHead(), from: start, except: { !presence[$0] })
    } else {
      values = try [Wrapped]._graphRead(self, optionals.kind)
    }
    state.pointee.stream.input.cursor = end
    guard values.count == count else { throw malformed("an array of optionals has others") }
    if optionals.kind != .nestedPacked || Wrapped.self == String.self {
      // Each takes the place of a value, besides which these have nothing that is counted.
      (state.pointee.roomByteCount, state.pointee.elementRoomByteCount) = room
      try takeRoom(forArrayOf: values.count, stride: MemoryLayout<Wrapped?>.stride)
    } else {
      try takeRoom(values.count, stride: MemoryLayout<Wrapped?>.stride)
    }
    return values.indices.map { presence[$0] ? values[$0] : nil }
  }

  /// Reads packed optionals as a list of tagged values.
  ///
  /// - Parameter read: reads the list, with the cursor behind its kind.
  @usableFromInline
  func readOptionals<Value>(asList read: (GraphKind) throws -> Value) throws -> Value {
    let start = state.pointee.stream.input
    let list = try readUnpackedOptionals()
    return try self.read(list.input, held: list, from: start) { try read(.array) }
  }

  /// The list of tagged values that packed optionals stand for, with its head; the cursor is moved behind them.
  func readUnpackedOptionals() throws -> UnpackedElements {
    let optionals = try state.pointee.stream.readOptionals()
    let end = state.pointee.stream.input
    let presence = try optionals.presence(self)
    state.pointee.stream.input.cursor = state.pointee.stream.input.position(at: optionals.arrayStart)
    defer { state.pointee.stream.input = end }
    let room = (state.pointee.roomByteCount, state.pointee.elementRoomByteCount)
    func list<Element: GCodable>(_ elements: [Element]) throws -> UnpackedElements {
      // They are gone when the list is read.
      (state.pointee.roomByteCount, state.pointee.elementRoomByteCount) = room
      return try UnpackedElements(.array, count: elements.count) { encoder in
        encoder.state.pointee.out.putByte(GraphKind.tagged.rawValue)
        encoder.state.pointee.out.putVarint(UInt64(elements.count))
        for (index, element) in elements.enumerated() {
          try (presence[index] ? element : nil)._graphWritePlain(encoder)
        }
      }
    }
    if optionals.kind == .nestedPacked, optionals.array.shape.levels.count == 2,
      let strings = try readStrings()
    {
      return try list(strings)
    }
    guard optionals.kind == .packed, let type = optionals.array.elements.format.plain.scalarType else {
      throw typeMismatch(
        [Any?].self,
        "the archive has an array of optional \(ValueText(self).elementText(optionals.array.elements))")
    }
    func read<Element: GCodable>(_ type: Element.Type) throws -> UnpackedElements {
      try list(readPacked(type))
    }
    return try read(type)
  }
}
