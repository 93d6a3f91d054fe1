/// A decoder for the values that ``CyclicEncoder`` has flattened.
///
/// It restores the identity of objects: references to one object are decoded as references to one object.
///
///     let flattened = try JSONDecoder().decode(FlattenedContainer.self, from: data)
///     let document = try CyclicDecoder().decode(Document.self, from: flattened)
public final class CyclicDecoder {
  /// Contextual information for the `init(from:)` initializers, as in other decoders.
  public var userInfo: [CodingUserInfoKey: Any] = [:]

  /// Creates a decoder.
  public init() {}

  /// Decodes a value and everything it refers to.
  ///
  /// An `init(from:)` needs the objects that it asks for, so objects are decoded recursively, up to 131,072 levels
  /// deep. Where a thread's stack does not suffice, decoding continues on another thread while this one waits. The
  /// objects of cycle breakers are decoded last.
  ///
  /// The path of an error has at most 512 keys. If an object could not be decoded as some type, asking for it again
  /// throws the same error, unless a cycle or the depth was the reason.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - container: The flattened value.
  /// - Returns: The value.
  /// - Throws: `DecodingError` if the container holds something else, if an object refers to itself without a cycle
  ///   breaker, if nothing keeps the object of an ``UnownedCycleBreaker`` alive, if objects are nested too deeply, or
  ///   if a type looks through references with nested containers more often than any graph without a cycle calls for;
  ///   any error that an `init(from:)` throws.
  /// - Complexity: O(*n*), where *n* is the number of values and references.
  public func decode<Value: Decodable>(_ type: Value.Type, from container: FlattenedContainer) throws -> Value
  {
    try Unflattening(container.graph, userInfo: userInfo).decode(type)
  }
}
