import _GraphFiles

/// A floating-point number, or a type that consists of such numbers: vectors, arrays, packed structs.
///
/// Not for use outside the package.
public protocol _GraphPrecise: GEncodable {
  /// The value with its numbers rounded, or itself if they are rounded when its elements are written.
  func _graphRounded(_ precision: GPrecision) -> Self
}

extension GEncoder {
  /// Encodes floating-point numbers under a key, to a precision.
  ///
  ///     try encoder.encode(frames, for: Key.frames, precision: .absolute(0.005))
  ///
  /// - Parameters:
  ///   - value: a number, a vector, or an array or nested array of these or of packed structs, whose other fields stay exact.
  ///   - key: as in `encode(_:for:)`.
  ///   - precision: nil for exact numbers, even if the encoder has a ``GraphEncoder/precision``. A segment of 16 KiB or
  ///     more records it, and ``GraphArchive/Segment/precision`` shows it.
  /// - Throws: `invalidValue` for a precision that no number can have; as `encode(_:for:)`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode<Value: _GraphPrecise, Key: RawRepresentable>(
    _ value: Value, for key: Key, precision: GPrecision?
  ) throws where Key.RawValue == String {
    try to(precision) { try encode(precision.map(value._graphRounded) ?? value, for: key) }
  }

  /// Encodes floating-point numbers without a key, to a precision; see `encode(_:for:precision:)`.
  ///
  /// - Throws: as `encode(_:for:precision:)`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode<Value: _GraphPrecise>(_ value: Value, precision: GPrecision?) throws {
    try to(precision) { try encode(precision.map(value._graphRounded) ?? value) }
  }

  func to(_ precision: GPrecision?, _ body: () throws -> Void) throws {
    do { try precision?.check() } catch { throw noted(error) }
    let outer = tables.precision
    tables.precision = precision
    defer { tables.precision = outer }
    try body()
  }
}

extension GPrecision {
  /// A value that begins with the numbers of `format`, with these rounded.
  func rounded<Value>(_ value: Value, _ format: PackedFormat) -> Value {
    guard let rounding = Rounding(self, format) else { return value }
    var value = value
    // The format is declared for types only that begin with its scalars.
    unsafe withUnsafeMutableBytes(of: &value) {
      unsafe rounding.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[..<format.byteCount]))
    }
    return value
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphPrecise where Self: _GraphPackable {
  public func _graphRounded(_ precision: GPrecision) -> Self { precision.rounded(self, Self._graphPacked) }
}

extension Float: _GraphPrecise {}
extension Double: _GraphPrecise {}
#if !(os(macOS) && arch(x86_64))
  extension Float16: _GraphPrecise {}
#endif
extension SIMD2: _GraphPrecise where Scalar: _GraphPrecise & GCodable {}
extension SIMD3: _GraphPrecise where Scalar: _GraphPrecise & GCodable {}
extension SIMD4: _GraphPrecise where Scalar: _GraphPrecise & GCodable {}
extension SIMD8: _GraphPrecise where Scalar: _GraphPrecise & GCodable {}
extension SIMD16: _GraphPrecise where Scalar: _GraphPrecise & GCodable {}
extension SIMD32: _GraphPrecise where Scalar: _GraphPrecise & GCodable {}
extension SIMD64: _GraphPrecise where Scalar: _GraphPrecise & GCodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Array: _GraphPrecise where Element: _GraphPrecise {
  public func _graphRounded(_ precision: GPrecision) -> Self { self }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContiguousArray: _GraphPrecise where Element: _GraphPrecise {
  public func _graphRounded(_ precision: GPrecision) -> Self { self }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ArraySlice: _GraphPrecise where Element: _GraphPrecise {
  public func _graphRounded(_ precision: GPrecision) -> Self { self }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _GraphPrecise where Wrapped: _GraphPrecise {
  public func _graphRounded(_ precision: GPrecision) -> Self { map { $0._graphRounded(precision) } }
}
