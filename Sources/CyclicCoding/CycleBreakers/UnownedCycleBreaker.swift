/// An unowned reference that may close a cycle of `Codable` objects.
///
/// Use it in place of an `unowned var`. ``CyclicEncoder`` and ``CyclicDecoder`` preserve the cycle, and so do
/// `GraphEncoder` and `GraphDecoder` of the GraphCodable library.
///
///     final class Leg: Codable {
///       var table: UnownedCycleBreaker<Table>
///
///       init(of table: Table) { self.table = UnownedCycleBreaker(table) }
///     }
///
///     leg.table[].lift()
///
/// A breaker is filled when all objects have been decoded, or earlier if it is read and its object can be decoded. It is empty
/// during the `init(from:)` of its object. It does not keep its object alive, so the encoded graph must contain another
/// reference to it.
///
/// Other encoders, such as `JSONEncoder`, encode the object in place of the breaker. Other decoders cannot decode it,
/// because nothing would keep the object alive.
public struct UnownedCycleBreaker<Object: AnyObject> {
  private var box: BreakerBox<Object>

  /// Creates a reference to an object.
  public init(_ object: Object) {
    box = BreakerBox(object)
  }

  /// Creates a reference that is empty until it is set.
  public init() {
    box = BreakerBox()
  }

  /// The object.
  ///
  /// - Precondition: An object has been set or decoded, and is alive. During the `init(from:)` of its object the reference is
  ///   empty.
  public subscript() -> Object {
    get {
      guard let object = box.neededObject else {
        preconditionFailure(
          "This UnownedCycleBreaker<\(Object.self)> has no object: it is used during the object's init(from:), has not been set, "
            + "or its object has been deallocated.")
      }
      return object
    }
    set { box = BreakerBox(newValue) }
  }
}

extension UnownedCycleBreaker: Encodable where Object: Encodable {
  /// Encodes the reference.
  ///
  /// An encoder without support for cycle breakers encodes the object itself.
  ///
  /// - Throws: `EncodingError.invalidValue` if there is no object, or if the object refers back to itself and `encoder`
  ///   does not support cycle breakers.
  public func encode(to encoder: any Encoder) throws {
    guard let object = box.object else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription:
            "The UnownedCycleBreaker has no object: it has not been set, or its object has been deallocated.")
      )
    }
    try encoder.encodeObject(ofBreaker: object)
  }
}

extension UnownedCycleBreaker: Decodable where Object: Decodable {
  /// Creates an empty reference, which is filled when all objects have been decoded.
  ///
  /// The whole decoding fails if nothing keeps the object alive at its end.
  ///
  /// - Throws: `DecodingError` if there is no object, or if `decoder` does not support cycle breakers.
  public init(from decoder: any Decoder) throws {
    self.init()
    guard try !decoder.singleValueContainer().decodeNil() else {
      throw DecodingError.valueNotFound(
        Object.self,
        .init(codingPath: decoder.codingPath, debugDescription: "An UnownedCycleBreaker must have an object.")
      )
    }
    try box.decode(from: decoder, mustBeHeld: true)
  }
}
