internal import CCallStack

/// The functions that are being called while an instance encodes its values.
package final class CodingTrace {
  /// Their start addresses.
  private(set) var functions: Set<UInt> = []

  package init() {}

  /// Notes the functions that are being called now.
  ///
  /// - Complexity: Some microseconds.
  package func note() {
    unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.depth) { places in
      guard let start = places.baseAddress else { return }
      let count = unsafe gca_callers(start, Self.depth)
      for index in 0..<count { unsafe functions.insert(places[index]) }
    }
  }

  /// How many calls there may be between `encode(to:)` and the place where a value is encoded.
  private static let depth = 64
}
