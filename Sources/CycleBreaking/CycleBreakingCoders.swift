// What GraphCodable and CyclicCoding agree on, so that neither has to be compiled with the other.

/// An encoder that knows what a cycle breaker is.
///
/// With any other encoder, a breaker encodes its object as a value.
package protocol CycleBreakingEncoder: Encoder {
  /// Encodes a reference that will be decoded when the object that holds it is done.
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws
}

/// A decoder that knows what a cycle breaker is.
package protocol CycleBreakingDecoder: Decoder {
  /// Decodes a reference when everything else has been decoded, and then passes it to `set`.
  ///
  /// - Parameter isHeld: Called at the very end, when the decoder has released all objects; decoding fails if it returns
  ///   false. Nil if the object need not be alive.
  /// - Returns: A function that looks for the object earlier, should the breaker be read.
  func decodeBreakingCycles<Object: AnyObject & Decodable>(
    _ type: Object.Type, set: @escaping (Object) -> Void, isHeld: (() -> Bool)?
  ) throws -> EarlyObject<Object>
}

/// Looks for the object of a breaker that has not been filled yet.
///
/// It returns nil while the object's own `init(from:)` is running. If the parameter is true, because a breaker without an object
/// would trap, and a set or dictionary is being made, it then returns a copy of the object, made for this purpose alone: the
/// decoder checks at the end whether the hashes that were found with it still hold.
package typealias EarlyObject<Object: AnyObject> = (_ isNeeded: Bool) -> Object?
