import GraphCodable

/// The paths that a path with ranges stands for: `bodies[0..<5].mass` for five.
///
/// The library knows ranges of arrays of numbers, whose elements are read at once; these are those of any list.
struct ValuePaths {
  private let archive: GraphArchive

  init(_ archive: GraphArchive) { self.archive = archive }

  /// Calls `body` for each path, in order.
  ///
  /// - Throws: `valueNotFound` for a range that goes beyond the parts there are.
  func forEach(_ path: GraphPath, _ body: (GraphPath) throws -> Void) throws {
    try forEach(path.steps[...], from: [], body)
  }

  private func forEach(
    _ steps: ArraySlice<GraphPath.Step>, from start: GraphPath, _ body: (GraphPath) throws -> Void
  ) throws {
    guard let place = steps.firstIndex(where: \.isRange), case .range(let range) = steps[place] else {
      return try body(GraphPath(start.steps + steps))
    }
    let list = GraphPath(start.steps + steps[..<place])
    let item = try archive.item(at: list)
    guard let count = item.count, range.upperBound <= count else {
      throw GCodableError(
        .valueNotFound,
        "no elements \(range.lowerBound)..<\(range.upperBound) at \(list): "
          + "there are \(item.count.map(grouped) ?? "none")")
    }
    for index in range {
      // The places of a dictionary's pairs are not what leads to its values.
      guard let step = try archive.items(at: list, in: index..<(index + 1)).first?.step else { continue }
      try forEach(steps[(place + 1)...], from: list.appending(step), body)
    }
  }
}

extension GraphPath {
  /// Whether it stands for several places.
  var hasRanges: Bool { steps.contains(where: \.isRange) }
}

extension GraphPath.Step {
  fileprivate var isRange: Bool {
    guard case .range = self else { return false }
    return true
  }
}
