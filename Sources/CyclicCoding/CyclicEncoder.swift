/// Encodes `Codable` values with the identity of their objects.
///
/// What it makes is a ``FlattenedContainer``, which any other coder can store:
///
///     let flattened = try CyclicEncoder().flatten(document)
///     let data = try JSONEncoder().encode(flattened)
///
/// An object that the value leads to in several ways is encoded once. References may go back to objects that
/// they come from where a ``WeakCycleBreaker`` or an ``UnownedCycleBreaker`` is in between.
public final class CyclicEncoder {
  /// What `encode(to:)` finds in the encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: Any] = [:]

  /// Makes an encoder.
  public init() {}

  /// Encodes a value and all that it leads to.
  ///
  /// The `encode(to:)` of an object runs when that of the object that refers to it has returned. So a chain of
  /// references may be of any length. Values (all that is no instance of a class) are encoded inside each
  /// other, up to 131,072 levels; some of them continue on another thread while this one waits.
  ///
  /// - Complexity: linear in the number of values and references.
  /// - Throws: what an `encode(to:)` throws, and `EncodingError.invalidValue` for references that make a cycle
  ///   without a cycle breaker, for values that nest too deeply and for an `encode(to:)` that mixes kinds of
  ///   containers.
  public func flatten<Value: Encodable>(_ value: Value) throws -> FlattenedContainer {
    FlattenedContainer(graph: try Flattening(userInfo: userInfo).flatten(value))
  }
}
