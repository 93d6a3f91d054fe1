import Foundation

/// One of the workloads that every speed figure of the project uses.
protocol Workload {
  /// Its short name, such as `W1`.
  var id: String { get }

  /// One line that says what it holds.
  var title: String { get }

  /// What times are divided by, such as `field`, and how many of them there are once the model is made.
  var unit: String { get }
  var unitCount: Int { get }

  /// What a reader must know to understand the figures of the peers; empty where there is nothing to say.
  var remark: String { get }

  /// Why the workload cannot be run here, such as a file that is not there; `nil` when it can.
  var obstacle: String? { get }

  /// All measurements, in the order in which they run.
  func cases() -> [MeasuredCase]
}

extension Workload {
  var remark: String { "" }

  var obstacle: String? { nil }
}

/// How large the workloads are, and where they may put files.
struct WorkloadOptions {
  /// 1 is the size that the project's figures are given for.
  var scale: Double
  /// A factor more for W4 alone, whose 256 MB are much for a quick look.
  var fieldScale: Double
  /// How much of W1 and W2 Foundation's coders do; less than 1 for a quick look.
  var peerShare: Double
  var scratchFolder: URL
  /// Where W8's input lies, if not in one of the usual places.
  var dataFolder: String?

  func count(_ standard: Int) -> Int {
    max(1, Int((Double(standard) * scale).rounded()))
  }
}
