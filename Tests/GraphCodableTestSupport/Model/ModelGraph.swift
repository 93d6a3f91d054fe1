/// A root with all nodes that were made for it, some of which may not be reachable.
package final class ModelGraph {
  package let root: ModelNode
  package let nodes: [ModelNode]

  package init(root: ModelNode, nodes: [ModelNode]) { (self.root, self.nodes) = (root, nodes) }

  /// All nodes that can be reached from a root.
  package convenience init(root: ModelNode) {
    self.init(root: root, nodes: root.reachable().vertices.compactMap { $0 as? ModelNode })
  }

  /// Removes all edges: without that cycles are never released, and long chains recursively.
  package func breakUp() { for node in nodes { node.clear() } }
}
