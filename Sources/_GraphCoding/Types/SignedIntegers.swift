import CGraphArchive
import _GraphFiles
import _GraphSupport

// Numbers are leaves: their kind is a constant, and encoding one is a compare, a store and an addition.
// Integers of 16 bits and more are varints, signed ones in zigzag form; floats are their own bytes, so
// every bit pattern comes back. An integer decodes as any integer type that can hold it, and a `Float`
// as a `Double`; the slow path `readOther` sees to that.

/// An integer of 16 or 32 bits.
///
/// Not for use outside the package.
public protocol _GraphShortVarint: FixedWidthInteger, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable
{}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphShortVarint {
  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putVarint(
      Self.isSigned ? gca_zigzag(Int64(truncatingIfNeeded: self)) : UInt64(truncatingIfNeeded: self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    guard kind == _graphPlainKind else { return try decoder.readInteger(Self.self, kind) }
    let value = try decoder.state.pointee.stream.takeVarint()
    if Self.isSigned {
      guard let result = Self(exactly: gca_unzigzag(value)) else {
        throw decoder.beyondKind(kind, gca_unzigzag(value))
      }
      return result
    }
    guard let result = Self(exactly: value) else { throw decoder.beyondKind(kind, value) }
    return result
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int64.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putVarint(gca_zigzag(Int64(self)))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int {
    try decoder.readInt(kind)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int8: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int8 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int8.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putByte(UInt8(bitPattern: self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int8 {
    guard kind == .int8, decoder.state.pointee.stream.input.has(1) else {
      return try decoder.readInteger(Int8.self, kind)
    }
    return Int8(bitPattern: decoder.state.pointee.stream.input.takeByte())
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int16: _GraphShortVarint {
  @inlinable public static var _graphPlainKind: GraphKind { .int16 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int16.rawValue)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int32: _GraphShortVarint {
  @inlinable public static var _graphPlainKind: GraphKind { .int32 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int32.rawValue)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int64: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int64.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putVarint(gca_zigzag(Int64(self)))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int64 {
    try decoder.readInt64(kind)
  }
}

// A conformance whose method is no more than a call is inlined where the type is known.
extension GDecoder {
  @inlinable
  func readInt(_ kind: GraphKind) throws -> Int {
    guard kind == .int64, state.pointee.stream.input.isFast else {
      return try readInteger(Int.self, kind)
    }
    // 64 bits, as on every platform that is supported.
    return Int(truncatingIfNeeded: gca_unzigzag(state.pointee.stream.input.takeVarint()))
  }

  @inlinable
  func readInt64(_ kind: GraphKind) throws -> Int64 {
    guard kind == .int64, state.pointee.stream.input.isFast else {
      return try readInteger(Int64.self, kind)
    }
    return gca_unzigzag(state.pointee.stream.input.takeVarint())
  }
}
