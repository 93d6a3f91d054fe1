/// Numbers as a line of bars, from the left to the right.
struct Sparkline {
  private var sums: [Double]
  private var counts: [Int]
  private let count: Int

  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// - Parameters:
  ///   - count: how many numbers there are.
  ///   - width: how many bars there are at most.
  init(count: Int, width: Int = 60) {
    self.count = count
    sums = Array(repeating: 0, count: max(min(width, count), 1))
    counts = sums.map { _ in 0 }
  }

  /// A line of numbers, a bar each.
  init(_ values: [Double?], width: Int = 60) {
    self.init(count: values.count, width: width)
    for (place, value) in values.enumerated() { if let value { add(value, at: place) } }
  }

  /// Adds a number; those that are not finite have no bar.
  mutating func add(_ value: Double, at place: Int) {
    guard value.isFinite, place < count else { return }
    let (product, isTooLarge) = place.multipliedReportingOverflow(by: sums.count)
    let bar = isTooLarge ? Int(Double(place) / Double(count) * Double(sums.count)) : product / count
    counts[bar] += 1
    sums[bar] += value / Double(count) * Double(sums.count)
  }

  /// The line, with a space where there is no number; the lowest bar is the least mean of numbers that lie together.
  var text: String {
    let means = zip(sums, counts).map { sum, number in
      number > 0 ? sum / Double(number) * (Double(count) / Double(sums.count)) : nil
    }
    let known = means.compactMap(\.self)
    guard let lowest = known.min(), let highest = known.max() else { return "" }
    let length = highest / 2 - lowest / 2
    return String(
      means.map { mean in
        guard let mean else { return " " }
        let height = length > 0 ? (mean / 2 - lowest / 2) / length : 0
        return Self.bars[min(Int(height * Double(Self.bars.count)), Self.bars.count - 1)]
      })
  }
}
