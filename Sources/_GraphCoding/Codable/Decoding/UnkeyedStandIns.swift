import _GraphSupport

// Replaces the decoding of sets and dictionaries from unkeyed containers. The standard library's initializers would insert
// elements one by one without counting their hashes: see `HashTally`.

/// The elements of a set.
struct UnkeyedElements<Element: Decodable>: Decodable {
  private(set) var elements: [Element] = []

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
  }
}

/// The keys and values of a dictionary, in turn.
struct UnkeyedPairs<Key: Decodable, Value: Decodable>: Decodable {
  private(set) var keys: [Key] = []
  private(set) var values: [Value] = []

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    if let count = container.count, !count.isMultiple(of: 2) {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "there are \(count) keys and values of a dictionary")
    }
    while !container.isAtEnd {
      keys.append(try container.decode(Key.self))
      guard !container.isAtEnd else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "the last key of a dictionary has no value")
      }
      values.append(try container.decode(Value.self))
    }
  }
}
