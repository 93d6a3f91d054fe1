import Foundation

/// `number` with commas between its thousands.
func grouped(_ number: Int) -> String {
  var digits = String(number.magnitude)
  var groups: [Substring] = []
  while digits.count > 3 {
    groups.insert(Substring(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  groups.insert(Substring(digits), at: 0)
  return (number < 0 ? "-" : "") + groups.joined(separator: ",")
}

/// `value` with about three significant digits and no exponent; a dash for nothing.
func threeDigits(_ value: Double?) -> String {
  guard let value else { return "–" }
  switch value.magnitude {
  case ..<0.0995: return String(format: "%.3f", value)
  case ..<9.995: return String(format: "%.2f", value)
  case ..<99.95: return String(format: "%.1f", value)
  default: return grouped(Int(value.rounded()))
  }
}

extension Measurement {
  /// The stored size in megabytes (10⁶ bytes).
  var megabytes: Double { Double(storedByteCount) / 1e6 }

  var milliseconds: Double { median / 1e6 }
}
