import GraphCodable

/// The objects around a value, and the references between them.
struct ObjectGraph {
  struct Node {
    /// The number of the object; nil for a value that is none, which can only be the first.
    let object: Int?
    let title: String
    /// Single values of it, as `mass = 39.95`.
    fileprivate(set) var facts: [String] = []
    /// How many values and references are not shown.
    fileprivate(set) var leftOut = 0
    /// Whether its own references are left out.
    fileprivate(set) var isCut = false
  }

  struct Edge {
    let from: Int
    let to: Int
    /// The steps from one object to the other.
    let label: String
    let isConditional: Bool
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  private let archive: GraphArchive
  private let limit: Int
  private var places: [Int: Int] = [:]

  private static let factCount = 6
  private static let partCount = 200
  /// Of values inside each other in one object.
  private static let nestingLimit = 16

  /// - Parameters:
  ///   - path: of the value to begin with.
  ///   - depth: how many references away objects are shown.
  ///   - limit: how many objects are shown at most.
  init(_ archive: GraphArchive, around path: GraphPath, depth: Int, limit: Int) throws {
    (self.archive, self.limit) = (archive, limit)
    let first = try archive.item(at: path)
    _ = add(first)
    var level = [(node: 0, path: path)]
    for distance in 0...depth {
      var next: [(node: Int, path: GraphPath)] = []
      for (node, path) in level {
        guard distance < depth else {
          nodes[node].isCut = try archive.item(at: path).count ?? 0 > 0
          continue
        }
        next += try addParts(of: node, at: path)
      }
      level = next
    }
  }

  /// The node of an item, and whether it is new; nil where there are too many.
  private mutating func add(_ item: GraphArchive.Item) -> (node: Int, isNew: Bool)? {
    if let object = item.objectNumber, let place = places[object] { return (place, false) }
    guard nodes.count < limit else { return nil }
    let number = item.objectNumber.map { " #\($0)" } ?? ""
    nodes.append(Node(object: item.objectNumber, title: (item.className ?? item.kind.description) + number))
    if let text = item.text { nodes[nodes.count - 1].facts.append(text) }
    if let object = item.objectNumber { places[object] = nodes.count - 1 }
    return (nodes.count - 1, true)
  }

  /// Adds what a node refers to, and gives the new ones.
  private mutating func addParts(of node: Int, at path: GraphPath) throws -> [(node: Int, path: GraphPath)] {
    var found: [(node: Int, path: GraphPath)] = []
    var lists = [(path: path, steps: GraphPath())]
    while let (path, steps) = lists.popLast() {
      let count = try archive.item(at: path).count ?? 0
      nodes[node].leftOut += max(0, count - Self.partCount)
      for item in try archive.items(at: path, in: 0..<Self.partCount) {
        guard let step = item.step else { continue }
        let (partPath, label) = (path.appending(step), steps.appending(step))
        if item.objectNumber != nil {
          guard let (target, isNew) = add(item) else {
            nodes[node].leftOut += 1
            continue
          }
          edges.append(
            Edge(from: node, to: target, label: label.description, isConditional: item.isConditional))
          if isNew { found.append((target, partPath)) }
        } else if item.hasListedParts, label.steps.count < Self.nestingLimit {
          lists.append((partPath, label))
        } else {
          addFact(label, item, to: node)
        }
      }
    }
    return found
  }

  private mutating func addFact(_ label: GraphPath, _ item: GraphArchive.Item, to node: Int) {
    guard nodes[node].facts.count < Self.factCount else { return nodes[node].leftOut += 1 }
    let value = item.text ?? item.count.map { "\(item.kind), \(grouped($0))" } ?? item.kind.description
    nodes[node].facts.append("\(label) = \(value)")
  }
}

extension ObjectGraph {
  /// The graph in the language of Graphviz.
  var dot: [String] {
    func quoted(_ lines: [String]) -> String {
      let text = lines.map {
        $0.visible.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      }
      return "\"" + text.joined(separator: "\\n") + "\""
    }
    var lines = [
      "digraph {", "  rankdir=LR", "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11]",
      "  edge [fontname=\"sans-serif\", fontsize=9]",
    ]
    for (number, node) in nodes.enumerated() {
      let more = node.leftOut > 0 ? ["… \(grouped(node.leftOut)) more"] : node.isCut ? ["…"] : []
      let style = number == 0 ? ", penwidth=2" : ""
      lines.append("  n\(number) [label=\(quoted([node.title] + node.facts + more))\(style)]")
    }
    for edge in edges {
      let style = edge.isConditional ? ", style=dashed" : ""
      lines.append("  n\(edge.from) -> n\(edge.to) [label=\(quoted([edge.label]))\(style)]")
    }
    return lines + ["}"]
  }
}
