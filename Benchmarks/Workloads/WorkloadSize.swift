import Foundation

/// How large a workload is, as a multiple of the size that figures are given for.
struct WorkloadSize: Hashable {
  var factor: Double

  static let standard = WorkloadSize(factor: 1)

  /// What stands behind the name of a workload of this size: nothing, or such as `/10` and `x10`.
  var suffix: String {
    if factor == 1 { return "" }
    let inverse = (1 / factor).rounded()
    if factor < 1, abs(inverse * factor - 1) < 1e-9 { return "/\(Int(inverse))" }
    return factor == factor.rounded() && factor < 1e15 ? "x\(Int(factor))" : "x\(factor)"
  }

  /// The number of elements where there are `standard` ones at size 1; at least 1.
  func count(_ standard: Int) -> Int {
    max(1, Int((Double(standard) * factor).rounded()))
  }
}
