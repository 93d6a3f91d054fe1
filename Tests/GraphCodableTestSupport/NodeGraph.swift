import GraphCodable

/// A node with edges of every kind.
package class GraphNode: GCodable {
  package let label: Int
  // Edges that are decoded at once; they must not form a cycle.
  package var next: GraphNode?
  package var links: [GraphNode?] = []
  package var named: [String: GraphNode] = [:]
  package var wrapped: [Wrapper] = []
  // Edges that may lead anywhere.
  package var deferred: [GraphNode] = []
  package weak var parent: GraphNode?
  /// Encoded conditionally, decoded once all objects stand.
  package weak var observed: GraphNode?

  package init(_ label: Int) { self.label = label }

  package required init(from decoder: GDecoder) throws {
    label = try decoder.decode(for: Letter.a)
    try decoder.deferDecode(for: Letter.o) { self.observed = $0 }
    links = try decoder.decode(for: Letter.l)
    named = try decoder.decode(for: Letter.d)
    next = try decoder.decodeIfPresent(for: Letter.n)
    try decoder.deferDecode(for: Letter.z) { self.deferred = $0 }
    wrapped = try decoder.decode(for: Letter.w)
    try decoder.deferDecode(for: Letter.p) { self.parent = $0 }
  }

  package func encode(to encoder: GEncoder) throws {
    try encoder.encode(label, for: Letter.a)
    try encoder.encodeIfPresent(next, for: Letter.n)
    try encoder.encode(links, for: Letter.l)
    try encoder.encode(named, for: Letter.d)
    try encoder.encode(wrapped, for: Letter.w)
    try encoder.encode(deferred, for: Letter.z)
    try encoder.encodeConditional(parent, for: Letter.p)
    try encoder.encodeConditional(observed, for: Letter.o)
  }

  /// The values of the node itself, for comparison.
  package var values: [String] { ["\(label)"] }
}

/// A subclass with values of its own, encoded without keys.
package final class RichNode: GraphNode {
  package var numbers: [Double]
  package var tags: Set<GraphNode.Tag> = []

  package override init(_ label: Int) {
    numbers = (0..<(label % 5)).map { Double($0) / 3 }
    super.init(label)
  }

  package required init(from decoder: GDecoder) throws {
    numbers = try decoder.decode()
    tags = try decoder.decode()
    try super.init(from: decoder)
  }

  package override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(numbers)
    try encoder.encode(tags)
  }

  package override var values: [String] {
    super.values + ["rich", "\(numbers)"] + tags.map { "\($0.text)" }.sorted()
  }
}

/// A subclass without a field of its own.
package final class PlainSubnode: GraphNode {}

extension GraphNode {
  package struct Tag: GCodable, Hashable {
    package var text: String
    package init(_ text: String) { self.text = text }
    package init(from decoder: GDecoder) throws { text = try decoder.decode() }
    package func encode(to encoder: GEncoder) throws { try encoder.encode(text) }
  }

  /// A value with an identity, or without one, around a node.
  package struct Wrapper: GCodable, GIdentifiable {
    package let gcodableID: Int?
    package var text: String
    package var node: GraphNode?

    package init(_ gcodableID: Int?, _ text: String, _ node: GraphNode?) {
      (self.gcodableID, self.text, self.node) = (gcodableID, text, node)
    }

    package init(from decoder: GDecoder) throws {
      node = try decoder.decode(for: Letter.n)
      text = try decoder.decode(for: Letter.t)
      gcodableID = try decoder.decode(for: Letter.i)
    }

    package func encode(to encoder: GEncoder) throws {
      try encoder.encode(gcodableID, for: Letter.i)
      try encoder.encode(text, for: Letter.t)
      try encoder.encode(node, for: Letter.n)
    }
  }
}

/// A root with all nodes that were made for it, some of which may not be reachable.
package final class NodeGraph {
  package let root: GraphNode
  package let all: [GraphNode]

  package init(root: GraphNode, all: [GraphNode]) { (self.root, self.all) = (root, all) }

  /// All nodes that can be reached from a root.
  package convenience init(root: GraphNode) {
    var all = [root]
    var seen: Set = [ObjectIdentifier(root)]
    var index = 0
    while index < all.count {
      for node in all[index].strongEdges.compactMap({ $0 }) where seen.insert(ObjectIdentifier(node)).inserted
      {
        all.append(node)
      }
      index += 1
    }
    self.init(root: root, all: all)
  }

  /// Removes all edges, so that cycles and chains are released one node at a time.
  package func breakUp() {
    for node in all {
      node.next = nil
      node.links = []
      node.named = [:]
      node.wrapped = []
      node.deferred = []
    }
  }
}

extension GraphNode {
  /// The nodes behind edges that are encoded unconditionally, in the same order for equal graphs.
  package var strongEdges: [GraphNode?] {
    [next] + links + named.sorted { $0.key < $1.key }.map(\.value) + wrapped.map(\.node) + deferred
  }

  /// What the edges look like without their targets.
  package var edgeNames: [String] {
    ["\(links.count)", "\(deferred.count)"] + named.keys.sorted()
      + wrapped.map { "\($0.text) \($0.gcodableID.map(String.init) ?? "-")" }
  }
}

/// The first difference between two graphs; nil where each node of one has exactly one counterpart in the
/// other with the same class, values and edges.
///
/// A weak edge of the original to a node that its root does not reach must be nil in the copy.
package func difference(original: GraphNode, copy: GraphNode) -> String? {
  var counterparts = [ObjectIdentifier(original): ObjectIdentifier(copy)]
  var originals = [ObjectIdentifier(copy): ObjectIdentifier(original)]
  var pairs = [(original, copy)]
  var next = 0
  while next < pairs.count {
    let (one, other) = pairs[next]
    next += 1
    guard type(of: one) == type(of: other) else { return "\(type(of: one)) became \(type(of: other))" }
    guard one.values == other.values else { return "\(one.values) became \(other.values)" }
    guard one.edgeNames == other.edgeNames else { return "edges \(one.edgeNames) became \(other.edgeNames)" }
    for case (let target?, let copied) in zip(one.strongEdges, other.strongEdges) {
      guard let copied else { return "an edge of node \(one.label) became nil" }
      let (targetID, copiedID) = (ObjectIdentifier(target), ObjectIdentifier(copied))
      if counterparts[targetID] == nil, originals[copiedID] == nil {
        (counterparts[targetID], originals[copiedID]) = (copiedID, targetID)
        pairs.append((target, copied))
      } else if counterparts[targetID] != copiedID || originals[copiedID] != targetID {
        return "node \(target.label) has two counterparts, or shares one"
      }
    }
    for case (nil, let copied?) in zip(one.strongEdges, other.strongEdges) {
      return "nil of node \(one.label) became \(copied.label)"
    }
  }
  for (one, other) in pairs {
    for (weak, copied) in [(one.parent, other.parent), (one.observed, other.observed)] {
      let expected = weak.flatMap { counterparts[ObjectIdentifier($0)] }
      guard expected == copied.map(ObjectIdentifier.init) else {
        return "a weak edge of node \(one.label) is \(copied.map { "\($0.label)" } ?? "nil")"
      }
    }
  }
  return nil
}
