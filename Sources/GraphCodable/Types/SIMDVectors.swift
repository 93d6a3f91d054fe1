// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// SIMD vectors are stored as their scalars, without the padding that some have in memory. Vectors of
// scalar types that are not packable themselves cannot be stored.

extension SIMD2: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 1 << 5)
  }
}
extension SIMD2: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

extension SIMD3: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 2 << 5)
  }
}
extension SIMD3: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

extension SIMD4: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 3 << 5)
  }
}
extension SIMD4: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

extension SIMD8: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 4 << 5)
  }
}
extension SIMD8: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

extension SIMD16: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 5 << 5)
  }
}
extension SIMD16: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

extension SIMD32: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 6 << 5)
  }
}
extension SIMD32: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

extension SIMD64: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 7 << 5)
  }
}
extension SIMD64: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}
