/// Decodes what ``CyclicEncoder`` has made, with the identity of its objects.
///
///     let flattened = try JSONDecoder().decode(FlattenedContainer.self, from: data)
///     let document = try CyclicDecoder().decode(Document.self, from: flattened)
public final class CyclicDecoder {
  /// What `init(from:)` finds in the decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: Any] = [:]

  /// Makes a decoder.
  public init() {}

  /// Decodes a value.
  ///
  /// Objects are decoded inside each other, since an `init(from:)` needs those that it asks for: up to 131,072
  /// levels, of which some continue on another thread while this one waits. The objects of cycle breakers come
  /// at the end, when what was asked for has been decoded.
  ///
  /// - Complexity: linear in the number of values and references.
  /// - Throws: what an `init(from:)` throws, and `DecodingError`: something else is stored than what is asked
  ///   for, an object refers to itself without a cycle breaker, or nothing holds the object of an
  ///   ``UnownedCycleBreaker``; a type follows references by nested containers until the stack ends, or some ten
  ///   thousand times and 64 times for each node of the graph. What has failed to be made of an object fails another
  ///   time with the same error, unless a cycle or the depth was the reason.
  public func decode<Value: Decodable>(_ type: Value.Type, from container: FlattenedContainer) throws -> Value
  {
    try Unflattening(container.graph, userInfo: userInfo).decode(type)
  }
}
