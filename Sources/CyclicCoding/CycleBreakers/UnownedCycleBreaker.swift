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
/// While its type is being decoded it is empty: the object is put in when all objects have been decoded. It
/// does not keep the object alive; something else that was encoded has to.
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
  /// - Precondition: there is one, and it lives. There is none in an `init(from:)`, neither where the reference
  ///   was made empty and not set.
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
  /// - Throws: `EncodingError.invalidValue` where there is no object, and where `encoder` knows no cycle
  ///   breakers.
  public func encode(to encoder: any Encoder) throws {
    guard let object = box.object else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription:
            "The UnownedCycleBreaker has no object: it has not been set, or its object is gone."))
    }
    try encoder.cycleBreaking(object).encodeBreakingCycles(object)
  }
}

extension UnownedCycleBreaker: Decodable where Object: Decodable {
  /// Makes an empty reference that will be filled when all objects have been decoded.
  ///
  /// Decoding as a whole fails where nothing keeps the object alive in the end.
  ///
  /// - Throws: `DecodingError`: there is nothing, or `decoder` knows no cycle breakers.
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
