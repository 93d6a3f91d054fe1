import GraphCodable

// Values between the nodes of a model graph.

/// A value around a node, hashed by what the node decodes first.
package struct Labelled: GCodable, Hashable {
  package let node: ModelNode

  package init(_ node: ModelNode) { self.node = node }
  package init(from decoder: GDecoder) throws { node = try decoder.decode() }
  package func encode(to encoder: GEncoder) throws { try encoder.encode(node) }

  package static func == (lhs: Labelled, rhs: Labelled) -> Bool { lhs.node.label == rhs.node.label }
  package func hash(into hasher: inout Hasher) { hasher.combine(node.label) }
}

/// An enum whose cases hold nodes in several ways.
package enum Choice: GCodable {
  case nothing
  case node(ModelNode, weight: Double)
  case nodes([ModelNode])
  case box(SharedBox)

  package init(from decoder: GDecoder) throws {
    if let weight = try decoder.decodeIfPresent(Double.self, for: Letter.w) {
      self = try .node(decoder.decode(for: Letter.n), weight: weight)
    } else if try decoder.contains(Letter.l) {
      self = try .nodes(decoder.decode(for: Letter.l))
    } else {
      self = try decoder.decodeIfPresent(SharedBox.self, for: Letter.b).map(Choice.box) ?? .nothing
    }
  }

  package func encode(to encoder: GEncoder) throws {
    switch self {
    case .nothing: break
    case .node(let node, let weight):
      try encoder.encode(node, for: Letter.n)
      try encoder.encode(weight, for: Letter.w)
    case .nodes(let nodes): try encoder.encode(nodes, for: Letter.l)
    case .box(let box): try encoder.encode(box, for: Letter.b)
    }
  }

  package var parts: [Part] {
    switch self {
    case .nothing: [.value("nothing")]
    case .node(let node, let weight): [.value("node \(weight.bitPattern)"), .edge(node)]
    case .nodes(let nodes): nodes.map(Part.edge) + [.value("nodes \(nodes.count)")]
    case .box(let box): box.parts
    }
  }
}

/// A value around storage that its copies share; with the identity of that storage, or with none.
package struct SharedBox: GCodable, GIdentifiable {
  package final class Content: ModelVertex {
    package let text: String
    package let node: ModelNode?
    package let inner: [SharedBox]

    init(_ text: String, _ node: ModelNode?, _ inner: [SharedBox]) {
      (self.text, self.node, self.inner) = (text, node, inner)
    }

    package var parts: [Part] {
      [.value("\(Array(text.utf8))"), .edge(node), .value("\(inner.count)")] + inner.flatMap(\.parts)
    }
  }

  package let content: Content
  private let isIdentified: Bool

  package var gcodableID: ObjectIdentifier? { isIdentified ? ObjectIdentifier(content) : nil }

  package init(_ text: String, _ node: ModelNode?, _ inner: [SharedBox] = [], isIdentified: Bool = true) {
    (content, self.isIdentified) = (Content(text, node, inner), isIdentified)
  }

  private enum Key: String { case text, node, inner, isIdentified }

  package init(from decoder: GDecoder) throws {
    let inner = try decoder.decode([SharedBox].self, for: Key.inner)
    content = try Content(decoder.decode(for: Key.text), decoder.decode(for: Key.node), inner)
    isIdentified = try decoder.decode(for: Key.isIdentified)
  }

  package func encode(to encoder: GEncoder) throws {
    try encoder.encode(isIdentified, for: Key.isIdentified)
    try encoder.encode(content.text, for: Key.text)
    try encoder.encode(content.node, for: Key.node)
    try encoder.encode(content.inner, for: Key.inner)
  }

  /// The storage as something that may be shared, or what it holds.
  package var parts: [Part] {
    isIdentified ? [.value("shared"), .edge(content)] : [.value("not shared")] + content.parts
  }

  /// The same where the box is encoded conditionally, which it is only if it has an identity.
  package var glimpsedParts: [Part] { isIdentified ? [.conditional(content)] : content.parts }
}
