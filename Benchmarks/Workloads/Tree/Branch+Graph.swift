extension Branch {
  /// A binary tree of `count` nodes, filled level by level, whose nodes are of the three classes at random.
  ///
  /// Node `n` has the nodes `2n + 1` and `2n + 2` below it.
  static func generate(count: Int) -> Branch {
    var random = SplitMix64(seed: 0x5743_0003)
    var nodes = [Branch?](repeating: nil, count: count)
    for id in (0..<count).reversed() {
      let left = 2 * id + 1 < count ? nodes[2 * id + 1] : nil
      let right = 2 * id + 2 < count ? nodes[2 * id + 2] : nil
      nodes[id] =
        switch random.below(3) {
        case 0: WeightedBranch(id: id, weight: random.symmetric(100), left: left, right: right)
        case 1: NamedBranch(id: id, name: random.word(length: 4 + random.below(9)), left: left, right: right)
        default: CountedBranch(id: id, count: random.below(1_000_000), left: left, right: right)
        }
    }
    return nodes[0]!
  }

  /// Whether both trees have the same shape, classes and values.
  static func isSameTree(_ tree: Branch?, _ other: Branch?) -> Bool {
    guard let tree, let other else { return tree == nil && other == nil }
    guard tree.id == other.id, isSameTree(tree.left, other.left), isSameTree(tree.right, other.right) else {
      return false
    }
    return switch (tree, other) {
    case (let tree as WeightedBranch, let other as WeightedBranch): tree.weight == other.weight
    case (let tree as NamedBranch, let other as NamedBranch): tree.name == other.name
    case (let tree as CountedBranch, let other as CountedBranch): tree.count == other.count
    default: false
    }
  }

  // MARK: Limits

  /// Visits every node and reads its own field.
  static func walk(_ tree: Branch) -> Int {
    var sum = tree.id &+ tree.ownValue
    if let left = tree.left { sum &+= walk(left) }
    if let right = tree.right { sum &+= walk(right) }
    return sum
  }

  /// The same tree, of new nodes.
  static func clone(_ tree: Branch) -> Branch {
    tree.cloned(left: tree.left.map(clone), right: tree.right.map(clone))
  }
}
