// Sets and dictionaries: their own initializers would hash elements unwatched.

/// A container that hashes its elements or keys.
protocol HashedContainer: Decodable {
  /// Decodes it as its own `init(from:)` does, and watches its hashes.
  init(watchedBy unflattening: Unflattening, from decoder: NodeDecoder) throws
}

extension Set: HashedContainer where Element: Decodable {
  init(watchedBy unflattening: Unflattening, from decoder: NodeDecoder) throws {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    elements.reserveCapacity(container.count ?? 0)
    while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
    self = unflattening.hashing(elements, at: decoder) { isEmpty in isEmpty ? [] : Set(elements) }
  }
}

extension Dictionary: HashedContainer where Key: Decodable, Value: Decodable {
  init(watchedBy unflattening: Unflattening, from decoder: NodeDecoder) throws {
    if Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type {
      self = try .init(from: decoder)
      return
    }
    var container = try decoder.unkeyedContainer()
    if let count = container.count, !count.isMultiple(of: 2) {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "There are \(count) keys and values; the last key has no value.")
    }
    var (keys, values): ([Key], [Value]) = ([], [])
    while !container.isAtEnd {
      keys.append(try container.decode(Key.self))
      values.append(try container.decode(Value.self))
    }
    self = unflattening.hashing(keys, at: decoder) { isEmpty in
      isEmpty ? [:] : Dictionary(zip(keys, values)) { _, last in last }
    }
  }
}

extension NodeDecoder {
  /// Whether the list of this decoder has values that may lead to breakers.
  var hasContainersInside: Bool {
    guard let contents = try? unflattening.contents(of: node, at: self), case .unkeyed(let list) = contents
    else {
      return true
    }
    return list.elements.contains { element in
      if case .object = element { true } else { element.isContainer }
    }
  }
}
