/// A graph without values inside each other where they are objects: those lie side by side.
final class FlatGraph {
  /// The value that the graph is of.
  let root: Node
  /// What each object has encoded, by number.
  let contents: [Node]
  /// The index of each object in the list of referenced ones.
  ///
  /// It is negative where an object stands in the place of the only reference to it.
  private let indices: [Int32]
  /// What the objects in the list of referenced ones have encoded.
  let referenced: [Node]

  /// - Parameter isInline: whether an object stands in the place of the only reference to it, by number. These
  ///   must not hold each other in a circle.
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

  /// What stands in the place of a node.
  ///
  /// For an inline object it is what that has encoded. So an object that is shown is a referenced one.
  func shown(_ node: Node) -> Node {
    var node = node
    while case .object(let number) = node, index(of: number) < 0 { node = contents[Int(number)] }
    return node
  }
}
