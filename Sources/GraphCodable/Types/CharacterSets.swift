import Foundation

// A character set is its bitmap, a packed array of bytes: 8192 for the first plane of Unicode, then one byte
// with the number of a plane and 8192 for each other plane that is not empty.

extension CharacterSet {
  private static let planeByteCount = 8192

  /// A set of what `bitmapRepresentation` gives; nil for other bytes.
  fileprivate init?(bitmap: Data) {
    let extra = bitmap.count - Self.planeByteCount
    guard extra >= 0, extra.isMultiple(of: Self.planeByteCount + 1) else { return nil }
    var last: UInt8 = 0
    for start in stride(from: Self.planeByteCount, to: bitmap.count, by: Self.planeByteCount + 1) {
      let plane = bitmap[bitmap.startIndex + start]
      guard plane > last, plane <= 16 else { return nil }
      last = plane
    }
    self.init(bitmapRepresentation: bitmap)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CharacterSet: _GraphContainerEncodable, GDecodable {
  @inlinable public static var _graphPlainKind: GraphKind { .packed }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try bitmapRepresentation.write(encoder, .characterSet)
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> CharacterSet {
    guard kind == .packed else { return try decoder.readOther(CharacterSet.self, kind) }
    guard let set = CharacterSet(bitmap: try Data.read(CharacterSet.self, decoder, [.characterSet])) else {
      throw decoder.invalidValue(CharacterSet.self, "its bytes are not planes of 8192")
    }
    return set
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CharacterSet: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    bitmapRepresentation.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    guard let set = CharacterSet(bitmap: try Data(from: &rbuffer)) else {
      throw BinaryIOError.invalid(CharacterSet.self, "bytes that are not planes of 8192")
    }
    self = set
  }
}
