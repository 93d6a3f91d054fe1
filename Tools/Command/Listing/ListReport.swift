import GraphCodable

/// A listing as it is in JSON; its properties are the keys.
struct ListReport: Encodable {
  let file: String
  /// The number of an entry of a series.
  let entry: Int?
  /// The value that was asked for, then what is below it: each value before its parts.
  private(set) var items: [ListedItem] = []

  /// The report of a snapshot, without items.
  init(_ snapshot: Snapshot) {
    file = snapshot.file
    entry = snapshot.entry?.number
  }
}

extension ListReport: ListVisitor {
  mutating func visit(
    _ item: GraphArchive.Item, at path: GraphPath, depth: Int, _ parts: ListedParts
  ) {
    var listed = ListedItem(item, at: path, depth: depth)
    listed.leftOut = parts.list.map { $0.leftOutBefore + $0.leftOutBehind }
    items.append(listed)
  }

  func end(_ list: Listing.List) {}
}
