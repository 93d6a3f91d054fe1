import _GraphFiles

// SIMD vectors are stored as their scalars, without the padding that some have in memory. Vectors of
// scalar types that are not packable themselves cannot be stored.

/// A SIMD vector.
///
/// Not for use outside the package.
public protocol _GraphVector: SIMD, _GraphFixed where Scalar: GCodable {
  /// That of its number of scalars in a `PackedFormat`.
  static var _graphLaneCode: UInt16 { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphVector {
  @inlinable
  public static var _graphPacked: PackedFormat {
    .init(rawValue: Scalar._graphEncodedFormat.rawValue | _graphLaneCode << 5)
  }
  public static var _graphZero: Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD2: GEncodable, GDecodable, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable,
  _GraphFixed, _GraphVector
where Scalar: GCodable {
  @inlinable public static var _graphLaneCode: UInt16 { 1 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD3: GEncodable, GDecodable, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable,
  _GraphFixed, _GraphVector
where Scalar: GCodable {
  @inlinable public static var _graphLaneCode: UInt16 { 2 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD4: GEncodable, GDecodable, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable,
  _GraphFixed, _GraphVector
where Scalar: GCodable {
  @inlinable public static var _graphLaneCode: UInt16 { 3 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD8: GEncodable, GDecodable, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable,
  _GraphFixed, _GraphVector
where Scalar: GCodable {
  @inlinable public static var _graphLaneCode: UInt16 { 4 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD16: GEncodable, GDecodable, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable,
  _GraphFixed, _GraphVector
where Scalar: GCodable {
  @inlinable public static var _graphLaneCode: UInt16 { 5 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD32: GEncodable, GDecodable, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable,
  _GraphFixed, _GraphVector
where Scalar: GCodable {
  @inlinable public static var _graphLaneCode: UInt16 { 6 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD64: GEncodable, GDecodable, _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable,
  _GraphFixed, _GraphVector
where Scalar: GCodable {
  @inlinable public static var _graphLaneCode: UInt16 { 7 }
}
