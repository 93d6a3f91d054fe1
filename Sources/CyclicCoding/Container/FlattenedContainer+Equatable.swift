extension FlattenedContainer: Equatable {
  /// Returns whether two containers have equal roots and objects.
  ///
  /// The order of keys does not matter. The order of objects does: it is the order in which they were encoded.
  ///
  /// - Complexity: O(*n*), where *n* is the number of values.
  public static func == (left: FlattenedContainer, right: FlattenedContainer) -> Bool {
    if left.graph === right.graph { return true }
    let comparison = NodeComparison(left: left.graph, right: right.graph)
    return comparison.areEqual(left.graph.referenced, right.graph.referenced)
      && comparison.areEqual(left.graph.root, right.graph.root)
  }
}

/// Compares nodes of two graphs by what they show.
///
/// Recursion is safe here because pieces are at most a few hundred levels deep.
private struct NodeComparison {
  let left: FlatGraph
  let right: FlatGraph

  func areEqual(_ leftNode: Node, _ rightNode: Node) -> Bool {
    switch (left.shown(leftNode), right.shown(rightNode)) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.int(let one), .int(let other)): one == other
    case (.uint(let one), .uint(let other)): one == other
    case (.wideInteger(let one), .wideInteger(let other)): one == other
    case (.float(let one), .float(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.string(let one), .string(let other)): one == other
    case (.data(let one), .data(let other)): one == other
    case (.object(let one), .object(let other)): left.index(of: one) == right.index(of: other)
    case (.unkeyed(let one), .unkeyed(let other)): areEqual(one.elements, other.elements)
    case (.keyed(let one), .keyed(let other)): areEqual(one, other)
    default: false
    }
  }

  func areEqual(_ leftNodes: [Node], _ rightNodes: [Node]) -> Bool {
    leftNodes.count == rightNodes.count && zip(leftNodes, rightNodes).allSatisfy(areEqual)
  }

  private func areEqual(_ one: KeyedNode, _ other: KeyedNode) -> Bool {
    guard one.names != other.names else { return areEqual(one.values, other.values) }
    guard one.names.count == other.names.count else { return false }
    let others = Dictionary(zip(other.names, other.values)) { _, last in last }
    return zip(one.names, one.values).allSatisfy { name, value in
      others[name].map { areEqual(value, $0) } ?? false
    }
  }
}
