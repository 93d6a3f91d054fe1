import _GraphSupport

/// The places of elements taken from an array, in ascending order.
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

  /// The places in the array of some of the taken elements.
  func stored(_ taken: Range<Int>) -> [Range<Int>] {
    if taken.isEmpty { return [] }
    // The last run that begins there or before.
    var index = max(starts.partitioningIndex { $0 > taken.lowerBound } - 1, 0)
    var stored: [Range<Int>] = []
    while index < runs.count, starts[index] < taken.upperBound {
      let offset = runs[index].lowerBound - starts[index]
      let (start, end) = (taken.lowerBound + offset, taken.upperBound + offset)
      stored.append(max(runs[index].lowerBound, start)..<min(runs[index].upperBound, end))
      index += 1
    }
    return stored
  }
}
