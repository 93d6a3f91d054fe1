/// Finds what references lead to, where a container is asked for in the place of an object.
struct ReferenceLooks {
  private let graph: FlatGraph
  /// Where chains of references end which have been followed; at a reference where there is no end.
  private var ends: [Int32: Node] = [:]
  private var lookCount = 0
  /// How many there may be; found when it is first needed, since it takes a walk over the graph.
  private var limit: Int?

  /// Looks that any graph allows.
  private static let freeLookCount = 1 << 16

  enum Failure: Error, CustomStringConvertible {
    case noEnd
    case tooManyLooks(Int)

    var description: String {
      switch self {
      case .noEnd: "A reference leads to nothing but references."
      case .tooManyLooks(let count):
        "Containers have been asked for \(count) times in place of objects, which lead to each other in very many "
          + "ways; decode the objects as instances of a class."
      }
    }
  }

  init(_ graph: FlatGraph) {
    self.graph = graph
  }

  /// What an object has encoded, or the one that it has encoded in its place.
  ///
  /// Types whose `init(from:)` follows references in this way by itself do it once for each way that leads to an
  /// object, so the looks are limited: to many for each node.
  ///
  /// - Complexity: O(1), and for all looks together linear in the number of objects.
  mutating func contents(of number: Int32) throws(Failure) -> Node {
    try count()
    let node = graph.contents[Int(number)]
    guard case .object = node else { return node }
    return try end(of: number)
  }

  private mutating func end(of number: Int32) throws(Failure) -> Node {
    var passed: [Int32] = []
    var node = Node.object(number)
    while case .object(let number) = node, passed.count <= graph.contents.count {
      if let known = ends[number] {
        node = known
        break
      }
      passed.append(number)
      node = graph.contents[Int(number)]
    }
    for number in passed { ends[number] = node }
    if case .object = node { throw .noEnd }
    return node
  }

  private mutating func count() throws(Failure) {
    lookCount += 1
    guard lookCount > Self.freeLookCount else { return }
    let limit = self.limit ?? Self.freeLookCount + 64 * graph.nodeCount
    self.limit = limit
    guard lookCount <= limit else { throw .tooManyLooks(lookCount) }
  }
}
