/// A graph without values inside each other where they are objects: those lie side by side.
final class FlatGraph {
  /// The value that the graph is of.
  let root: Node
  /// What each object has encoded, by number.
  let contents: [Node]
  /// Where each object is shown and stored: in the list of referenced objects at this index, or, where it is
  /// negative, in the place of the only reference to it.
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

  /// A graph of which only the list of referenced objects is known, and what stands elsewhere.
  init(root: Node, referenced: [Node]) {
    self.root = root
    contents = referenced
    self.referenced = referenced
    indices = referenced.indices.map { Int32($0) }
  }

  /// The index in the list of referenced objects, or nil for an object that is not in it.
  func index(of number: Int32) -> Int32? {
    let index = indices[Int(number)]
    return index < 0 ? nil : index
  }

  /// What stands in the place of a node: for an inline object what it has encoded. An object that remains is
  /// in the list of referenced ones.
  func shown(_ node: Node) -> Node {
    var node = node
    while case .object(let number) = node, index(of: number) == nil { node = contents[Int(number)] }
    return node
  }
}
