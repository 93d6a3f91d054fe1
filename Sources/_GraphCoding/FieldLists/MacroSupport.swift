import _GraphSupport

/// What macro-generated code calls, apart from the coders, so that no completion shows it there.
///
/// Not for use outside the package and what its macros write.
public enum _GraphMacro {}

// Properties that cannot be assigned or read like others.
extension _GraphMacro {
  /// Decodes the value under a key as the type of a property; nil if the key is missing.
  ///
  /// - Parameter property: tells the type, and is not called: the instance is not complete yet.
  @inlinable
  @inline(__always)
  public static func decodeIfPresent<Root, Value: GDecodable, Key: RawRepresentable>(
    typeOf property: (Root) -> Value, for key: Key, from decoder: GDecoder
  ) throws -> Value? where Key.RawValue == String {
    try decoder.contains(key) ? decoder.decode(Value.self, for: key) : nil
  }

  /// Decodes a constant of a struct that already has a value, and keeps it if the key is missing.
  ///
  /// - Parameters:
  ///   - property: a stored property of the struct.
  ///   - root: the struct being decoded, which is complete.
  /// - Returns: whether the key was there.
  @inlinable
  @discardableResult
  public static func decodeIfPresent<Root, Value: GDecodable, Key: RawRepresentable>(
    constant property: KeyPath<Root, Value>, of root: inout Root, for key: Key, from decoder: GDecoder
  ) throws -> Bool where Key.RawValue == String {
    try decodeIfPresent(constant: property, of: &root, for: key, as: Value.self, from: decoder) { $0 }
  }

  /// Decodes such a constant as another type.
  @inlinable
  @discardableResult
  public static func decodeIfPresent<Root, Value, Coded: GDecodable, Key: RawRepresentable>(
    constant property: KeyPath<Root, Value>, of root: inout Root, for key: Key, as type: Coded.Type,
    from decoder: GDecoder, _ unwrap: (Coded) -> Value
  ) throws -> Bool where Key.RawValue == String {
    guard try decoder.contains(key) else { return false }
    let value = unwrap(try decoder.decode(type, for: key))
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
extension _GraphMacro {
  /// Encodes a part under a key.
  @inlinable
  @inline(never)
  public static func encode<Value: GEncodable, Key: RawRepresentable>(
    _ value: Value, for key: Key, to encoder: GEncoder
  ) throws where Key.RawValue == String { try encoder.encode(value, for: key) }

  /// Encodes a part without a key.
  @inlinable
  @inline(never)
  public static func encode<Value: GEncodable>(_ value: Value, to encoder: GEncoder) throws {
    try encoder.encode(value)
  }

  /// Decodes a part under a key.
  @inlinable
  @inline(never)
  public static func decode<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key, from decoder: GDecoder
  ) throws -> Value where Key.RawValue == String { try decoder.decode(type, for: key) }

  /// Decodes a part without a key.
  @inlinable
  @inline(never)
  public static func decode<Value: GDecodable>(
    _ type: Value.Type = Value.self, from decoder: GDecoder
  ) throws -> Value { try decoder.decode(type) }

  /// Decodes a part under a key; nil if it is missing or nil.
  @inlinable
  @inline(never)
  public static func decodeIfPresent<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key, from decoder: GDecoder
  ) throws -> Value? where Key.RawValue == String { try decoder.decodeIfPresent(type, for: key) }
}

// Property wrappers.
extension _GraphMacro {
  /// A property wrapper that is stored itself.
  @inlinable
  @inline(__always)
  public static func wrapper<Wrapper: GEncodable & GDecodable>(_ wrapper: Wrapper) -> Wrapper { wrapper }

  /// Exists only for a message that says what to do.
  @available(
    *, unavailable,
    message:
      "the property wrapper does not adopt GCodable: let it, or store the wrapped value alone by '@GWrapped'"
  )
  @_disfavoredOverload
  public static func wrapper<Wrapper>(_ wrapper: Wrapper) -> Bool { false }
}
