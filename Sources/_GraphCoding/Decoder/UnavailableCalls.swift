import _GraphSupport

// Where Swift cannot infer the type to decode, it rejects calls of overloaded functions without a useful message. These
// disfavored overloads supply one: for a result of any type, and for a call that lacks only the argument.

extension GraphDecoder {
  /// For a message that says what to write.
  @available(
    *, unavailable, message: "say what to decode: 'decode(Model.self, from: bytes)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func decode(from bytes: some Collection<UInt8>) throws -> Any { throw neverCalled() }

  /// For a message that says what to write.
  @available(
    *, unavailable, message: "say what to decode: 'decode(Model.self, from: bytes)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func decode<Root>(from bytes: some Collection<UInt8>) throws -> Root { throw neverCalled() }
}

extension GDecoder {
  /// For a message that says what to write.
  @available(*, unavailable, message: "say what to decode, as in 'decode(Int.self, for: key)'")
  @_disfavoredOverload
  public func decode<Key: RawRepresentable>(for key: Key) throws -> Any where Key.RawValue == String {
    throw neverCalled()
  }

  /// For a message that says what to write.
  @available(*, unavailable, message: "say what to decode, as in 'decode(Int.self)'")
  @_disfavoredOverload
  public func decode() throws -> Any { throw neverCalled() }

  /// For a message that says what to write.
  @available(*, unavailable, message: "say what to decode, as in 'decodeIfPresent(Int.self, for: key)'")
  @_disfavoredOverload
  public func decodeIfPresent<Key: RawRepresentable>(for key: Key) throws -> Any?
  where Key.RawValue == String { throw neverCalled() }
}

/// The error of functions that exist only for the compiler's message: it refuses every call.
package func neverCalled() -> GCodableError {
  GCodableError(.internalInconsistency, "a function that exists only for its compiler message was called")
}
