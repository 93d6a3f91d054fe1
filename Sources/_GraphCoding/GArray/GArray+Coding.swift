import _GraphFiles
import _GraphSupport

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GArray: GEncodable, _GraphContainerEncodable where Element: GEncodable & _GraphPackable {
  /// A nested packed array even with one dimension, because the kind of a field does not depend on its value.
  @inlinable public static var _graphPlainKind: GraphKind { .nestedPacked }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.write(elements, shape: shape)
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GArray: _GraphPrecise where Element: _GraphPrecise & _GraphPackable {
  public func _graphRounded(_ precision: GPrecision) -> Self { self }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GArray: GDecodable where Element: GDecodable & _GraphPackable {
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> GArray<Element> {
    switch kind {
    case .nestedPacked: return try decoder.readShaped(Element.self)
    case .packed:
      let elements = try decoder.readPacked(Element.self)
      return GArray(elements, shape: [elements.count])
    default: return try decoder.readOther(GArray<Element>.self, kind)
    }
  }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }
}

extension GEncoder {
  /// Writes elements of a shape as a nested packed array.
  fileprivate func write<Element: GEncodable>(_ elements: [Element], shape: [Int]) throws {
    guard shape.count <= ArrayShape.maximumLevelCount else {
      throw GCodableError(
        .limitExceeded,
        "an array has \(shape.count) dimensions, and archives have \(ArrayShape.maximumLevelCount)")
    }
    let format = Element._graphEncodedFormat
    try reserve(byteCount: 9 * shape.count)
    try putNestedHead(format, nil, levelCount: shape.count)
    var arrayCount = 1
    for length in shape {
      if length > 0 {
        state.pointee.out.putVarint(UInt64(length) << 1)
      } else {
        // No single length would say that all of them are empty.
        try reserve(byteCount: 9 * shape.count + arrayCount)
        state.pointee.out.putVarint(1)
        for _ in 0..<arrayCount { state.pointee.out.putVarint(0) }
      }
      arrayCount *= length
    }
    try unsafe elements.withUnsafeBufferPointer { buffer in
      let bytes = unsafe PackedBytes(
        start: buffer.baseAddress, count: buffer.count, elementByteCount: format.byteCount,
        stride: MemoryLayout<Element>.stride)
      // The owner shares the storage: see `writePackable`.
      try write(
        bytes, format: format, shape: shape,
        owner: PackedCollection(elements: elements, elementByteCount: format.byteCount))
    }
  }

  private func write(
    _ bytes: PackedBytes, format: PackedFormat, shape: [Int],
    owner: @autoclosure () -> any PackedOwner
  ) throws {
    let byteCount = bytes.byteCount
    let (precision, rounding) = rounding(format, nil)
    try reserve(byteCount: 9)
    guard byteCount < BulkArray.minimumByteCount else {
      return putNestedSegment(
        BulkArray(
          byteCount: byteCount, elementByteCount: bytes.elementByteCount, format: format,
          rowElementCount: shape[0] == 0 ? 0 : shape.dropFirst().reduce(1, *),
          innerStrides: BulkArray.innerStrides(shape), precision: precision, rounding: rounding,
          compression: tables.compression, owner: owner()))
    }
    state.pointee.out.putVarint(0)
    try reserve(byteCount: byteCount)
    unsafe state.pointee.out.putBytes(byteCount) {
      unsafe bytes.copy(0..<byteCount, to: $0)
      unsafe rounding?.apply(to: $0)
    }
  }
}

extension GDecoder {
  /// Reads a nested packed array with one length per dimension.
  fileprivate func readShaped<Element: GDecodable>(_ type: Element.Type) throws -> GArray<Element> {
    let start = state.pointee.stream.input
    let array = try state.pointee.stream.readNested()
    guard let shape = array.shape.rectangle else {
      throw typeMismatch(GArray<Element>.self, "the archive has arrays of different lengths")
    }
    return GArray(try _GraphRowReader(self, array, from: start).all(type), shape: shape)
  }
}

private enum ArrayKey: String, CodingKey { case shape, elements }

extension GArray: Encodable where Element: Encodable {
  /// Encodes shape and elements, for other coders.
  ///
  /// `GraphEncoder` encodes numbers and vectors as a nested packed array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ArrayKey.self)
    try container.encode(shape, forKey: .shape)
    try container.encode(elements, forKey: .elements)
  }
}

extension GArray: Decodable where Element: Decodable {
  /// Decodes shape and elements, for other coders.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ArrayKey.self)
    let shape = try container.decode([Int].self, forKey: .shape)
    let elements = try container.decode([Element].self, forKey: .elements)
    guard Self.count(of: shape) == elements.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .shape, in: container,
        debugDescription: "\(elements.count) elements do not have the shape \(shape)"
      )
    }
    self.init(elements, shape: shape)
  }
}
