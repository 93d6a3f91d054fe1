// What the code that the macro writes calls for properties that cannot be assigned or read as others are.

extension GDecoder {
  /// Decodes the value under a key as the type of a property; nil if the key is missing.
  ///
  /// Not for use outside the package and what its macros write.
  ///
  /// - Parameter property: tells the type, and is not called: the instance is not complete yet.
  @inlinable
  @inline(__always)
  public func _decodeIfPresent<Root, Value: GDecodable, Key: RawRepresentable>(
    typeOf property: (Root) -> Value, for key: Key
  ) throws -> Value? where Key.RawValue == String {
    try contains(key) ? decode(Value.self, for: key) : nil
  }

  /// Decodes a constant of a struct that has a value already; it keeps that if the key is missing.
  ///
  /// Not for use outside the package and what its macros write.
  ///
  /// - Parameters:
  ///   - property: a stored property of the struct.
  ///   - root: the struct that is being decoded, which is complete.
  /// - Returns: whether the key was there.
  @inlinable
  @discardableResult
  public func _decodeIfPresent<Root, Value: GDecodable, Key: RawRepresentable>(
    constant property: KeyPath<Root, Value>, of root: inout Root, for key: Key
  ) throws -> Bool where Key.RawValue == String {
    guard try contains(key) else { return false }
    let value = try decode(Value.self, for: key)
    guard let offset = MemoryLayout<Root>.offset(of: property) else {
      preconditionFailure("'\(key.rawValue)' is not stored in its struct")
    }
    // The property lies there, by `MemoryLayout`, and has a value, which is replaced as that of a variable would be.
    unsafe withUnsafeMutableBytes(of: &root) { bytes in
      let place = unsafe bytes.baseAddress.unsafelyUnwrapped + offset
      unsafe place.assumingMemoryBound(to: Value.self).pointee = value
    }
    return true
  }
}

/// A property wrapper that is stored itself.
///
/// Not for use outside the package and what its macros write.
@inlinable
@inline(__always)
public func _graphWrapper<Wrapper: GEncodable & GDecodable>(_ wrapper: Wrapper) -> Wrapper { wrapper }

/// For a message that says what to do.
@available(
  *, unavailable,
  message: "the property wrapper does not adopt GCodable: let it, or store the wrapped value alone by '@GWrapped'"
)
@_disfavoredOverload
public func _graphWrapper<Wrapper>(_ wrapper: Wrapper) -> Wrapper { wrapper }
