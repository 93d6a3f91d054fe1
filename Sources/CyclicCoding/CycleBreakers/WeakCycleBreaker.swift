/// A weak reference that may close a cycle of `Codable` objects.
///
/// Use it in place of a `weak var`. ``CyclicEncoder`` and ``CyclicDecoder`` preserve the cycle, and so do `GraphEncoder`
/// and `GraphDecoder` of the GraphCodable library.
///
///     struct Action: Codable {
///       var queue = WeakCycleBreaker<ActionQueue>()
///     }
///
///     action.queue[] = queue
///     action.queue[]?.run()
///
/// A breaker is filled when all objects have been decoded, or earlier if it is read and its object can be decoded. It is empty
/// during the `init(from:)` of its object. It does not keep its object alive, so the encoded graph must contain another
/// reference to it.
///
/// Other encoders, such as `JSONEncoder`, encode the object in place of the breaker. Other decoders can decode only
/// empty breakers, because nothing would keep the object alive.
public struct WeakCycleBreaker<Object: AnyObject> {
  private var box: BreakerBox<Object>

  /// Creates a reference to an object, or an empty reference.
  public init(_ object: Object? = nil) {
    box = BreakerBox(object)
  }

  /// The object, or nil if none was set or it has been deallocated.
  public subscript() -> Object? {
    get { box.object }
    set { box = BreakerBox(newValue) }
  }
}

extension WeakCycleBreaker: Encodable where Object: Encodable {
  /// Encodes the reference, or nil if there is no object.
  ///
  /// An encoder without support for cycle breakers encodes the object itself.
  ///
  /// - Throws: `EncodingError.invalidValue` if the object refers back to itself and `encoder` does not support cycle
  ///   breakers.
  public func encode(to encoder: any Encoder) throws {
    guard let object = box.object else {
      var container = encoder.singleValueContainer()
      return try container.encodeNil()
    }
    try encoder.encodeObject(ofBreaker: object)
  }
}

extension WeakCycleBreaker: Decodable where Object: Decodable {
  /// Creates an empty reference, which is filled when all objects have been decoded.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if there is an object and `decoder` does not support cycle breakers.
  public init(from decoder: any Decoder) throws {
    self.init()
    guard try !decoder.singleValueContainer().decodeNil() else { return }
    try box.decode(from: decoder, mustBeHeld: false)
  }
}
