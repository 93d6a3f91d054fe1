import GraphCodable

/// A walk through the parts of a value and, as deep as is asked for, through theirs: each before its own parts.
struct Listing {
  private let archive: GraphArchive
  private let path: GraphPath
  private let depth: Int
  private let limit: Int
  private let from: Int

  /// - Parameters:
  ///   - depth: how many levels to list.
  ///   - limit: how many parts of a value to list.
  ///   - from: the place of the first part of the value to list, but not of its parts.
  init(_ archive: GraphArchive, _ path: GraphPath, depth: Int, limit: Int, from: Int) {
    self.archive = archive
    self.path = path
    self.depth = depth
    self.limit = limit
    self.from = from
  }

  /// The parts of a value.
  struct List {
    let path: GraphPath
    /// How many levels below the value that was asked for.
    let depth: Int
    let items: [GraphArchive.Item]
    /// How many parts stand in front of the items.
    let leftOutBefore: Int
    /// How many parts stand behind them.
    let leftOutBehind: Int
  }

  /// Calls a visitor for the value itself and all that is listed below it.
  func visit(_ visitor: inout some ListVisitor) throws {
    let root = try archive.item(at: path)
    var lists: [(list: List, next: Int)] = []
    // An object may lead to itself, and many may lead to one.
    var listedObjects: Set<Int> = []

    func enter(_ item: GraphArchive.Item, _ path: GraphPath, depth: Int) throws {
      let isListed = item.objectNumber.map { !listedObjects.insert($0).inserted } ?? false
      guard !isListed else { return try visitor.visit(item, at: path, depth: depth, .listedAbove) }
      let list = try list(item, path, depth: depth + 1, from: depth == 0 ? from : 0)
      try visitor.visit(item, at: path, depth: depth, .list(list))
      lists.append((list, 0))
    }

    if root.count ?? 0 > 0 {
      try enter(root, path, depth: 0)
    } else {
      try visitor.visit(root, at: path, depth: 0, .notListed)
    }
    while let (list, next) = lists.last {
      guard next < list.items.count else {
        try visitor.end(list)
        lists.removeLast()
        continue
      }
      lists[lists.count - 1].next += 1
      let item = list.items[next]
      let path = item.step.map(list.path.appending) ?? list.path
      if list.depth < depth, item.hasListedParts {
        try enter(item, path, depth: list.depth)
      } else {
        try visitor.visit(item, at: path, depth: list.depth, .notListed)
      }
    }
  }

  private func list(_ item: GraphArchive.Item, _ path: GraphPath, depth: Int, from: Int) throws -> List {
    let count = item.count ?? 0
    let start = min(from, count)
    let end = start + min(limit, count - start)
    return List(
      path: path, depth: depth, items: try archive.items(at: path, in: start..<end), leftOutBefore: start,
      leftOutBehind: count - end)
  }
}

/// What is done with the values of a listing.
protocol ListVisitor {
  /// A value comes, and then its parts, if they are listed.
  mutating func visit(
    _ item: GraphArchive.Item, at path: GraphPath, depth: Int, _ parts: ListedParts) throws
  /// All of a list has come.
  mutating func end(_ list: Listing.List) throws
}

/// Whether the parts of a value follow.
enum ListedParts {
  case list(Listing.List)
  /// It is an object whose parts have been listed before.
  case listedAbove
  case notListed

  var list: Listing.List? {
    guard case .list(let list) = self else { return nil }
    return list
  }
}
