import Foundation

extension FlattenedContainer: Decodable {
  /// Decodes a tree that was stored by `encode(to:)`.
  ///
  /// - Throws: `DecodingError` if the contents are not a flattened container, are nested too deeply, or refer to an
  ///   object that is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var reader = NodeReader()
    let nodes = try [CodingKeys.referenced, .root].map { key in
      try reader.readOnly(container.nestedContainer(keyedBy: TaggedKey.self, forKey: key))
    }
    guard case .unkeyed(let referenced) = nodes[0] else {
      throw DecodingError.dataCorruptedError(
        forKey: .referenced, in: container, debugDescription: "The referenced objects must be a list.")
    }
    guard reader.highestReference < referenced.elements.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .referenced, in: container,
        debugDescription: "The reference #\(reader.highestReference) leads outside the list of "
          + "\(referenced.elements.count) objects.")
    }
    graph = FlatGraph(
      root: nodes[1], contents: referenced.elements,
      isInline: [Bool](repeating: false, count: referenced.elements.count))
  }
}

/// Reads the nodes of a graph from a decoder.
private struct NodeReader {
  private(set) var highestReference: Int32 = -1
  private var predictions = KeyPredictions()
  private var depth = 0

  /// Twice the depth of anything that is stored: an object that deep in a piece may be as deep itself.
  private static let maximumDepth = 4 * NodeEncoder.maximumDepth

  /// Reads the only value of a container.
  mutating func readOnly(_ container: KeyedDecodingContainer<TaggedKey>) throws -> Node {
    let keys = container.allKeys
    guard let key = keys.first, keys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "One value tagged with its type was expected; there are \(keys.count)."))
    }
    return try read(key, in: container)
  }

  private mutating func read(_ key: TaggedKey, in container: KeyedDecodingContainer<TaggedKey>) throws -> Node
  {
    guard let kind = key.kind else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "The key has no known type tag.")
    }
    guard !kind.isList else {
      return try nested(at: container.codingPath) {
        var nested = try container.nestedUnkeyedContainer(forKey: key)
        return try $0.read(&nested, of: kind.content)
      }
    }
    switch kind.content {
    case .null, .mixed: return .null
    case .bool: return .bool(try container.decode(Bool.self, forKey: key))
    case .int: return .int(try container.decode(Int64.self, forKey: key))
    case .uint: return .uint(try container.decode(UInt64.self, forKey: key))
    case .wideInteger: return .wideInteger(try container.decode(String.self, forKey: key))
    case .float: return .float(try container.decode(Float.self, forKey: key))
    case .double: return .double(try container.decode(Double.self, forKey: key))
    case .string: return .string(try container.decode(String.self, forKey: key))
    case .data: return .data(try container.decode(Data.self, forKey: key))
    case .reference: return try reference(container.decode(Int32.self, forKey: key), at: container.codingPath)
    case .keyed:
      return try nested(at: container.codingPath) {
        try $0.read(container.nestedContainer(keyedBy: TaggedKey.self, forKey: key))
      }
    }
  }

  private mutating func read(_ container: KeyedDecodingContainer<TaggedKey>) throws -> Node {
    let node = KeyedNode()
    for key in container.allKeys {
      guard let name = key.name else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "The key has no type tag.")
      }
      node.set(try read(key, in: container), for: name, predictions: &predictions)
    }
    node.finish(predictions: &predictions)
    if let key = node.ambiguousKey {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: KeyedNode.ambiguity(of: key)))
    }
    return .keyed(node)
  }

  private mutating func read(
    _ container: inout any UnkeyedDecodingContainer, of content: TypeTag.Content
  ) throws -> Node {
    let node = UnkeyedNode()
    while !container.isAtEnd { node.append(try readElement(&container, of: content)) }
    return .unkeyed(node)
  }

  private mutating func readElement(
    _ container: inout any UnkeyedDecodingContainer, of content: TypeTag.Content
  ) throws -> Node {
    switch content {
    case .null:
      guard try container.decodeNil() else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "Only null was expected here.")
      }
      return .null
    case .bool: return .bool(try container.decode(Bool.self))
    case .int: return .int(try container.decode(Int64.self))
    case .uint: return .uint(try container.decode(UInt64.self))
    case .wideInteger: return .wideInteger(try container.decode(String.self))
    case .float: return .float(try container.decode(Float.self))
    case .double: return .double(try container.decode(Double.self))
    case .string: return .string(try container.decode(String.self))
    case .data: return .data(try container.decode(Data.self))
    case .reference: return try reference(container.decode(Int32.self), at: container.codingPath)
    case .mixed: return try readOnly(container.nestedContainer(keyedBy: TaggedKey.self))
    case .keyed:
      let nested = try container.nestedContainer(keyedBy: TaggedKey.self)
      return try self.nested(at: container.codingPath) { try $0.read(nested) }
    }
  }

  private mutating func reference(_ index: Int32, at path: @autoclosure () -> [any CodingKey]) throws -> Node
  {
    guard index >= 0 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path(), debugDescription: "A reference must not be negative: \(index)."))
    }
    highestReference = max(highestReference, index)
    return .object(index)
  }

  private mutating func nested(
    at path: @autoclosure () -> [any CodingKey], _ body: (inout NodeReader) throws -> Node
  ) throws -> Node {
    guard depth < Self.maximumDepth else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path(), debugDescription: "Values are nested more than \(depth) levels deep."))
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}
