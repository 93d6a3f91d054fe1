import _GraphFiles
import _GraphSupport

// See SignedIntegers.swift for what all numbers share.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint64.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putVarint(UInt64(self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt {
    try decoder.readUInt(kind)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt8: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint8 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint8.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putByte(self)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt8 {
    guard kind == .uint8, decoder.state.pointee.stream.input.has(1) else {
      return try decoder.readInteger(UInt8.self, kind)
    }
    return decoder.state.pointee.stream.input.takeByte()
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt16: _GraphShortVarint {
  @inlinable public static var _graphPlainKind: GraphKind { .uint16 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint16.rawValue)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt32: _GraphShortVarint {
  @inlinable public static var _graphPlainKind: GraphKind { .uint32 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint32.rawValue)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt64: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint64.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putVarint(UInt64(self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt64 {
    try decoder.readUInt64(kind)
  }
}

extension GDecoder {
  @inlinable
  func readUInt(_ kind: GraphKind) throws -> UInt {
    guard kind == .uint64, state.pointee.stream.input.isFast else {
      return try readInteger(UInt.self, kind)
    }
    // 64 bits, as on every platform that is supported.
    return UInt(truncatingIfNeeded: state.pointee.stream.input.takeVarint())
  }

  @inlinable
  func readUInt64(_ kind: GraphKind) throws -> UInt64 {
    guard kind == .uint64, state.pointee.stream.input.isFast else {
      return try readInteger(UInt64.self, kind)
    }
    return state.pointee.stream.input.takeVarint()
  }
}
