import Foundation
import _GraphFiles

// A character set is its bitmap, a packed array of bytes: 8192 for the first plane of Unicode, then one byte
// with the number of a plane and 8192 for each other plane that is not empty.

extension CharacterSet {
  private static let planeByteCount = 8192

  /// A set of what `bitmapRepresentation` gives; nil for other bytes.
  ///
  /// Range by range: outside of Apple's systems, some sets that Foundation makes of a bitmap end the process when they
  /// are used.
  fileprivate init?(bitmap: Data) {
    let extra = bitmap.count - Self.planeByteCount
    guard extra >= 0, extra.isMultiple(of: Self.planeByteCount + 1) else { return nil }
    self.init()
    guard insert(plane: 0, Array(bitmap.prefix(Self.planeByteCount))) else { return nil }
    var last: UInt8 = 0
    for start in stride(from: Self.planeByteCount, to: bitmap.count, by: Self.planeByteCount + 1) {
      let bytes = bitmap.dropFirst(start).prefix(Self.planeByteCount + 1)
      guard let plane = bytes.first, plane > last, plane <= 16 else { return nil }
      last = plane
      guard insert(plane: UInt32(plane), Array(bytes.dropFirst())) else { return nil }
    }
  }

  /// Inserts the characters whose bits are set; false where some surrogates are there and others are not.
  private mutating func insert(plane: UInt32, _ bits: [UInt8]) -> Bool {
    var first: UInt32?
    for index in 0...(8 * bits.count) {
      let isMember = index < 8 * bits.count && bits[index / 8] & 1 << UInt8(index % 8) != 0
      if isMember, first == nil { first = plane << 16 | UInt32(index) }
      guard !isMember, let start = first else { continue }
      guard insert(from: start, to: plane << 16 | UInt32(index - 1)) else { return false }
      first = nil
    }
    return true
  }

  /// Inserts a range, all of whose neighbours are not in the set.
  private mutating func insert(from first: UInt32, to last: UInt32) -> Bool {
    // A surrogate is no scalar, but a range of scalars goes over all of them. What had to be added to have one goes.
    let isFirst = first == 0xD800
    let isLast = last == 0xDFFF
    guard let lower = Unicode.Scalar(isFirst ? first - 1 : first),
      let upper = Unicode.Scalar(isLast ? last + 1 : last)
    else { return false }
    insert(charactersIn: lower...upper)
    if isFirst { remove(lower) }
    if isLast { remove(upper) }
    return true
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
    try decoder.takeBox(stepCount: GDecoder.setStepCount)
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
    try rbuffer.takeBox(stepCount: GDecoder.setStepCount)
    guard let set = CharacterSet(bitmap: try Data(from: &rbuffer)) else {
      throw BinaryIOError.invalid(CharacterSet.self, "bytes that are not planes of 8192")
    }
    self = set
  }
}
