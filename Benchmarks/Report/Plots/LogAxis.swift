import Foundation

/// An axis on which equal distances are equal ratios.
struct LogAxis {
  let values: ClosedRange<Double>
  /// The places of the smallest and of the largest value; the first may be the larger number.
  let places: (start: Double, end: Double)

  func place(_ value: Double) -> Double {
    let part =
      (log10(value) - log10(values.lowerBound)) / (log10(values.upperBound) - log10(values.lowerBound))
    return places.start + (places.end - places.start) * part
  }

  /// The powers of ten within the axis; where there are fewer than two, also twice and five times these.
  var ticks: [Double] {
    let exponents = Int(floor(log10(values.lowerBound)))...Int(ceil(log10(values.upperBound)))
    let powers = exponents.map { pow(10, Double($0)) }
    let tens = powers.filter(values.contains)
    return tens.count > 1 ? tens : powers.flatMap { [$0, 2 * $0, 5 * $0] }.filter(values.contains)
  }

  /// `value` as short as possible, such as `0.1`, `20` and `1M`.
  static func label(_ value: Double) -> String {
    switch value {
    case 1e6...: "\(label(value / 1e6))M"
    case 1e3...: "\(label(value / 1e3))k"
    case 0.999...: String(format: "%.0f", value)
    default: String(format: "%g", value)
    }
  }
}
