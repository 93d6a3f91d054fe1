/// W3 for coders without inheritance: a node of any of the classes, with the nodes below it as indices.
///
/// As for W2, the time to turn the tree into this form and back is *not* counted, in favour of the peers.
struct FlatBranch: Codable, Equatable {
  var id: Int
  var left: Int?
  var right: Int?
  var weight: Double?
  var name: String?
  var count: Int?

  init(_ node: Branch) {
    id = node.id
    left = node.left?.id
    right = node.right?.id
    weight = (node as? WeightedBranch)?.weight
    name = (node as? NamedBranch)?.name
    count = (node as? CountedBranch)?.count
  }

  /// The nodes of a tree in the order of their ids, which is that of their levels.
  static func list(_ tree: Branch) -> [FlatBranch] {
    var nodes = [tree]
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      nodes += [node.left, node.right].compactMap { $0 }
      next += 1
    }
    return nodes.map(FlatBranch.init)
  }
}
