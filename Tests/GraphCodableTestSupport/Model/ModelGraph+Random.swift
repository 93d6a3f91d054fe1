extension ModelGraph {
  /// A random graph: the same arguments give the same graph.
  ///
  /// Edges that are decoded at once lead from nodes of a lower rank to nodes of a higher one, so that they
  /// form no cycle; all others lead anywhere.
  ///
  /// - Parameters:
  ///   - maximumCount: how many nodes it may have at most, besides those of `depth`.
  ///   - hashedCount: how many elements a set or dictionary may have.
  ///   - depth: nodes in a row in front of the rest.
  package convenience init(seed: UInt64, maximumCount: Int, hashedCount: Int = 4, depth: Int = 0) {
    var generator = Generator(SplitMix64(seed: seed), maximumCount, hashedCount: hashedCount)
    generator.addEdges()
    generator.addSpine(depth)
    self.init(root: generator.spine.last ?? generator.nodes[0], nodes: generator.nodes + generator.spine)
  }
}

private struct Generator {
  private var random: SplitMix64
  private let hashedCount: Int
  /// By rank.
  private(set) var nodes: [ModelNode] = []
  private(set) var spine: [ModelNode] = []
  /// Boxes that nodes up to a rank may hold at once.
  private var boxes: [(box: SharedBox, rank: Int)] = []

  init(_ random: SplitMix64, _ maximumCount: Int, hashedCount: Int) {
    (self.random, self.hashedCount) = (random, hashedCount)
    for label in 0..<(1 + self.random.below(maximumCount)) { nodes.append(node(label)) }
  }

  private mutating func once(in times: Int) -> Bool { random.once(in: times) }

  private mutating func value() -> ModelValue { .random(&random, hashedCount: hashedCount) }

  private mutating func node(_ label: Int) -> ModelNode {
    let style = ModelNode.Style(once(in: 2) ? 0 : UInt8(truncatingIfNeeded: random.next()))
    switch random.below(9) {
    case 0:
      let node = RichNode(label, style)
      for _ in 0..<random.below(5) { node.numbers.append(Double(bitPattern: random.next())) }
      return node
    case 1:
      let node = RicherNode(label, style)
      node.value = once(in: 2) ? nil : value()
      return node
    case 2: return PlainSubnode(label, style)
    case 3: return GenericNode(label, style, random.below(1000))
    case 4: return GenericNode(label, style, ["text": [label, nil]])
    case 5: return IdentifiedNode(label, style)
    case 6: return ModelScope.NestedNode(label, style)
    default: return ModelNode(label, style)
    }
  }

  // MARK: Edges

  mutating func addEdges() {
    for rank in nodes.indices.reversed() {
      if once(in: 4), rank + 1 < nodes.count { addBox(rank) }
      addEdges(to: nodes[rank], rank)
      addContainers(to: nodes[rank], rank)
      for _ in 0..<random.below(3) { nodes[rank].values.append(value()) }
    }
    for node in nodes { addFreeEdges(to: node) }
  }

  /// Nodes that one of a rank may lead to at once, less than `bound` of them.
  private mutating func later(_ rank: Int, _ bound: Int) -> [ModelNode] {
    guard rank + 1 < nodes.count else { return [] }
    return (0..<random.below(bound)).map { _ in nodes[rank + 1 + random.below(nodes.count - rank - 1)] }
  }

  private mutating func some(_ boxes: [SharedBox]) -> [SharedBox] {
    boxes.isEmpty ? [] : (0..<random.below(4)).map { _ in boxes[random.below(boxes.count)] }
  }

  private mutating func addBox(_ rank: Int) {
    let inner = some(boxes.filter { $0.rank > rank }.map(\.box))
    let box = SharedBox("box \(rank)", later(rank, 3).first, inner, isIdentified: !once(in: 3))
    boxes.append((box, rank))
  }

  /// Adds edges that are decoded at once.
  private mutating func addEdges(to node: ModelNode, _ rank: Int) {
    // A spine makes most nodes reachable, and the graph deep.
    node.next = once(in: 3) || rank + 1 == nodes.count ? later(rank, 2).first : nodes[rank + 1]
    (node as? RichNode)?.link = later(rank, 2).first
    let boxes = boxes.filter { $0.rank >= rank }.map(\.box)
    if once(in: 3) { node.boxes = some(boxes) }
    switch random.below(6) {
    case 0: node.choice = later(rank, 2).first.map { .node($0, weight: -0.0) } ?? .nothing
    case 1: node.choice = .nodes(later(rank, 3))
    case 2: node.choice = some(boxes).first.map(Choice.box) ?? .nothing
    default: break
    }
    if once(in: 4) {
      let leaf = ModelLeaf(isAnonymous: once(in: 2), later(rank, 2).first)
      node.leaves = [leaf, ModelLeaf(isAnonymous: true, nil), leaf]
    }
  }

  /// Adds edges through containers that are decoded at once.
  private mutating func addContainers(to node: ModelNode, _ rank: Int) {
    if once(in: 2) { node.links = later(rank, 4) + (once(in: 4) ? [nil] : []) + later(rank, 2) }
    if once(in: 4) { node.nested = [later(rank, 3), nil, []] }
    if once(in: 3) {
      for (index, target) in later(rank, hashedCount + 1).enumerated() {
        node.named["name \(index)"] = target
      }
    }
    if once(in: 3) { node.members = Set(later(rank, hashedCount + 1)) }
    if once(in: 3) {
      for target in later(rank, hashedCount + 1) { node.numbered[Labelled(target)] = target.label }
    }
  }

  /// Adds edges that are deferred.
  private mutating func addFreeEdges(to node: ModelNode) {
    let boxes = boxes.map(\.box)
    if once(in: 3) { node.peer = any() }
    if once(in: 3) { node.others = (0..<random.below(4)).map { _ in any() } }
    if once(in: 4) { node.otherMembers = Set((0..<random.below(hashedCount + 1)).map { _ in any() }) }
    if once(in: 4) { node.otherBoxes = some(boxes) }
    if once(in: 2) { node.parent = any() }
    if once(in: 3) { node.owner = any() }
    if once(in: 4) { node.glimpsed = some(boxes).first }
  }

  private mutating func any() -> ModelNode { nodes[random.below(nodes.count)] }

  mutating func addSpine(_ depth: Int) {
    for index in 0..<depth {
      let node = ModelNode(-1 - index)
      node.next = spine.last ?? nodes[0]
      if once(in: 10) { node.peer = any() }
      if once(in: 10), index > 0 { node.parent = spine[random.below(index)] }
      spine.append(node)
    }
  }
}
