import GraphCodable

/// W2's element: an object that shares its neighbours with other objects.
final class Node: GCodable {
  let id: Int
  let name: String
  private(set) var neighbours: [Node]

  init(id: Int, name: String, neighbours: [Node]) {
    self.id = id
    self.name = name
    self.neighbours = neighbours
  }

  private enum Key: String {
    case id, name, neighbours
  }

  init(from decoder: GDecoder) throws {
    id = try decoder.decode(for: Key.id)
    name = try decoder.decode(for: Key.name)
    neighbours = try decoder.decode(for: Key.neighbours)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(id, for: Key.id)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(neighbours, for: Key.neighbours)
  }
}

extension Node {
  static let neighbourCount = 4

  /// `count` nodes, each after the first with four references to earlier nodes chosen at random (a node may
  /// be chosen twice).
  static func generate(count: Int) -> [Node] {
    var random = SplitMix64(seed: 0x5743_0002)
    var nodes: [Node] = []
    nodes.reserveCapacity(count)
    for id in 0..<count {
      let neighbours = id == 0 ? [] : (0..<neighbourCount).map { _ in nodes[random.below(id)] }
      nodes.append(Node(id: id, name: "node\(id)", neighbours: neighbours))
    }
    return nodes
  }

  /// Whether `other` is the same graph as `nodes`: the same values, and one object where there was one
  /// object.
  static func isSameGraph(_ nodes: [Node], _ other: [Node]) -> Bool {
    guard nodes.count == other.count else { return false }
    return zip(nodes, other).allSatisfy { node, twin in
      node.id == twin.id && node.name == twin.name && node.neighbours.count == twin.neighbours.count
        && zip(node.neighbours, twin.neighbours).allSatisfy { $1 === other[$0.id] }
    }
  }
}

// MARK: Limits

extension Node {
  /// Visits every node once, and the ids of its neighbours.
  static func walk(_ nodes: [Node]) -> Int {
    nodes.reduce(0) { sum, node in
      node.neighbours.reduce(sum &+ node.id &+ node.name.utf8.count) { $0 &+ $1.id }
    }
  }

  /// The same graph, of new nodes.
  static func clone(_ nodes: [Node]) -> [Node] {
    var clones: [Node] = []
    clones.reserveCapacity(nodes.count)
    for node in nodes {
      clones.append(Node(id: node.id, name: node.name, neighbours: node.neighbours.map { clones[$0.id] }))
    }
    return clones
  }
}
