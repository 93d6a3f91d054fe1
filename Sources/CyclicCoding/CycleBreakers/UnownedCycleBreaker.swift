/// An unowned reference that may close a cycle.
///
/// It takes the place of an `unowned var` in a type that is encoded by ``CyclicEncoder`` and decoded by
/// ``CyclicDecoder``, or by `GraphEncoder` and `GraphDecoder` of the product GraphCodable:
///
///     final class Leg: Codable {
///       var table: UnownedCycleBreaker<Table>
///
///       init(of table: Table) { self.table = UnownedCycleBreaker(table) }
///     }
///
///     leg.table[].lift()
///
/// While its type is being decoded, the breaker is empty; it is filled when all objects have been decoded. It does not
/// keep its object alive, so something else that was encoded has to.
///
/// Other encoders, such as `JSONEncoder`, encode the object in the place of the breaker. Other decoders cannot decode
/// it, because nothing would keep the object alive.
public struct UnownedCycleBreaker<Object: AnyObject> {
  /// Shared with copies that were made before decoding has ended, which are filled with it.
  private var box: Box

  private final class Box {
    /// Weak, so that coders can tell that the object is gone.
    weak var object: Object?

    init(_ object: Object?) { self.object = object }
  }

  /// Makes a reference to an object.
  public init(_ object: Object) {
    box = Box(object)
  }

  /// Makes a reference that is empty until it is set.
  public init() {
    box = Box(nil)
  }

  /// The object.
  ///
  /// - Precondition: There is an object, and it is alive. The reference is empty until it has been set, and while
  ///   objects are being decoded.
  public subscript() -> Object {
    get {
      guard let object = box.object else {
        preconditionFailure(
          "An UnownedCycleBreaker<\(Object.self)> is used that has no object: it is used in an init(from:), has "
            + "not been set, or its object is gone.")
      }
      return object
    }
    set { box = Box(newValue) }
  }
}

extension UnownedCycleBreaker: Encodable where Object: Encodable {
  /// Encodes the reference.
  ///
  /// An encoder that does not know cycle breakers encodes the object itself.
  ///
  /// - Throws: `EncodingError.invalidValue` if there is no object, or if the object refers back to itself and `encoder`
  ///   does not know cycle breakers.
  public func encode(to encoder: any Encoder) throws {
    guard let object = box.object else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription:
            "The UnownedCycleBreaker has no object: it has not been set, or its object is gone."))
    }
    try encoder.encodeObject(ofBreaker: object)
  }
}

extension UnownedCycleBreaker: Decodable where Object: Decodable {
  /// Makes an empty reference that will be filled when all objects have been decoded.
  ///
  /// Decoding as a whole fails if nothing keeps the object alive in the end.
  ///
  /// - Throws: `DecodingError` if there is no object, or if `decoder` does not know cycle breakers.
  public init(from decoder: any Decoder) throws {
    self.init()
    guard try !decoder.singleValueContainer().decodeNil() else {
      throw DecodingError.valueNotFound(
        Object.self,
        .init(codingPath: decoder.codingPath, debugDescription: "An UnownedCycleBreaker needs an object."))
    }
    try decoder.cycleBreaking.decodeBreakingCycles(Object.self) {
      [box] in
      box.object = $0
    } isHeld: { [weak box] in
      guard let box else { return true }
      return box.object != nil
    }
  }
}
