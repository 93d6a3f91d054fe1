import _GraphFiles
import _GraphSupport

/// Fields that an archive may lack, because it is older than they are.
extension GDecoder {
  /// Decodes the value under a key, or returns a default if the key is missing.
  ///
  /// A key with an encoded nil is not missing: nil is decoded if `Value` is optional. The default is evaluated only if the key is missing.
  ///
  /// - Throws: as `decode(_:for:)`, except for missing keys; whatever evaluating the default throws.
  @inlinable
  @inline(__always)
  public func decode<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key, default value: @autoclosure () throws -> Value
  ) throws -> Value where Key.RawValue == String {
    let field = state.pointee.frame.field
    guard let token = FieldToken.of(key), field.pointee.token == token, field.pointee.kind != .tagged,
      state.pointee.frame.track == nil
    else { return try seek(key) ? decodeUnexpected(type, for: key) : value() }
    state.pointee.frame.field = field.next
    do { return try read(type, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the value under a key into a variable, which keeps its value if the key is missing.
  ///
  /// A key with an encoded nil is not missing: nil is decoded if `Value` is optional.
  ///
  /// - Returns: whether the key was there.
  /// - Throws: as `decode(_:for:)`, except for missing keys; the variable then keeps its value.
  @inlinable
  @inline(__always)
  @discardableResult
  public func decodeIfPresent<Value: GDecodable, Key: RawRepresentable>(
    into value: inout Value, for key: Key
  ) throws -> Bool where Key.RawValue == String {
    guard let decoded = try decodeIfPresent(like: value, for: key) else { return false }
    value = decoded
    return true
  }

  /// Decodes the value under a key as the type of another value, which is not used otherwise; nil if the key is missing.
  ///
  /// A key with an encoded nil is not missing: nil is decoded if `Value` is optional. Use it for properties of classes
  /// with initial values: passed `inout`, as to `decodeIfPresent(into:for:)`, they would be checked for exclusivity at
  /// every use.
  ///
  /// ```swift
  /// if let value = try decoder.decodeIfPresent(like: self.count, for: Key.count) { self.count = value }
  /// ```
  ///
  /// - Throws: as `decode(_:for:)`, except for missing keys.
  @inlinable
  @inline(__always)
  public func decodeIfPresent<Value: GDecodable, Key: RawRepresentable>(
    like other: Value, for key: Key
  ) throws -> Value? where Key.RawValue == String {
    let field = state.pointee.frame.field
    guard let token = FieldToken.of(key), field.pointee.token == token, field.pointee.kind != .tagged,
      state.pointee.frame.track == nil
    else { return try seek(key) ? decodeUnexpected(Value.self, for: key) : nil }
    state.pointee.frame.field = field.next
    do { return try read(Value.self, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the value under a key once all objects have been made, and passes it to `setter`; does nothing if the key
  /// is missing.
  ///
  /// - Returns: whether the key was there.
  /// - Throws: as `deferDecode(_:for:_:)`, except for missing keys.
  @inlinable
  @discardableResult
  public func deferDecodeIfPresent<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key, _ setter: @escaping (Value) throws -> Void
  ) throws -> Bool where Key.RawValue == String {
    let field = state.pointee.frame.field
    if let token = FieldToken.of(key), field.pointee.token == token | FieldToken.deferred {
      state.pointee.frame.field = field.next
      try deferRead(type, field.pointee.kind, setter)
      return true
    }
    guard let kind = try positionDeferred(key) else { return false }
    try deferRead(type, kind, setter)
    return true
  }
}
