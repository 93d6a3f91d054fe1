extension FixedWidthInteger {
  /// The sum, or the largest number where it is larger: for numbers of a file, which may be any, in what is only reported.
  @inlinable package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

extension Sequence where Element: FixedWidthInteger {
  /// The sum, or the largest number where it is larger.
  @inlinable package func saturatedSum() -> Element { reduce(0) { $0.addingSaturated($1) } }
}
