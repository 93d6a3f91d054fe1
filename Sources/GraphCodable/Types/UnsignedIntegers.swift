// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CGraphArchive

// See SignedIntegers.swift for what all numbers share.

extension UInt: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint64.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, UInt64(self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt {
    var value: UInt64 = 0
    guard kind == .uint64, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = UInt(exactly: value)
    else { return try decoder.readInteger(UInt.self, kind) }
    return result
  }
}

extension UInt8: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint8 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint8.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_u8(&encoder.state.pointee.out, self)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt8 {
    var value: UInt8 = 0
    guard kind == .uint8, gca_get_u8(&decoder.state.pointee.input, &value) else {
      return try decoder.readInteger(UInt8.self, kind)
    }
    return value
  }
}

extension UInt16: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint16 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint16.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, UInt64(self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt16 {
    var value: UInt64 = 0
    guard kind == .uint16, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = UInt16(exactly: value)
    else { return try decoder.readInteger(UInt16.self, kind) }
    return result
  }
}

extension UInt32: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint32 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint32.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, UInt64(self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt32 {
    var value: UInt64 = 0
    guard kind == .uint32, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = UInt32(exactly: value)
    else { return try decoder.readInteger(UInt32.self, kind) }
    return result
  }
}

extension UInt64: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .uint64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.uint64.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, UInt64(self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> UInt64 {
    var value: UInt64 = 0
    guard kind == .uint64, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = UInt64(exactly: value)
    else { return try decoder.readInteger(UInt64.self, kind) }
    return result
  }
}
