import Foundation

/// Where two graphs differ.
///
///     let comparison = try archive.compare(with: other, absoluteTolerance: 1e-9)
///     for difference in comparison.differences { print(difference) }
public struct GraphComparison: Sendable {
  /// The first differences, in the order in which they were found.
  public let differences: [GraphDifference]
  /// How many there are; elements of an array count as one.
  public let differenceCount: Int
  /// Whether the graphs are the same, but for tolerances.
  public var isEmpty: Bool { differenceCount == 0 }
}

/// A place where two graphs differ.
public struct GraphDifference: Hashable, Sendable {
  /// What differs.
  public enum Kind: Hashable, Sendable {
    /// Two values of one kind.
    case value
    /// Kinds, classes or formats.
    case type
    /// The numbers of elements or pairs, or the lengths of arrays in arrays.
    case count
    /// Something that the first graph alone has.
    case missing
    /// Something that the second graph alone has.
    case added
    /// One object where the other graph has two, or an object that is another one than before.
    case identity
    /// Elements of an array of numbers.
    case elements
  }

  /// Where it is, in the first graph as long as it is there.
  public let path: GraphPath
  /// What differs.
  public let kind: Kind
  /// What the first graph has; nil for nothing.
  public let first: String?
  /// What the second graph has; nil for nothing.
  public let second: String?
  /// How many elements of an array differ; nil for others.
  public var elementCount: Int?
  /// The largest difference of two of these elements; nil where they are not numbers.
  public var maximumDistance: Double?
}

extension GraphDifference: CustomStringConvertible {
  /// One line: where and what.
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
  /// Compares two graphs by their structure, their values and the identity of their objects, without their types.
  ///
  /// Objects correspond where paths to them do. Fields and pairs of dictionaries are compared by their keys, elements of sets
  /// with each other in whatever order, where they are single values. Compression, filters and numbers of objects make no difference.
  /// Blocks of arrays that are stored with the same checksums and filters are taken for equal without expanding them.
  ///
  /// - Parameters:
  ///   - other: the second graph.
  ///   - absoluteTolerance: by how much floating-point numbers may differ.
  ///   - relativeTolerance: by how much they may differ in proportion to the larger one. With tolerances of 0, numbers
  ///     differ where their bits do; otherwise those are the same that differ by either tolerance at most, and NaN is NaN.
  ///   - maximumCount: how many differences are described.
  ///   - progress: reports the bytes that have been compared; cancelling it ends the work.
  /// - Throws: `GCodableError`: `damaged` or `malformed`, `file`, `limitExceeded` for values that lie more than 1,024 deep in
  ///   each other; `CancellationError`.
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
