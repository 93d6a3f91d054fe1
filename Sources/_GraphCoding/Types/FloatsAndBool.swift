import _GraphFiles
import _GraphSupport

// See SignedIntegers.swift for what all numbers share.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Float: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .float32 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.float32.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putUInt32(bitPattern)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Float {
    guard kind == .float32, decoder.state.pointee.stream.input.has(4) else {
      return try decoder.readFloat(Float.self, kind)
    }
    return Float(bitPattern: decoder.state.pointee.stream.input.takeUInt32())
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Double: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .float64 }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.float64.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putUInt64(bitPattern)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Double {
    guard kind == .float64, decoder.state.pointee.stream.input.has(8) else {
      return try decoder.readFloat(Double.self, kind)
    }
    return Double(bitPattern: decoder.state.pointee.stream.input.takeUInt64())
  }
}

#if !(os(macOS) && arch(x86_64))
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension Float16: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
    @inlinable public static var _graphPlainKind: GraphKind { .float16 }
    @inlinable public static var _graphPacked: PackedFormat {
      .init(rawValue: PackedFormat.Scalar.float16.rawValue)
    }

    @inlinable
    @inline(__always)
    public func _graphWritePlain(_ encoder: GEncoder) throws {
      try encoder.reserve()
      encoder.state.pointee.out.putUInt16(bitPattern)
    }

    @inlinable
    public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Float16 {
      guard kind == .float16, let bits = decoder.state.pointee.stream.input.nextUInt16() else {
        return try decoder.readFloat(Float16.self, kind)
      }
      return Float16(bitPattern: bits)
    }
  }
#endif

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Bool: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  @inlinable public static var _graphPlainKind: GraphKind { .bool }
  @inlinable public static var _graphPacked: PackedFormat {
    .init(rawValue: PackedFormat.Scalar.bool.rawValue)
  }

  @inlinable
  @inline(__always)
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.state.pointee.out.putByte(self ? 1 : 0)
  }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Bool {
    try decoder.readBool(kind)
  }
}

extension GDecoder {
  @inlinable
  func readBool(_ kind: GraphKind) throws -> Bool {
    guard kind == .bool, state.pointee.stream.input.has(1) else {
      return try readOther(Bool.self, kind)
    }
    let byte = state.pointee.stream.input.takeByte()
    guard byte <= 1 else { throw malformed("a Bool is neither 0 nor 1") }
    return byte == 1
  }
}
