// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CGraphArchive

// See SignedIntegers.swift for what all numbers share.

extension Float: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .float32 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.float32.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_u32(&encoder.state.pointee.out, bitPattern)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Float {
    var bits: UInt32 = 0
    guard kind == .float32, gca_get_u32(&decoder.state.pointee.input, &bits) else {
      return try decoder.readFloat(Float.self, kind)
    }
    return Float(bitPattern: bits)
  }
}

extension Double: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .float64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.float64.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_u64(&encoder.state.pointee.out, bitPattern)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Double {
    var bits: UInt64 = 0
    guard kind == .float64, gca_get_u64(&decoder.state.pointee.input, &bits) else {
      return try decoder.readFloat(Double.self, kind)
    }
    return Double(bitPattern: bits)
  }
}

#if !(os(macOS) && arch(x86_64))
  extension Float16: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
    @inlinable public static var _graphPlainKind: GraphKind { .float16 }
    @inlinable public static var _graphPacked: PackedFormat {
      .init(rawValue: PackedFormat.Scalar.float16.rawValue)
    }

    @inlinable
    public func _graphWritePlain(_ encoder: GEncoder) throws {
      try encoder.reserve()
      gca_put_u16(&encoder.state.pointee.out, bitPattern)
    }

    @inlinable
    public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Float16 {
      var bits: UInt16 = 0
      guard kind == .float16, gca_get_u16(&decoder.state.pointee.input, &bits) else {
        return try decoder.readFloat(Float16.self, kind)
      }
      return Float16(bitPattern: bits)
    }
  }
#endif

extension Bool: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .bool }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.bool.rawValue)
  }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_u8(&encoder.state.pointee.out, self ? 1 : 0)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Bool {
    var byte: UInt8 = 0
    guard kind == .bool, gca_get_u8(&decoder.state.pointee.input, &byte), byte <= 1 else {
      return try decoder.readOther(Bool.self, kind)
    }
    return byte == 1
  }
}
