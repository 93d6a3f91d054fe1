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

extension Encoder {
  /// Encodes the object of a cycle breaker: as a reference if the encoder knows breakers, as a value otherwise.
  func encodeObject<Object: AnyObject & Encodable>(ofBreaker object: Object) throws {
    guard let encoder = self as? any CycleBreakingEncoder else {
      return try ObjectInBreaker.encode(object, to: self)
    }
    try encoder.encodeBreakingCycles(object)
  }
}

extension Decoder {
  /// The decoder, if it knows what a cycle breaker is.
  var cycleBreaking: any CycleBreakingDecoder {
    get throws {
      guard let decoder = self as? any CycleBreakingDecoder else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: codingPath,
            debugDescription:
              "This decoder does not support cycle breakers; use CyclicDecoder or GraphDecoder."))
      }
      return decoder
    }
  }
}
