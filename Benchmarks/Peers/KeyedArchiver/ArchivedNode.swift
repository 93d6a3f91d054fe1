import Foundation

/// W2's node as NSKeyedArchiver takes it.
final class ArchivedNode: NSObject, NSCoding {
  let id: Int
  let name: String
  let neighbours: [ArchivedNode]

  init(id: Int, name: String, neighbours: [ArchivedNode]) {
    self.id = id
    self.name = name
    self.neighbours = neighbours
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(forKey: "name") as? String,
      let neighbours = coder.decodeObject(forKey: "neighbours") as? [ArchivedNode]
    else { return nil }
    id = coder.decodeInteger(forKey: "id")
    self.name = name
    self.neighbours = neighbours
  }

  func encode(with coder: NSCoder) {
    coder.encode(id, forKey: "id")
    coder.encode(name, forKey: "name")
    coder.encode(neighbours, forKey: "neighbours")
  }

  /// The first of `nodes`, which refer to each other alone.
  static func list(_ nodes: some Sequence<Node>) -> NSArray {
    var list: [ArchivedNode] = []
    for node in nodes {
      list.append(ArchivedNode(id: node.id, name: node.name, neighbours: node.neighbours.map { list[$0.id] }))
    }
    return list as NSArray
  }

  static func isSameGraph(_ nodes: NSArray, _ other: NSArray) -> Bool {
    guard let nodes = nodes as? [ArchivedNode], let other = other as? [ArchivedNode] else { return false }
    return nodes.count == other.count
      && zip(nodes, other).allSatisfy { node, twin in
        node.id == twin.id && node.name == twin.name && node.neighbours.count == twin.neighbours.count
          && zip(node.neighbours, twin.neighbours).allSatisfy { $1 === other[$0.id] }
      }
  }
}
