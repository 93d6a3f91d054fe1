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
/// While its type is being decoded it is empty: the object is put in when all objects have been decoded. It
/// does not keep the object alive; something else that was encoded has to.
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

  /// The object, if there is one that lives.
  public subscript() -> Object? {
    get { box.object }
    set { box = Box(newValue) }
  }
}

extension WeakCycleBreaker: Encodable where Object: Encodable {
  /// Encodes the reference, or nil where there is no object.
  ///
  /// - Throws: `EncodingError.invalidValue` where there is an object and `encoder` knows no cycle breakers.
  public func encode(to encoder: any Encoder) throws {
    guard let object = box.object else {
      var container = encoder.singleValueContainer()
      return try container.encodeNil()
    }
    try encoder.cycleBreaking(object).encodeBreakingCycles(object)
  }
}

extension WeakCycleBreaker: Decodable where Object: Decodable {
  /// Makes an empty reference that will be filled when all objects have been decoded.
  ///
  /// - Throws: `DecodingError.dataCorrupted` where there is something and `decoder` knows no cycle breakers.
  public init(from decoder: any Decoder) throws {
    self.init()
    guard try !decoder.singleValueContainer().decodeNil() else { return }
    try decoder.cycleBreaking.decodeBreakingCycles(
      Object.self, set: { [box] in box.object = $0 }, isHeld: nil)
  }
}

extension Encoder {
  /// The encoder, if it knows what a cycle breaker is.
  func cycleBreaking(_ object: Any) throws -> any CycleBreakingEncoder {
    guard let encoder = self as? any CycleBreakingEncoder else {
      throw EncodingError.invalidValue(
        object,
        .init(
          codingPath: codingPath,
          debugDescription: "Cycle breakers are encoded by CyclicEncoder and GraphEncoder."))
    }
    return encoder
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
            debugDescription: "Cycle breakers are decoded by CyclicDecoder and GraphDecoder."))
      }
      return decoder
    }
  }
}
