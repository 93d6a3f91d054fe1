/// What was found for one case.
struct Measurement {
  var label: CaseLabel
  /// How much of the workload the case does; times below are those of that part.
  var share: Double
  /// The size of what was made or read, in bytes.
  var storedByteCount: Int
  /// The time of each iteration, sorted.
  var nanoseconds: [Double]

  init(label: CaseLabel, share: Double, storedByteCount: Int, nanoseconds: [Double]) {
    self.label = label
    self.share = share
    self.storedByteCount = storedByteCount
    self.nanoseconds = nanoseconds.sorted()
  }

  /// The middle time, or the mean of the two middle ones.
  var median: Double {
    quantile(0.5)
  }

  /// Half the distance between the quartiles, as a part of the median.
  var spread: Double {
    (quantile(0.75) - quantile(0.25)) / 2 / median
  }

  /// The median for the whole workload, by proportion where only a share of it was done.
  var wholeMedian: Double {
    median / share
  }

  private func quantile(_ part: Double) -> Double {
    let position = part * Double(nanoseconds.count - 1)
    let index = Int(position)
    let next = min(index + 1, nanoseconds.count - 1)
    return nanoseconds[index] + (nanoseconds[next] - nanoseconds[index]) * (position - Double(index))
  }
}
