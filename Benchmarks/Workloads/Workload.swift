import Foundation
import GraphCodable

/// One of the workloads that every speed figure of the project uses, in one size.
protocol Workload {
  /// Its short name, such as `W1`.
  static var id: String { get }

  /// What it is about, in a word or two.
  static var subject: String { get }

  /// The sizes in which the suite runs it, in a full and in a quick run.
  static var sizes: [Double] { get }
  static var quickSizes: [Double] { get }

  init(_ options: WorkloadOptions)

  var options: WorkloadOptions { get }

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
  static var sizes: [Double] { [0.1, 1, 10] }

  static var quickSizes: [Double] { [1] }

  var remark: String { "" }

  var obstacle: String? { nil }

  /// Its name with its size, such as `W1/10`.
  var name: String { Self.id + options.size.suffix }

  func label(_ operation: Operation, _ subject: Subject) -> CaseLabel {
    CaseLabel(workload: name, operation: operation, subject: subject)
  }
}

/// A workload whose model is a graph that GraphCodable encodes as a whole.
protocol GraphWorkload: Workload {
  associatedtype Model: GCodable

  /// Makes the model, the same one each time.
  func generate() throws -> Model

  /// Whether a decoded model (second) equals the model, structure included.
  static func isSame(_ model: Model, _ decoded: Model) -> Bool
}

/// How large a workload is, how much of it is measured, and where it may put files.
struct WorkloadOptions {
  var size: WorkloadSize
  /// Whether limits, files and slow peers are measured too: at one size of each workload.
  ///
  /// The others show how GraphCodable and its fastest peers grow.
  var isDetailed: Bool
  /// How much of a workload of size 1 or less slow peers do; less than 1 for a quick look.
  var peerShare: Double
  var scratchFolder: URL
  /// Where W8's input lies, if not in one of the usual places.
  var dataFolder: String?

  /// How many of `count` elements slow peers do: never more than at size 1.
  func peerCount(_ count: Int) -> Int {
    max(1, Int(Double(count) * peerShare / max(1, size.factor)))
  }
}
