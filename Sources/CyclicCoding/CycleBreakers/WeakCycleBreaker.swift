/// A weak reference that may close a cycle.
///
/// It takes the place of a `weak var` in a type that is encoded by ``CyclicEncoder`` and decoded by
/// ``CyclicDecoder``, or by `GraphEncoder` and `GraphDecoder` of the product GraphCodable:
///
///     struct Action: Codable {
///       var queue = WeakCycleBreaker<ActionQueue>()
///     }
///
///     action.queue[] = queue
///     action.queue[]?.run()
///
/// While its type is being decoded, the breaker is empty; it is filled when all objects have been decoded. It does not
/// keep its object alive, so something else that was encoded has to.
///
/// Other encoders, such as `JSONEncoder`, encode the object in the place of the breaker. Other decoders decode only
/// empty breakers, because nothing would keep the object alive.
public struct WeakCycleBreaker<Object: AnyObject> {
  /// Shared with copies that were made before decoding has ended, which are filled with it.
  private var box: Box

  private final class Box {
    weak var object: Object?

    init(_ object: Object?) { self.object = object }
  }

  /// Makes a reference to an object, or an empty one.
  public init(_ object: Object? = nil) {
    box = Box(object)
  }

  /// The object, or nil if there is none or it is gone.
  public subscript() -> Object? {
    get { box.object }
    set { box = Box(newValue) }
  }
}

extension WeakCycleBreaker: Encodable where Object: Encodable {
  /// Encodes the reference, or nil where there is no object.
  ///
  /// An encoder that does not know cycle breakers encodes the object itself.
  ///
  /// - Throws: `EncodingError.invalidValue` if the object refers back to itself and `encoder` does not know cycle
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
  /// Makes an empty reference that will be filled when all objects have been decoded.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if there is an object and `decoder` does not know cycle breakers.
  public init(from decoder: any Decoder) throws {
    self.init()
    guard try !decoder.singleValueContainer().decodeNil() else { return }
    try decoder.cycleBreaking.decodeBreakingCycles(
      Object.self, set: { [box] in box.object = $0 }, isHeld: nil)
  }
}
