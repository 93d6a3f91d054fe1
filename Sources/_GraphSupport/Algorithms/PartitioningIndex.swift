extension RandomAccessCollection {
  /// The first index whose element satisfies `predicate`, as all later elements do; `endIndex` if there is none.
  ///
  /// - Complexity: O(log n).
  package func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
      if predicate(self[middle]) { high = middle } else { low = index(after: middle) }
    }
    return low
  }
}
