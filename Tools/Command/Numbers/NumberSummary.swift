/// What is to be said of many numbers, which are added one by one.
struct NumberSummary {
  private(set) var count = 0
  private(set) var nanCount = 0
  private(set) var infiniteCount = 0
  /// The places of the least and the greatest number in the order of their type; nil where all are NaN.
  private(set) var minimumOrder: UInt64?
  private(set) var maximumOrder: UInt64?
  /// Of the finite numbers.
  private(set) var finiteRange: ClosedRange<Double>?
  private var average = 0.0
  /// The sum of squares of differences from the mean, in squares of `unit`.
  private var squares = 0.0
  private var unit = 1.0
  private var distinct: Set<UInt64> = []

  /// More different numbers are not counted.
  static let maximumDistinctCount = 1 << 16

  mutating func add(_ number: StoredNumber) {
    count += 1
    guard !number.value.isNaN else { return nanCount += 1 }
    minimumOrder = min(minimumOrder ?? number.order, number.order)
    maximumOrder = max(maximumOrder ?? number.order, number.order)
    if distinct.count <= Self.maximumDistinctCount { distinct.insert(number.order) }
    guard number.value.isFinite else { return infiniteCount += 1 }
    addFinite(number.value)
  }

  /// Welford's recurrence, in which neither the mean nor the squares overflow.
  private mutating func addFinite(_ value: Double) {
    let range = finiteRange ?? value...value
    finiteRange = min(range.lowerBound, value)...max(range.upperBound, value)
    adjustUnit(max(abs(range.lowerBound), abs(range.upperBound), abs(value)))
    let place = Double(finiteCount)
    let before = average
    let difference = value - average
    average += difference.isFinite ? difference / place : value / place - average / place
    squares += (value / unit - before / unit) * (value / unit - average / unit)
  }

  /// Squares of very large and very small numbers are no numbers; a power of 2 near them makes them 1.
  private mutating func adjustUnit(_ most: Double) {
    guard most > 0, !(0x1p-400...0x1p400).contains(most) || unit != 1 else { return }
    let new =
      (0x1p-400...0x1p400).contains(most) ? 1 : Double(sign: .plus, exponent: most.exponent, significand: 1)
    guard new != unit else { return }
    // It grows, but for the first number.
    if squares > 0 { squares = squares * (unit / new) * (unit / new) }
    unit = new
  }

  private var finiteCount: Int { count - nanCount - infiniteCount }

  /// The mean of the finite numbers; nil where there are none.
  var mean: Double? { finiteCount > 0 ? average : nil }

  /// The standard deviation of the finite numbers, as of a whole population.
  var deviation: Double? { finiteCount > 0 ? (squares / Double(finiteCount)).squareRoot() * unit : nil }

  /// How many numbers differ, by their bits and without NaN; nil where there are more than are counted.
  var distinctCount: Int? { distinct.count <= Self.maximumDistinctCount ? distinct.count : nil }
}

/// How many numbers are in each of some parts of a range.
struct NumberHistogram {
  let range: ClosedRange<Double>
  private(set) var counts: [Int]

  /// - Parameter range: of the numbers; a range of one number has one part.
  init(_ range: ClosedRange<Double>, partCount: Int) {
    self.range = range
    counts = Array(repeating: 0, count: range.lowerBound < range.upperBound ? partCount : 1)
  }

  /// Counts a number; those that are not finite are in no part.
  mutating func add(_ value: Double) {
    guard range.contains(value) else { return }
    // Halves, since the length of the range may be infinite.
    let length = range.upperBound / 2 - range.lowerBound / 2
    let part = length > 0 ? (value / 2 - range.lowerBound / 2) / length * Double(counts.count) : 0
    counts[min(Int(part), counts.count - 1)] += 1
  }

  /// Where a part begins; behind the last one, the end of the range.
  func bound(_ part: Int) -> Double {
    let share = Double(part) / Double(counts.count)
    return range.lowerBound * (1 - share) + range.upperBound * share
  }
}
