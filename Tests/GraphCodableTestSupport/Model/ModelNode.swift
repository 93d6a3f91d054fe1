import GraphCodable

/// A node of the model graphs: it has an edge of every kind, and values.
package class ModelNode: GCodable, Hashable, ModelVertex {
  /// Unique in its graph.
  package let label: Int
  package let style: Style

  // Edges that are decoded at once; they must not form a cycle.
  package var next: ModelNode?
  package var links: [ModelNode?] = []
  package var nested: [[ModelNode]?] = []
  package var named: [String: ModelNode] = [:]
  package var members: Set<ModelNode> = []
  package var numbered: [Labelled: Int] = [:]
  package var choice = Choice.nothing
  package var boxes: [SharedBox] = []
  package var leaves: [ModelLeaf] = []
  // Edges that are deferred; they may lead anywhere.
  package var peer: ModelNode?
  package var others: [ModelNode] = []
  package var otherMembers: Set<ModelNode> = []
  package var otherBoxes: [SharedBox] = []
  // Edges that are deferred and encoded conditionally: nil where nothing else leads there.
  package weak var parent: ModelNode?
  package unowned var owner: ModelNode?
  package var glimpsed: SharedBox?

  package var values: [ModelValue] = []

  /// Fields that this node has deferred, less those that have been set.
  private var waitingCount = 0

  package init(_ label: Int, _ style: Style = Style(0)) { (self.label, self.style) = (label, style) }

  /// The keys of a node's fields, except for those that come first.
  package enum Field: String, CaseIterable {
    case next, links, nested, named, members, numbered, choice, boxes, leaves
    case peer, others, otherMembers, otherBoxes
    case parent, owner, glimpsed
    case values
  }

  package class var typeVersion: UInt32 { 1 }

  private enum FirstKey: String { case label, style }

  package required init(from decoder: GDecoder) throws {
    label = try decoder.decode(for: FirstKey.label)
    style = try Style(decoder.decode(for: FirstKey.style))
    for field in style.decodingOrder where try !style.isSparse || decoder.contains(field) {
      try decode(field, from: decoder)
    }
  }

  package func encode(to encoder: GEncoder) throws {
    try encoder.encode(label, for: FirstKey.label)
    try encoder.encode(style.rawValue, for: FirstKey.style)
    for field in style.encodingOrder where !style.isSparse || !isEmpty(field) {
      try encode(field, to: encoder)
    }
  }

  package static func == (lhs: ModelNode, rhs: ModelNode) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// What a copy must have, too.
  package var parts: [Part] {
    func byLabel(_ nodes: Set<ModelNode>) -> [Part] {
      nodes.sorted { $0.label < $1.label }.map(Part.edge) + [.value("\(nodes.count)")]
    }
    var parts: [Part] = [.value("\(type(of: self)) \(label) \(style.rawValue) \(waitingCount)"), .edge(next)]
    parts += links.map(Part.edge) + [.value("\(links.count)")]
    parts += nested.flatMap { ($0 ?? []).map(Part.edge) + [.value("\($0?.count ?? -1)")] }
    parts += named.sorted { $0.key < $1.key }.flatMap { [.value($0.key), .edge($0.value)] }
    parts += byLabel(members)
    parts += numbered.sorted { $0.value < $1.value }.flatMap { [.value("\($0.value)"), .edge($0.key.node)] }
    parts += choice.parts + boxes.flatMap(\.parts) + leaves.map(Part.edge)
    parts += [.edge(peer)] + others.map(Part.edge) + byLabel(otherMembers) + otherBoxes.flatMap(\.parts)
    parts += [.conditional(parent), .conditional(owner)] + (glimpsed?.glimpsedParts ?? [.conditional(nil)])
    parts += values.map { .value($0.fingerprint) }
    return parts
  }

  /// Removes all edges, so that cycles and chains are released one node at a time.
  package func clear() {
    (next, links, nested, named, members, numbered) = (nil, [], [], [:], [], [:])
    (choice, boxes, leaves) = (.nothing, [], [])
    (peer, others, otherMembers, otherBoxes) = (nil, [], [], [])
    (owner, glimpsed) = (nil, nil)
  }
}

// MARK: - Fields

extension ModelNode {
  /// Fields that lead somewhere or hold something.
  package var filledFields: [Field] { Field.allCases.filter { !isEmpty($0) } }

  private func isEmpty(_ field: Field) -> Bool {
    switch field {
    case .next: next == nil
    case .links: links.isEmpty
    case .nested: nested.isEmpty
    case .named: named.isEmpty
    case .members: members.isEmpty
    case .numbered: numbered.isEmpty
    case .choice: false
    case .boxes: boxes.isEmpty
    case .leaves: leaves.isEmpty
    case .peer: peer == nil
    case .others: others.isEmpty
    case .otherMembers: otherMembers.isEmpty
    case .otherBoxes: otherBoxes.isEmpty
    case .parent: parent == nil
    case .owner: owner == nil
    case .glimpsed: glimpsed == nil
    case .values: values.isEmpty
    }
  }

  private func encode(_ field: Field, to encoder: GEncoder) throws {
    switch field {
    case .next: try encoder.encodeIfPresent(next, for: field)
    case .links: try encoder.encode(links, for: field)
    case .nested: try encoder.encode(nested, for: field)
    case .named: try encoder.encode(named, for: field)
    case .members: try encoder.encode(members, for: field)
    case .numbered: try encoder.encode(numbered, for: field)
    case .choice: try encoder.encode(choice, for: field)
    case .boxes: try encoder.encode(boxes, for: field)
    case .leaves: try encoder.encode(leaves, for: field)
    case .peer: try encoder.encode(peer, for: field)
    case .others: try encoder.encode(others, for: field)
    case .otherMembers: try encoder.encode(otherMembers, for: field)
    case .otherBoxes: try encoder.encode(otherBoxes, for: field)
    case .parent: try encoder.encodeConditional(parent, for: field)
    case .owner: try encoder.encodeConditional(owner, for: field)
    case .glimpsed: try encoder.encodeConditional(glimpsed, for: field)
    case .values: try encoder.encode(values, for: field)
    }
  }

  private func decode(_ field: Field, from decoder: GDecoder) throws {
    switch field {
    case .next: next = try decoder.decodeIfPresent(for: field)
    case .links: links = try decoder.decode(for: field)
    case .nested: nested = try decoder.decode(for: field)
    case .named: named = try decoder.decode(for: field)
    case .members: members = try decoder.decode(for: field)
    case .numbered: numbered = try decoder.decode(for: field)
    case .choice: choice = try decoder.decode(for: field)
    case .boxes: boxes = try decoder.decode(for: field)
    case .leaves: leaves = try decoder.decode(for: field)
    case .peer: try wait(for: field, decoder) { $0.peer = $1 }
    case .others: try wait(for: field, decoder) { $0.others = $1 }
    case .otherMembers: try wait(for: field, decoder) { $0.otherMembers = $1 }
    case .otherBoxes: try wait(for: field, decoder) { $0.otherBoxes = $1 }
    case .parent: try wait(for: field, decoder) { $0.parent = $1 }
    case .owner: try wait(for: field, decoder) { $0.owner = $1 }
    case .glimpsed: try wait(for: field, decoder) { $0.glimpsed = $1 }
    case .values: values = try decoder.decode(for: field)
    }
  }

  private func wait<Value: GDecodable>(
    for field: Field, _ decoder: GDecoder, _ set: @escaping (ModelNode, Value) -> Void
  ) throws {
    waitingCount += 1
    try decoder.deferDecode(for: field) {
      set(self, $0)
      self.waitingCount -= 1
    }
  }
}

// MARK: - Orders

extension ModelNode {
  /// In which order the fields of a node are encoded and decoded, and whether empty ones are left out.
  package struct Style {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }

    package var isSparse: Bool { rawValue & 1 == 1 }
    var encodingOrder: [Field] { Self.orders[Int(rawValue >> 1 & 7)] }
    var decodingOrder: [Field] { Self.orders[Int(rawValue >> 4 & 7)] }

    private static let orders: [[Field]] = (0..<8).map { number in
      let fields = Field.allCases
      let rotated = Array(fields[(number / 2 * 4)...] + fields[..<(number / 2 * 4)])
      return number.isMultiple(of: 2) ? rotated : rotated.reversed()
    }
  }
}
