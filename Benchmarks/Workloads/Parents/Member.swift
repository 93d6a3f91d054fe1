import GraphCodable

/// W6's element: a node of a tree that knows its parent, without keeping it.
final class Member: GCodable {
  let id: Int
  let name: String
  private(set) var children: [Member] = []
  private(set) weak var parent: Member?

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }

  private enum Key: String {
    case id, name, children, parent
  }

  init(from decoder: GDecoder) throws {
    id = try decoder.decode(for: Key.id)
    name = try decoder.decode(for: Key.name)
    children = try decoder.decode(for: Key.children)
    try decoder.deferDecode(for: Key.parent) { self.parent = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(id, for: Key.id)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(children, for: Key.children)
    try encoder.encodeConditional(parent, for: Key.parent)
  }

  func append(_ child: Member) {
    children.append(child)
    child.parent = self
  }
}

extension Member {
  static let childCount = 4

  /// A tree of `count` nodes, filled level by level; each node has four below it.
  static func generate(count: Int) -> Member {
    var members: [Member] = []
    members.reserveCapacity(count)
    for id in 0..<count {
      let member = Member(id: id, name: "member\(id)")
      if id > 0 { members[(id - 1) / childCount].append(member) }
      members.append(member)
    }
    return members[0]
  }

  /// Whether both trees have the same shape and values, and all parents are the right objects.
  static func isSameTree(_ tree: Member, _ other: Member) -> Bool {
    tree.id == other.id && tree.name == other.name && tree.children.count == other.children.count
      && other.children.allSatisfy { $0.parent === other }
      && zip(tree.children, other.children).allSatisfy(isSameTree)
  }

  // MARK: Limits

  /// Visits every node by its parent's list, and reads its parent.
  static func walk(_ tree: Member) -> Int {
    tree.children.reduce(tree.id &+ tree.name.utf8.count &+ (tree.parent?.id ?? 0)) { $0 &+ walk($1) }
  }

  /// The same tree, of new nodes.
  static func clone(_ tree: Member) -> Member {
    let clone = Member(id: tree.id, name: tree.name)
    clone.children.reserveCapacity(tree.children.count)
    for child in tree.children { clone.append(Self.clone(child)) }
    return clone
  }
}
