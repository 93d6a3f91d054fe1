// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CGraphArchive

// Numbers are leaves: their kind is a constant, and encoding one is a compare, a store and an addition.
// Integers of 16 bits and more are varints, signed ones in zigzag form; floats are their own bytes, so
// every bit pattern comes back. An integer decodes as any integer type that can hold it, and a `Float`
// as a `Double`; the slow path `readOther` sees to that.

extension Int: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int64.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, gca_zigzag(Int64(self)))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int {
    var value: UInt64 = 0
    guard kind == .int64, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = Int(exactly: gca_unzigzag(value))
    else { return try decoder.readInteger(Int.self, kind) }
    return result
  }
}

extension Int8: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int8 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int8.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_u8(&encoder.state.pointee.out, UInt8(bitPattern: self))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int8 {
    var value: UInt8 = 0
    guard kind == .int8, gca_get_u8(&decoder.state.pointee.input, &value) else {
      return try decoder.readInteger(Int8.self, kind)
    }
    return Int8(bitPattern: value)
  }
}

extension Int16: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int16 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int16.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, gca_zigzag(Int64(self)))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int16 {
    var value: UInt64 = 0
    guard kind == .int16, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = Int16(exactly: gca_unzigzag(value))
    else { return try decoder.readInteger(Int16.self, kind) }
    return result
  }
}

extension Int32: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int32 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int32.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, gca_zigzag(Int64(self)))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int32 {
    var value: UInt64 = 0
    guard kind == .int32, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = Int32(exactly: gca_unzigzag(value))
    else { return try decoder.readInteger(Int32.self, kind) }
    return result
  }
}

extension Int64: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .int64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.int64.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_varint(&encoder.state.pointee.out, gca_zigzag(Int64(self)))
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Int64 {
    var value: UInt64 = 0
    guard kind == .int64, gca_get_varint(&decoder.state.pointee.input, &value),
      let result = Int64(exactly: gca_unzigzag(value))
    else { return try decoder.readInteger(Int64.self, kind) }
    return result
  }
}
