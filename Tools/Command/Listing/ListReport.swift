import GraphCodable

/// A listing as it is in JSON; its properties are the keys.
struct ListReport: Encodable {
  let file: String
  /// The number of an entry of a series.
  let entry: Int?
  /// The value that was asked for, then what is below it: each value before its parts.
  private(set) var items: [ListedItem] = []

  private let cases: CaseText

  private enum CodingKeys: CodingKey { case file, entry, items }

  /// The report of a snapshot, without items.
  init(_ snapshot: Snapshot, _ archive: GraphArchive) {
    cases = CaseText(archive)
    file = snapshot.file
    entry = snapshot.number
  }
}

extension ListReport: ListVisitor {
  mutating func visit(
    _ item: GraphArchive.Item, at path: GraphPath, depth: Int, _ parts: ListedParts
  ) throws {
    var listed = ListedItem(item, at: path, depth: depth)
    if let text = try cases.text(item, at: path) { listed.value = text }
    listed.leftOut = parts.list.map { $0.leftOutBefore + $0.leftOutBehind }
    items.append(listed)
  }

  func end(_ list: Listing.List) {}
}
