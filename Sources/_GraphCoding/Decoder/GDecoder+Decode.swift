import CGraphArchive
import _GraphFiles
import _GraphSupport

// What an `init(from:)` calls.

extension GDecoder {
  /// Decodes the value under a key.
  ///
  /// Each key can be decoded only once.
  ///
  /// - Parameters:
  ///   - type: the type to decode, usually inferred from the result.
  ///   - key: the key, for which `contains` is true.
  /// - Throws: `GCodableError` with code `keyNotFound`, `valueNotFound`, `typeMismatch`, `invalidValue`,
  ///   `cycle`, `classNotFound` or `malformed`; whatever the type's own `init(from:)` throws.
  @inlinable
  @inline(__always)
  public func decode<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key
  ) throws -> Value where Key.RawValue == String {
    let field = state.pointee.frame.field
    guard let token = FieldToken.of(key), field.pointee.token == token else {
      return try decodeUnexpected(type, for: key)
    }
    state.pointee.frame.field = field.next
    do { return try read(type, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the next value without a key.
  ///
  /// `unkeyedCount` is the number of those that are left.
  ///
  /// - Throws: as `decode(_:for:)`, `valueNotFound` if none is left.
  @inlinable
  @inline(__always)
  public func decode<Value: GDecodable>(_ type: Value.Type = Value.self) throws -> Value {
    let field = state.pointee.frame.field
    guard field.pointee.token == FieldToken.unkeyed else { return try decodeUnexpected(type) }
    state.pointee.frame.field = field.next
    do { return try read(type, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the value under a key; nil if the key is missing or its value is nil.
  ///
  /// - Throws: as `decode(_:for:)`, except for missing keys and values.
  @inlinable
  public func decodeIfPresent<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key
  ) throws -> Value? where Key.RawValue == String {
    let field = state.pointee.frame.field
    // While fields are taken out of order, the next one may have been taken.
    guard let token = FieldToken.of(key), field.pointee.token == token, state.pointee.frame.track == nil
    else {
      guard try seek(key) else { return nil }
      return try decodeUnexpected(Value?.self, for: key)
    }
    state.pointee.frame.field = field.next
    do { return try Value?._graphRead(self, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the value under a key once all objects have been made, and passes it to `setter`.
  ///
  /// Use it for references that lead back to the object. Each setter runs once, in the order of the calls of
  /// `deferDecode`, before the decoder returns the root to its caller. Fields deferred by objects that only deferred
  /// fields lead to come last. If the object's `init(from:)` throws, its setters do not run.
  ///
  /// - Throws: `keyNotFound`; errors of decoding the value, and of its setter, reach the caller of
  ///   `GraphDecoder.decode`.
  @inlinable
  public func deferDecode<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key, _ setter: __owned @escaping (Value) throws -> Void
  ) throws where Key.RawValue == String {
    let field = state.pointee.frame.field
    if let token = FieldToken.of(key), field.pointee.token == token | FieldToken.deferred {
      state.pointee.frame.field = field.next
      try deferRead(type, field.pointee.kind, setter)
    } else {
      guard let kind = try positionDeferred(key) else { throw keyNotFound(key.rawValue, type) }
      try deferRead(type, kind, setter)
    }
  }

  /// Decodes the next value without a key once all objects have been made, and passes it to `setter`.
  ///
  /// - Throws: as `deferDecode(_:for:_:)`.
  @inlinable
  public func deferDecode<Value: GDecodable>(
    _ type: Value.Type = Value.self, _ setter: __owned @escaping (Value) throws -> Void
  ) throws {
    guard let kind = try positionUnkeyed(FieldToken.unkeyed | FieldToken.deferred) else {
      throw noUnkeyedLeft(type)
    }
    try deferRead(type, kind, setter)
  }

  /// Whether a value was encoded under a key and has not been decoded yet.
  ///
  /// - Throws: `malformed` when the archive is.
  public func contains<Key: RawRepresentable>(_ key: Key) throws -> Bool where Key.RawValue == String {
    try seek(key)
  }

  /// The number of values without a key that have not been decoded yet.
  ///
  /// - Complexity: O(1), except where fields were decoded in another order than encoded.
  public var unkeyedCount: Int { countUnkeyed() }
}

// MARK: - Values in place

extension GDecoder {
  /// Reads a value of a kind at the cursor.
  ///
  /// The optimizer leaves the conformances of some number types closed, as of Swift 6.3; where the type is known,
  /// these comparisons are none.
  @inlinable
  @inline(__always)
  func read<Value: GDecodable>(_ type: Value.Type, _ kind: GraphKind) throws -> Value {
    if type == Int.self { return unsafe unsafeBitCast(try readInt(kind), to: type) }  // The same type.
    if type == Int64.self { return unsafe unsafeBitCast(try readInt64(kind), to: type) }  // The same type.
    if type == UInt.self { return unsafe unsafeBitCast(try readUInt(kind), to: type) }  // The same type.
    if type == UInt64.self { return unsafe unsafeBitCast(try readUInt64(kind), to: type) }  // The same type.
    return try Value._graphRead(self, kind)
  }

  /// Reads a struct or enum: its shape number, then its fields.
  @inlinable
  func readRecord<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    let outer = state.pointee.frame
    if gca_stack_pointer() < state.pointee.stackLimit || outer.depth >= state.pointee.maximumDepth {
      return try readDeepRecord(type)
    }
    let shape = try state.pointee.stream.readShape()
    if shape.pointee.isSpecial { try failWithClass(type, shape) }
    state.pointee.frame = RecordFrame(shape, start: state.pointee.stream.input.cursor, depth: outer.depth + 1)
    let value: Value
    do {
      value = try Value(from: self)
      if state.pointee.frame.field.pointee.token != FieldToken.end || state.pointee.frame.track != nil {
        try finishRecord()
      }
    } catch { throw leaving(error, type, to: outer) }
    state.pointee.frame = outer
    return value
  }

  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func readDeepRecord<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    try onNewStack { try readRecord(type) }
  }

  /// Reads a reference: the number of an object, which is made now unless it has been.
  @inlinable
  func readReference<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    let number = try state.pointee.stream.readObjectNumber()
    let slot = state.pointee.objects.pinned(Int(number))
    if _canBeClass(Value.self) == 1 {
      if slot.pointee.instance == nil { try build(number, type) }
      if let instance = slot.pointee.instance {
        // Of exactly the class that is asked for, or of one that was cast to it before; both are classes.
        let cast = KnownCast(from: slot.pointee.metadata, to: UInt(bitPattern: ObjectIdentifier(type)))
        if cast.from == cast.to || state.pointee.casts[cast.place] == cast {
          return unsafe unsafeBitCast(instance.object, to: Value.self)
        }
      }
    }
    return try readObject(type, number)
  }
}
