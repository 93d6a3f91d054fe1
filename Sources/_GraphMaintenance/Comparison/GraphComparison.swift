import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Where two graphs differ.
///
///     let comparison = try archive.compare(with: other, absoluteTolerance: 1e-9)
///     for difference in comparison.differences { print(difference) }
public struct GraphComparison: Sendable {
  /// The first differences, in the order in which they were found.
  public let differences: [GraphDifference]
  /// The number of differences; the elements of an array count as one.
  public let differenceCount: Int
  /// Whether the graphs are the same, within the tolerances.
  public var isEmpty: Bool { differenceCount == 0 }
}

/// A place where two graphs differ.
public struct GraphDifference: Hashable, Sendable {
  /// What differs.
  public enum Kind: Hashable, Sendable {
    /// Two values of the same kind.
    case value
    /// Kinds, classes or formats.
    case type
    /// The numbers of elements or pairs, or the lengths of nested arrays.
    case count
    /// A value that only the first graph has.
    case missing
    /// A value that only the second graph has.
    case added
    /// One object where the other graph has two, or an object other than the one that corresponded so far.
    case identity
    /// Elements of an array of numbers.
    case elements
  }

  /// The path of the difference: in the first graph, or in the second if only that has the value.
  public let path: GraphPath
  /// What differs.
  public let kind: Kind
  /// What the first graph has; nil if it has nothing there.
  public let first: String?
  /// What the second graph has; nil if it has nothing there.
  public let second: String?
  /// The number of elements of an array that differ; nil for other values.
  public var elementCount: Int?
  /// The largest difference between two such elements; nil if they are not numbers.
  public var maximumDistance: Double?
}

extension GraphDifference: CustomStringConvertible {
  /// One line that says where and what.
  public var description: String {
    let place = path.steps.isEmpty ? "root" : path.description
    switch kind {
    case .missing: return "\(place): only in the first: \(first ?? "")"
    case .added: return "\(place): only in the second: \(second ?? "")"
    case .identity: return "\(place): other identity: \(first ?? ""), \(second ?? "")"
    case .value, .type, .count: return "\(place): \(first ?? "nothing"), \(second ?? "nothing")"
    case .elements:
      let distance = maximumDistance.map { ", by up to \($0)" } ?? ""
      return "\(place): \(first ?? ""), \(second ?? ""); \(elementCount ?? 0) elements differ\(distance)"
    }
  }
}

extension GraphArchive {
  /// Compares two graphs by structure, values and identity of objects, without their Swift types.
  ///
  /// Objects correspond if paths to them do. Fields and pairs of dictionaries are compared by key; elements of sets that are
  /// single values, in any order. Compression, filters and object numbers make no difference. Blocks of arrays with the same
  /// checksums and filters are considered equal without being expanded.
  ///
  /// - Parameters:
  ///   - other: the second graph.
  ///   - absoluteTolerance: the amount by which floating-point numbers may differ.
  ///   - relativeTolerance: the same in proportion to the larger number. If both tolerances are 0, numbers are compared by
  ///     their bits; otherwise numbers within either tolerance are equal, and so are two NaNs.
  ///   - maximumCount: how many differences are described.
  ///   - progress: reports the bytes that have been compared; cancelling it ends the comparison.
  /// - Throws: `GCodableError`: `damaged` or `malformed`, `file`, `limitExceeded` for values nested more than 1,024 levels
  ///   deep; `CancellationError`.
  /// - Complexity: O(n) in the size of the graphs. Their graph streams are in memory.
  public func compare(
    with other: GraphArchive, absoluteTolerance: Double = 0, relativeTolerance: Double = 0,
    atMost maximumCount: Int = 100, progress: Progress? = nil
  ) throws -> GraphComparison {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    report?.begin(byteCount: contents.rawByteCount)
    let tolerance = Tolerance(absolute: absoluteTolerance, relative: relativeTolerance)
    let comparison = try withReader { first in
      try other.withReader { second in
        let comparer = try GraphComparer(first, second, tolerance, atMost: max(maximumCount, 0), report)
        return try comparer.compare()
      }
    }
    report?.finish()
    return comparison
  }
}

/// By how much numbers may differ.
struct Tolerance {
  let absolute: Double
  let relative: Double

  /// Whether only equal bits are equal.
  var isExact: Bool { !(absolute > 0 || relative > 0) }

  func accepts(_ first: Double, _ second: Double) -> Bool {
    if first == second || first.isNaN && second.isNaN {
      return !isExact || first.bitPattern == second.bitPattern
    }
    guard !isExact, first.isFinite, second.isFinite else { return false }
    let distance = (first - second).magnitude
    return distance <= absolute || distance <= relative * max(first.magnitude, second.magnitude)
  }
}
