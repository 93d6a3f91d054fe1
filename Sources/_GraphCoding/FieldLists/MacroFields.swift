import _GraphSupport

// Called by macro-generated code for properties that cannot be assigned or read like others.

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

  /// Decodes a constant of a struct that already has a value, and keeps it if the key is missing.
  ///
  /// Not for use outside the package and what its macros write.
  ///
  /// - Parameters:
  ///   - property: a stored property of the struct.
  ///   - root: the struct being decoded, which is complete.
  /// - Returns: whether the key was there.
  @inlinable
  @discardableResult
  public func _decodeIfPresent<Root, Value: GDecodable, Key: RawRepresentable>(
    constant property: KeyPath<Root, Value>, of root: inout Root, for key: Key
  ) throws -> Bool where Key.RawValue == String {
    try _decodeIfPresent(constant: property, of: &root, for: key, as: Value.self) { $0 }
  }

  /// Decodes such a constant as another type.
  ///
  /// Not for use outside the package and what its macros write.
  @inlinable
  @discardableResult
  public func _decodeIfPresent<Root, Value, Coded: GDecodable, Key: RawRepresentable>(
    constant property: KeyPath<Root, Value>, of root: inout Root, for key: Key, as type: Coded.Type,
    _ unwrap: (Coded) -> Value
  ) throws -> Bool where Key.RawValue == String {
    guard try contains(key) else { return false }
    let value = unwrap(try decode(type, for: key))
    guard let offset = MemoryLayout<Root>.offset(of: property) else {
      preconditionFailure("'\(key.rawValue)' is not stored in its struct")
    }
    // According to `MemoryLayout`, the property lies there; its value is replaced like that of a variable.
    unsafe withUnsafeMutableBytes(of: &root) { bytes in
      let place = unsafe bytes.baseAddress.unsafelyUnwrapped + offset
      unsafe place.assumingMemoryBound(to: Value.self).pointee = value
    }
    return true
  }
}

// For enums with many parts: inlining each would take the compiler disproportionately long. This code exists once for each type
// of part.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GEncoder {
  @inlinable
  @inline(never)
  public func _encodePart<Value: GEncodable, Key: RawRepresentable>(_ value: Value, for key: Key) throws
  where Key.RawValue == String { try encode(value, for: key) }

  @inlinable
  @inline(never)
  public func _encodePart<Value: GEncodable>(_ value: Value) throws { try encode(value) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GDecoder {
  @inlinable
  @inline(never)
  public func _decodePart<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key
  ) throws -> Value where Key.RawValue == String { try decode(type, for: key) }

  @inlinable
  @inline(never)
  public func _decodePart<Value: GDecodable>(_ type: Value.Type = Value.self) throws -> Value {
    try decode(type)
  }

  @inlinable
  @inline(never)
  public func _decodePartIfPresent<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key
  ) throws -> Value? where Key.RawValue == String { try decodeIfPresent(type, for: key) }
}

/// A property wrapper that is stored itself.
///
/// Not for use outside the package and what its macros write.
@inlinable
@inline(__always)
public func _graphWrapper<Wrapper: GEncodable & GDecodable>(_ wrapper: Wrapper) -> Wrapper { wrapper }

/// Exists only for a message that says what to do.
@available(
  *, unavailable,
  message:
    "the property wrapper does not adopt GCodable: let it, or store the wrapped value alone by '@GWrapped'"
)
@_disfavoredOverload
public func _graphWrapper<Wrapper>(_ wrapper: Wrapper) -> Bool { false }
