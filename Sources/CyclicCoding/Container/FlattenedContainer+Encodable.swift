extension FlattenedContainer {
  enum CodingKeys: CodingKey {
    case referenced, root
  }
}

extension FlattenedContainer: Encodable {
  /// Encodes the tree; each key is tagged with the type of its value.
  ///
  /// Do not set a key strategy such as `JSONEncoder.keyEncodingStrategy`: it would change the keys of the encoded types,
  /// and their tags.
  ///
  /// - Throws: Any error that `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let writer = NodeWriter(graph: graph)
    for (key, node) in [
      (CodingKeys.referenced, Node.unkeyed(UnkeyedNode(graph.referenced))), (.root, graph.shown(graph.root)),
    ] {
      var nested = container.nestedContainer(keyedBy: TaggedKey.self, forKey: key)
      let kind = TypeTag(of: node, in: graph)
      try writer.write(node, as: kind, below: TaggedKey(element: kind), in: &nested)
    }
  }
}

/// Stores the nodes of a graph with an encoder.
///
/// Its methods take nodes as they are shown, not inline objects.
private struct NodeWriter {
  let graph: FlatGraph

  func write(
    _ node: Node, as kind: TypeTag, below key: TaggedKey,
    in container: inout KeyedEncodingContainer<TaggedKey>
  ) throws {
    switch node {
    case .null: try container.encodeNil(forKey: key)
    case .bool(let value): try container.encode(value, forKey: key)
    case .int(let value): try container.encode(value, forKey: key)
    case .uint(let value): try container.encode(value, forKey: key)
    case .wideInteger(let digits): try container.encode(digits, forKey: key)
    case .float(let value): try container.encode(value, forKey: key)
    case .double(let value): try container.encode(value, forKey: key)
    case .string(let value): try container.encode(value, forKey: key)
    case .data(let value): try container.encode(value, forKey: key)
    case .object(let number): try container.encode(graph.index(of: number), forKey: key)
    case .keyed(let node):
      var nested = container.nestedContainer(keyedBy: TaggedKey.self, forKey: key)
      try write(node, in: &nested)
    case .unkeyed(let node):
      var nested = container.nestedUnkeyedContainer(forKey: key)
      for element in node.elements { try write(graph.shown(element), as: kind.content, in: &nested) }
    }
  }

  private func write(_ node: KeyedNode, in container: inout KeyedEncodingContainer<TaggedKey>) throws {
    for (name, value) in zip(node.names, node.values) {
      let value = graph.shown(value)
      let kind = TypeTag(of: value, in: graph)
      try write(value, as: kind, below: TaggedKey(name, kind), in: &container)
    }
  }

  private func write(
    _ element: Node, as content: TypeTag.Content, in container: inout any UnkeyedEncodingContainer
  ) throws {
    guard content != .mixed else {
      var wrapper = container.nestedContainer(keyedBy: TaggedKey.self)
      let kind = TypeTag(of: element, in: graph)
      return try write(element, as: kind, below: TaggedKey(element: kind), in: &wrapper)
    }
    switch element {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .uint(let value): try container.encode(value)
    case .wideInteger(let digits): try container.encode(digits)
    case .float(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .object(let number): try container.encode(graph.index(of: number))
    case .keyed(let node):
      var nested = container.nestedContainer(keyedBy: TaggedKey.self)
      try write(node, in: &nested)
    case .unkeyed: break  // Lists in lists are mixed.
    }
  }
}
