import Foundation

/// W3's base class as NSKeyedArchiver takes it.
class ArchivedBranch: NSObject, NSCoding {
  let id: Int
  let left: ArchivedBranch?
  let right: ArchivedBranch?

  init(id: Int, left: ArchivedBranch?, right: ArchivedBranch?) {
    self.id = id
    self.left = left
    self.right = right
  }

  required init?(coder: NSCoder) {
    id = coder.decodeInteger(forKey: "id")
    left = coder.decodeObject(forKey: "left") as? ArchivedBranch
    right = coder.decodeObject(forKey: "right") as? ArchivedBranch
  }

  func encode(with coder: NSCoder) {
    coder.encode(id, forKey: "id")
    coder.encode(left, forKey: "left")
    coder.encode(right, forKey: "right")
  }

  /// The same tree.
  static func tree(_ node: Branch) -> ArchivedBranch {
    let (left, right) = (node.left.map(tree), node.right.map(tree))
    switch node {
    case let node as WeightedBranch:
      return ArchivedWeightedBranch(id: node.id, weight: node.weight, left: left, right: right)
    case let node as NamedBranch:
      return ArchivedNamedBranch(id: node.id, name: node.name, left: left, right: right)
    case let node as CountedBranch:
      return ArchivedCountedBranch(id: node.id, count: node.count, left: left, right: right)
    default:
      fatalError("every node is an instance of a subclass")
    }
  }

  static func isSameTree(_ tree: ArchivedBranch?, _ other: ArchivedBranch?) -> Bool {
    guard let tree, let other else { return tree == nil && other == nil }
    guard tree.id == other.id, isSameTree(tree.left, other.left), isSameTree(tree.right, other.right) else {
      return false
    }
    return switch (tree, other) {
    case (let tree as ArchivedWeightedBranch, let other as ArchivedWeightedBranch):
      tree.weight == other.weight
    case (let tree as ArchivedNamedBranch, let other as ArchivedNamedBranch): tree.name == other.name
    case (let tree as ArchivedCountedBranch, let other as ArchivedCountedBranch): tree.count == other.count
    default: false
    }
  }
}

/// A node with a number of floating point.
final class ArchivedWeightedBranch: ArchivedBranch {
  let weight: Double

  init(id: Int, weight: Double, left: ArchivedBranch?, right: ArchivedBranch?) {
    self.weight = weight
    super.init(id: id, left: left, right: right)
  }

  required init?(coder: NSCoder) {
    weight = coder.decodeDouble(forKey: "weight")
    super.init(coder: coder)
  }

  override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(weight, forKey: "weight")
  }
}

/// A node with a name.
final class ArchivedNamedBranch: ArchivedBranch {
  let name: String

  init(id: Int, name: String, left: ArchivedBranch?, right: ArchivedBranch?) {
    self.name = name
    super.init(id: id, left: left, right: right)
  }

  required init?(coder: NSCoder) {
    guard let name = coder.decodeObject(forKey: "name") as? String else { return nil }
    self.name = name
    super.init(coder: coder)
  }

  override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(name, forKey: "name")
  }
}

/// A node with an integer.
final class ArchivedCountedBranch: ArchivedBranch {
  let count: Int

  init(id: Int, count: Int, left: ArchivedBranch?, right: ArchivedBranch?) {
    self.count = count
    super.init(id: id, left: left, right: right)
  }

  required init?(coder: NSCoder) {
    count = coder.decodeInteger(forKey: "count")
    super.init(coder: coder)
  }

  override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(count, forKey: "count")
  }
}
