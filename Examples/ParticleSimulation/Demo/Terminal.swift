import Foundation

/// Whether standard output shows colours: it is a terminal, and nobody has asked for none.
private let hasColours: Bool = {
  let environment = ProcessInfo.processInfo.environment
  return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
    && environment["TERM"] != "dumb"
}()

/// Prints what comes next, behind all that was printed before: it may take a while.
func heading(_ text: String) {
  print(hasColours ? "\n\u{1B}[1m\(text)\u{1B}[0m" : "\n\(text)")
  fflush(nil)
}

/// Numbers as a line of bars: the mean of each stretch, from the least one on; `length` is that of the highest bar.
func sparkline(_ numbers: [Double], length: Double, width: Int = 60) -> String {
  let bars = Array("▁▂▃▄▅▆▇█")
  let count = min(width, numbers.count)
  let means = (0..<count).map { place in
    let stretch = numbers[place * numbers.count / count..<(place + 1) * numbers.count / count]
    return stretch.reduce(0, +) / Double(stretch.count)
  }
  let lowest = means.min() ?? 0
  return String(
    means.map { mean in
      let height = length > 0 ? (mean - lowest) / length * Double(bars.count) : 0
      return bars[min(max(Int(height), 0), bars.count - 1)]
    })
}

extension String {
  /// The text with spaces behind it, or in front of it.
  func padded(to width: Int, atEnd: Bool = true) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return atEnd ? self + spaces : spaces + self
  }
}
