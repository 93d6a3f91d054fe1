/// The places of elements that were taken of an array, in ascending order.
struct ElementRuns {
  private let runs: [Range<Int>]
  /// Where each of them begins among the elements that were taken.
  private let starts: [Int]

  /// - Parameter runs: none of them is empty.
  init(_ runs: [Range<Int>]) {
    self.runs = runs
    var end = 0
    starts = runs.map { run in
      defer { end += run.count }
      return end
    }
  }

  /// All places, if they are neighbours.
  var whole: Range<Int>? {
    switch runs.count {
    case 0: 0..<0
    case 1: runs[0]
    default: nil
    }
  }

  /// The places in the array of some elements that were taken.
  func stored(_ taken: Range<Int>) -> [Range<Int>] {
    if taken.isEmpty { return [] }
    // The last run that begins there or before.
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= taken.lowerBound { low = middle } else { high = middle }
    }
    var stored: [Range<Int>] = []
    while low < runs.count, starts[low] < taken.upperBound {
      let offset = runs[low].lowerBound - starts[low]
      let (start, end) = (taken.lowerBound + offset, taken.upperBound + offset)
      stored.append(max(runs[low].lowerBound, start)..<min(runs[low].upperBound, end))
      low += 1
    }
    return stored
  }
}
