/// Follows references where a container is requested for an object.
struct ReferenceLooks {
  private let graph: FlatGraph
  /// The ends of the chains of references that have been followed; a reference if a chain has no end.
  private var ends: [Int32: Node] = [:]
  private var lookCount = 0
  /// The limit for the count; found on demand, because it takes a walk over the graph.
  private var limit: Int?

  /// The count that any graph allows.
  private static let freeLookCount = 1 << 16

  enum Failure: Error, CustomStringConvertible {
    case noEnd
    case tooManyLooks(Int)

    var description: String {
      switch self {
      case .noEnd: "A reference leads only to references."
      case .tooManyLooks(let count):
        "Objects have been decoded by containers \(count) times, because they lead to each other in very many ways; "
          + "decode them as instances of a class."
      }
    }
  }

  init(_ graph: FlatGraph) {
    self.graph = graph
  }

  /// The contents of an object, or of the object that it has encoded in its place.
  ///
  /// A type whose `init(from:)` follows references by containers does so once for each path to an object, and the number
  /// of paths can be exponential. So the count is limited.
  ///
  /// - Complexity: O(1) amortized over the objects.
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
