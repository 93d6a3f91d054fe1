// What GraphCodable and CyclicCoding agree on, so that neither has to be compiled with the other.

/// An encoder that knows what a cycle breaker is.
///
/// Its `encode(to:)` is given one of them, or fails.
package protocol CycleBreakingEncoder: Encoder {
  /// Encodes a reference that will be decoded when the object that holds it is done.
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws
}

/// A decoder that knows what a cycle breaker is.
package protocol CycleBreakingDecoder: Decoder {
  /// Decodes a reference when all that is being decoded is done, and then hands it to `set`.
  ///
  /// - Parameter isHeld: asked at the very end, when the decoder has let go of all objects; an error is thrown
  ///   where it says that the object is gone. Nil if it may be gone.
  func decodeBreakingCycles<Object: AnyObject & Decodable>(
    _ type: Object.Type, set: @escaping (Object) -> Void, isHeld: (() -> Bool)?) throws
}
