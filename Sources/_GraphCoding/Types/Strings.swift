import _GraphFiles
import _GraphSupport

// A string is its UTF-8 behind its byte count, as it was written: canonically equivalent strings stay
// different, embedded NULs stay.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension String: _GraphText {
  @inlinable public var _graphText: String { self }

  @inlinable
  public init(_graphText text: String, _ decoder: GDecoder) { self = text }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    if let small = SmallString(self, isUsable: encoder.state.pointee.smallStrings) {
      encoder.state.pointee.out.putVarint(UInt64(small.count))
      encoder.state.pointee.out.put(small)
    } else {
      try encoder.writeLargeString(self)
    }
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> String {
    try decoder.readString(kind)
  }
}

extension GEncoder {
  @usableFromInline
  @inline(never)
  func writeLargeString(_ value: String) throws {
    var value = value
    let byteCount = try value.withUTF8 { bytes in
      try reserve(byteCount: bytes.count + 9)
      state.pointee.out.putVarint(UInt64(bytes.count))
      unsafe state.pointee.out.putBytes(bytes.baseAddress, count: bytes.count)
      return bytes.count
    }
    if byteCount > CombiningMarks.leastByteCount { noteMarks(in: value) }
  }
}

extension GDecoder {
  @inlinable
  func readString(_ kind: GraphKind) throws -> String {
    guard kind == .string, state.pointee.stream.input.isFast else {
      return try readOtherString(kind)
    }
    let count = state.pointee.stream.input.takeVarint()
    if let small = state.pointee.stream.input.takeSmallString(count, isUsable: state.pointee.smallStrings) {
      return small.string
    }
    return try readLargeString(count)
  }

  /// Reads a string near the end of the stream, or what is not stored as one.
  @usableFromInline
  @inline(never)
  func readOtherString(_ kind: GraphKind) throws -> String {
    kind == .string ? try readLargeString(try readVarint()) : try readOther(String.self, kind)
  }

  @usableFromInline
  @inline(never)
  func readLargeString(_ count: UInt64) throws -> String {
    try unsafe string(readBytes(count))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphText {
  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws { try _graphText._graphWritePlain(encoder) }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    try Self(_graphText: String._graphRead(decoder, kind), decoder)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Substring: _GraphText {
  @inlinable public var _graphText: String { String(self) }

  @inlinable
  public init(_graphText text: String, _ decoder: GDecoder) { self.init(text) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Character: _GraphText {
  @inlinable public var _graphText: String { String(self) }

  @inlinable
  public init(_graphText text: String, _ decoder: GDecoder) throws {
    guard let character = text.first, text.index(after: text.startIndex) == text.endIndex else {
      throw decoder.invalidValue(
        Character.self, "a string of \(text.utf8.count) bytes is not one character")
    }
    self = character
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Unicode.Scalar: _GraphLeafEncodable, _GraphLeafDecodable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint32 }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws { try value._graphWritePlain(encoder) }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Unicode.Scalar {
    let value = try UInt32._graphRead(decoder, kind)
    guard let scalar = Unicode.Scalar(value) else {
      throw decoder.invalidValue(Unicode.Scalar.self, "\(value) is not a Unicode scalar")
    }
    return scalar
  }
}
