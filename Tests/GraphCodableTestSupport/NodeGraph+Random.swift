extension NodeGraph {
  /// A random graph: the same seed gives the same graph.
  ///
  /// Edges that are decoded at once lead from nodes of a lower rank to nodes of a higher one, so that they
  /// form no cycle; all others lead anywhere.
  ///
  /// - Parameter depth: nodes in a row in front of the rest.
  package convenience init(seed: UInt64, maximumCount: Int, depth: Int = 0) {
    var random = SplitMix64(seed: seed)
    let count = 1 + random.below(maximumCount)
    let nodes = (0..<count).map { label -> GraphNode in
      switch random.below(3) {
      case 0:
        let node = RichNode(label)
        node.tags = Set((0..<random.below(4)).map { .init("tag \($0)") })
        return node
      case 1: return PlainSubnode(label)
      default: return GraphNode(label)
      }
    }
    // Values with one identity must be equal, so each is made once.
    let wrappers = (0..<4 as Range<Int>).map { identity in
      GraphNode.Wrapper(identity, "wrapper \(identity)", random.once(in: 2) ? nil : nodes[count - 1])
    }
    for (rank, node) in nodes.enumerated() {
      func later(_ random: inout SplitMix64) -> GraphNode? {
        rank + 1 < count ? nodes[rank + 1 + random.below(count - rank - 1)] : nil
      }
      func any(_ random: inout SplitMix64) -> GraphNode { nodes[random.below(count)] }
      // A spine makes most nodes reachable, and the graph deep.
      if random.once(in: 2) { node.next = rank + 1 < count ? nodes[rank + 1] : nil }
      node.links = (0..<random.below(3)).map { _ in random.once(in: 4) ? nil : later(&random) }
      for _ in 0..<random.below(3) { node.named["name \(random.below(100))"] = later(&random) }
      for _ in 0..<random.below(2) {
        // The last node is every wrapper's, so it has none itself.
        guard rank + 1 < count else { break }
        node.wrapped.append(
          random.once(in: 2) ? wrappers[random.below(4)] : .init(nil, "plain", later(&random)))
      }
      for _ in 0..<random.below(3) { node.deferred.append(any(&random)) }
      if random.once(in: 2) { node.parent = any(&random) }
      if random.once(in: 2) { node.observed = any(&random) }
    }
    var spine: [GraphNode] = []
    for index in 0..<depth {
      let node = GraphNode(-1 - index)
      node.next = spine.last ?? nodes[0]
      if random.once(in: 10) { node.deferred = [nodes[random.below(count)]] }
      spine.append(node)
    }
    self.init(root: spine.last ?? nodes[0], all: nodes + spine)
  }
}
