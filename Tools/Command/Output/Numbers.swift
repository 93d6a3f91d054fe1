import Foundation

/// A number with commas between its thousands.
func grouped(_ number: some BinaryInteger) -> String {
  var digits = String(number)
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  return ([digits] + groups).joined(separator: ",")
}

/// A number and the word for what is counted.
func count(_ number: some BinaryInteger, _ one: String, _ many: String) -> String {
  "\(grouped(number)) \(number == 1 ? one : many)"
}

/// A number in the fewest digits that no other number has.
func shortest(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// The sum of numbers of bytes that files say, which may be any; the largest number where it is larger.
func sum(_ byteCounts: [UInt64]) -> UInt64 {
  byteCounts.reduce(0) { sum, byteCount in
    let (next, isTooLarge) = sum.addingReportingOverflow(byteCount)
    return isTooLarge ? .max : next
  }
}

/// The format of the elements of an array, or those of their fields in parentheses.
func formatText(_ formats: [String]) -> String {
  formats.count == 1 ? formats[0] : "(\(formats.joined(separator: ", ")))"
}

/// Says that a series, or a stream, has so many bytes behind its last entry, or frame.
func unfinishedText(_ byteCount: UInt64, of kind: FileKind?) -> String {
  "no finished \(kind == .messages ? "frame" : "entry") in the last \(count(byteCount, "byte", "bytes"))"
}

/// A size in the largest decimal unit of which there is one.
func decimalSize(_ byteCount: UInt64) -> String {
  let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
  guard byteCount >= 1000 else { return "\(byteCount) bytes" }
  var (size, unit) = (Double(byteCount) / 1000, 0)
  while size >= 1000 { (size, unit) = (size / 1000, unit + 1) }
  return "\(decimal(size, digits: 1)) \(units[unit])"
}

/// A number with so many digits behind the point.
func decimal(_ number: Double, digits: Int) -> String { String(format: "%.\(digits)f", number) }

/// A number with up to six significant digits.
func significant(_ number: Double) -> String { String(format: "%.6g", number) }
