/// A graph whose objects are side by side, not inside each other.
final class FlatGraph {
  /// The encoded value.
  let root: Node
  /// What each object has encoded, by number.
  let contents: [Node]
  /// The index of each object in the list of referenced ones.
  ///
  /// It is negative for an object that takes the place of the only reference to it.
  private let indices: [Int32]
  /// What the objects in the list have encoded.
  let referenced: [Node]

  /// - Parameter isInline: For each object, whether it takes the place of the only reference to it. Such objects must
  ///   not form a cycle.
  init(root: Node, contents: [Node], isInline: [Bool]) {
    self.root = root
    self.contents = contents
    var referenced: [Node] = []
    var indices: [Int32] = []
    indices.reserveCapacity(contents.count)
    for (node, isInline) in zip(contents, isInline) {
      indices.append(isInline ? -1 : Int32(referenced.count))
      if !isInline { referenced.append(node) }
    }
    self.indices = indices
    self.referenced = referenced
  }

  /// The index of an object in the list of referenced ones; negative for one that is not in it.
  func index(of number: Int32) -> Int32 { indices[Int(number)] }

  /// How many nodes there are.
  ///
  /// - Complexity: linear in their number.
  var nodeCount: Int {
    var count = 0
    var open = contents + [root]
    while let node = open.popLast() {
      count += 1
      switch node {
      case .unkeyed(let unkeyed): open += unkeyed.elements
      case .keyed(let keyed): open += keyed.values
      default: break
      }
    }
    return count
  }

  /// The node to show for a node: what an inline object has encoded, or the node itself.
  func shown(_ node: Node) -> Node {
    var node = node
    while case .object(let number) = node, index(of: number) < 0 { node = contents[Int(number)] }
    return node
  }
}
