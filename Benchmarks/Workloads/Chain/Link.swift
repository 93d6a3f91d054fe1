import GraphCodable

/// W7's element: a node of a chain.
final class Link: GCodable {
  let id: Int
  private(set) var next: Link?

  init(id: Int, next: Link?) {
    self.id = id
    self.next = next
  }

  /// Releases the chain node by node: Swift itself would recurse.
  deinit {
    var rest = next.take()
    while isKnownUniquelyReferenced(&rest) { rest = rest?.next.take() }
  }

  private enum Key: String {
    case id, next
  }

  init(from decoder: GDecoder) throws {
    id = try decoder.decode(for: Key.id)
    next = try decoder.decode(for: Key.next)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(id, for: Key.id)
    try encoder.encode(next, for: Key.next)
  }
}

extension Link {
  /// A chain of `count` nodes.
  static func generate(count: Int) -> Link {
    var link = Link(id: count - 1, next: nil)
    for id in (0..<count - 1).reversed() { link = Link(id: id, next: link) }
    return link
  }

  static func isSameChain(_ chain: Link, _ other: Link) -> Bool {
    var (link, twin): (Link?, Link?) = (chain, other)
    while let node = link, let copy = twin, node.id == copy.id { (link, twin) = (node.next, copy.next) }
    return link == nil && twin == nil
  }

  // MARK: Limits

  /// Visits every node.
  static func walk(_ chain: Link) -> Int {
    var sum = 0
    var link: Link? = chain
    while let node = link { (sum, link) = (sum &+ node.id, node.next) }
    return sum
  }

  /// The same chain, of new nodes.
  static func clone(_ chain: Link) -> Link {
    let first = Link(id: chain.id, next: nil)
    var (last, link) = (first, chain.next)
    while let node = link {
      let clone = Link(id: node.id, next: nil)
      last.next = clone
      (last, link) = (clone, node.next)
    }
    return first
  }
}
