/// An encoder that preserves the identity of objects in `Codable` values.
///
/// It produces a ``FlattenedContainer``, which any other encoder can store:
///
///     let flattened = try CyclicEncoder().flatten(document)
///     let data = try JSONEncoder().encode(flattened)
///
/// An object with several references to it is encoded once. References may form a cycle if one of them is a
/// ``WeakCycleBreaker`` or an ``UnownedCycleBreaker``.
public final class CyclicEncoder {
  /// Contextual information for the `encode(to:)` methods, as in other encoders.
  public var userInfo: [CodingUserInfoKey: Any] = [:]

  /// Creates an encoder.
  public init() {}

  /// Flattens a value and everything it refers to.
  ///
  /// An object's `encode(to:)` runs after that of the object that refers to it, so chains of references can have any
  /// length. All other values are encoded recursively, up to 131,072 levels deep. Where a thread's stack does not
  /// suffice, encoding continues on another thread while this one waits.
  ///
  /// - Parameter value: The value to encode.
  /// - Returns: The value as a tree, with numbered references to shared objects.
  /// - Throws: `EncodingError.invalidValue` if references form a cycle without a cycle breaker, if values are nested too
  ///   deeply, if a class adds stored properties and does not override `encode(to:)` (see ``InheritsCoding``), if keys of a
  ///   container are canonically equivalent, or if an `encode(to:)` mixes kinds of containers; any error that an `encode(to:)` throws.
  /// - Complexity: O(*n*), where *n* is the number of values and references.
  public func flatten<Value: Encodable>(_ value: Value) throws -> FlattenedContainer {
    FlattenedContainer(graph: try Flattening(userInfo: userInfo).flatten(value))
  }
}
