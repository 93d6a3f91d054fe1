/// Numbers of a picture, nil where it has a gap, in as many digits as it needs.
struct DrawnNumbers: Encodable {
  let values: [Double?]
  /// Whether binary32, whose texts are short, tells them apart as well as a picture can.
  private let isSingle: Bool

  /// - Parameter values: those that are not finite become gaps.
  init(_ values: [Double?]) { self = Self.beside([values])[0] }

  private init(_ values: [Double?], isSingle: Bool) { (self.values, self.isSingle) = (values, isSingle) }

  /// Lists that are drawn by one scale.
  static func beside(_ lists: [[Double?]]) -> [DrawnNumbers] {
    let finite = lists.map { list in list.map { $0.flatMap { $0.isFinite ? $0 : nil } } }
    let numbers = finite.joined().compactMap(\.self)
    let (low, high) = (numbers.min() ?? 0, numbers.max() ?? 0)
    let most = max(abs(low), abs(high))
    let isSingle = most == 0 || (1e-30...1e30).contains(most) && (low == high || high - low > 1e-4 * most)
    return finite.map { DrawnNumbers($0, isSingle: isSingle) }
  }

  /// Whether there is anything to draw.
  var hasNumbers: Bool { values.contains { $0 != nil } }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isSingle {
      try container.encode(values.map { $0.map(Float.init) })
    } else {
      try container.encode(values)
    }
  }
}

/// The least and the greatest of the numbers that lie together.
struct Stretches {
  private(set) var lows: [Double?]
  private(set) var highs: [Double?]
  private let count: Int

  init(_ stretchCount: Int, of count: Int) {
    self.count = count
    lows = Array(repeating: nil, count: stretchCount)
    highs = lows
  }

  mutating func add(_ value: Double, at place: Int) {
    guard value.isFinite else { return }
    // In integers: a quotient that is rounded would leave gaps.
    let product = place.multipliedFullWidth(by: lows.count)
    let stretch = count.dividingFullWidth(product).quotient
    lows[stretch] = min(lows[stretch] ?? value, value)
    highs[stretch] = max(highs[stretch] ?? value, value)
  }
}
