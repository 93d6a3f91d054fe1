// SIMD vectors are stored as their scalars, without the padding that some have in memory. Vectors of
// scalar types that are not packable themselves cannot be stored.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD2: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 1 << 5)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD2: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD3: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 2 << 5)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD3: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD4: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 3 << 5)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD4: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD8: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 4 << 5)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD8: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD16: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 5 << 5)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD16: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD32: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 6 << 5)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD32: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD64: _GraphPackable where Scalar: GCodable {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | 7 << 5)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD64: _GraphLeafEncodable, _GraphLeafDecodable, _GraphFixed, GEncodable, GDecodable
where Scalar: GCodable {
  public static var _graphZero: Self { Self() }
}
