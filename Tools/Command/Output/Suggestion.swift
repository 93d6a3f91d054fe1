import GraphCodable

/// What somebody may have meant by a word that is not known.
enum Suggestion {
  /// The nearest of some words, if it is near enough to be a slip.
  static func nearest(to word: String, of words: [String]) -> String? {
    let limit = max(1, (word.count + 1) / 3)
    let near = words.map { (word: $0, distance: distance(word, $0, limit: limit)) }
    return near.filter { $0.distance <= limit && $0.distance < word.count }.min { $0.distance < $1.distance }?
      .word
  }

  /// How many letters are to be inserted, removed, replaced, or swapped with the next one; more than the limit where it is more.
  static func distance(_ one: String, _ other: String, limit: Int) -> Int {
    let (one, other) = (Array(one.lowercased()), Array(other.lowercased()))
    guard abs(one.count - other.count) <= limit else { return limit + 1 }
    var (before, last) = ([Int](), Array(0...other.count))
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, found) in other.enumerated() {
        var cost = min(last[column] + (letter == found ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == found {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      (before, last) = (last, next)
    }
    return last[other.count]
  }

  /// For a key of a path that is not there: the one beside it that may be meant.
  static func key(in path: GraphPath, for error: GCodableError, _ archive: GraphArchive) throws -> String? {
    guard let place = GraphPath(error.keyPathDescription), path.steps.count > place.steps.count,
      case .key(let key) = path.steps[place.steps.count]
    else { return nil }
    let keys = try archive.items(at: place, in: 0..<10_000).compactMap { item -> String? in
      guard case .key(let key)? = item.step else { return nil }
      return key
    }
    return nearest(to: key, of: keys)
  }
}
