/// How many elements of a set, or keys of a dictionary, have the same hash.
///
/// Each of them is compared with those before it. With many, as among NaN dates, or values of Foundation's `Data` and `Decimal`
/// with equal beginnings, this takes quadratic time.
@usableFromInline
package struct HashTally {
  private var counts: [Int: Int] = [:]
  /// Whether there is something to count.
  @usableFromInline package let isNeeded: Bool

  /// Sets of no more elements are not worth it.
  private static let freeCount = 64

  @usableFromInline
  package init(_ count: Int, isWellHashed: Bool) { isNeeded = count > Self.freeCount && !isWellHashed }

  /// Whether values of a type have the same hash only if they are equal, as a rule, and are equal to themselves.
  @inlinable
  @inline(__always)
  package static func isWellHashed<Element>(_ type: Element.Type) -> Bool {
    type == String.self || type == Int.self || type == UInt.self || type == Int64.self || type == UInt64.self
      || type == Int32.self || type == UInt32.self
  }

  /// Counts an element.
  ///
  /// - Returns: how many before it have the same hash.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  package mutating func add<Element: Hashable>(_ element: Element) -> Int {
    let hash = element.hashValue
    let count = counts[hash, default: 0]
    counts[hash] = count + 1
    return count
  }
}
