import CycleBreaking

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
