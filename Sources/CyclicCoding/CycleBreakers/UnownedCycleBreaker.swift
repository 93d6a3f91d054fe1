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
/// A breaker is empty during `init(from:)`, and is filled when all objects have been decoded. It does not keep its
/// object alive, so the encoded graph must contain another reference to it.
///
/// Other encoders, such as `JSONEncoder`, encode the object in place of the breaker. Other decoders cannot decode it,
/// because nothing would keep the object alive.
public struct UnownedCycleBreaker<Object: AnyObject> {
  /// Shared with copies that were made before decoding has ended, which are filled with it.
  private var box: Box

  private final class Box {
    /// Weak, so that coders can tell that the object is gone.
    weak var object: Object?

    init(_ object: Object?) { self.object = object }
  }

  /// Creates a reference to an object.
  public init(_ object: Object) {
    box = Box(object)
  }

  /// Creates a reference that is empty until it is set.
  public init() {
    box = Box(nil)
  }

  /// The object.
  ///
  /// - Precondition: An object has been set or decoded, and is alive. During `init(from:)` the reference is empty.
  public subscript() -> Object {
    get {
      guard let object = box.object else {
        preconditionFailure(
          "This UnownedCycleBreaker<\(Object.self)> has no object: it is used during init(from:), has not been set, "
            + "or its object has been deallocated.")
      }
      return object
    }
    set { box = Box(newValue) }
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
    try decoder.cycleBreaking.decodeBreakingCycles(Object.self) {
      [box] in
      box.object = $0
    } isHeld: { [weak box] in
      guard let box else { return true }
      return box.object != nil
    }
  }
}
