import _GraphSupport

// Where Swift cannot know the type to decode, it fails without a word on overloaded functions. These, which it takes
// last, have the word: one where the result may be anything, another where only the argument is missing.

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

/// The compiler refuses the calls.
package func neverCalled() -> GCodableError {
  GCodableError(.internalInconsistency, "a function was called that is for a message of the compiler")
}
