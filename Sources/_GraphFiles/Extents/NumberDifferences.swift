/// How the numbers of a block are stored as differences to those of another one.
///
/// The numbers of a block are the integers that the filter of a precision makes of its elements, or otherwise the elements
/// themselves. So differences are small when elements are close, whatever other filters the two blocks have.
package struct NumberDifferences: Sendable, Equatable {
  /// Bytes of a number: 1, 2, 4 or 8.
  let width: Int
  /// Those of the block in the archive; none if it is uncompressed.
  let filters: [Segment.Filter]
  /// Those of the other block.
  let baseFilters: [Segment.Filter]
  /// Those applied to the differences, before LZ4.
  let differenceFilters: [Segment.Filter]

  /// nil for filters that do not go together.
  package init?(
    width: Int, filters: [Segment.Filter], baseFilters: [Segment.Filter], differenceFilters: [Segment.Filter]
  ) {
    guard [1, 2, 4, 8].contains(width), filters.quantised == baseFilters.quantised,
      (filters + baseFilters + differenceFilters).allSatisfy({ $0.isKnown && !$0.isNote }),
      differenceFilters.quantised == nil
    else { return nil }
    self.width = width
    self.filters = filters
    self.baseFilters = baseFilters
    self.differenceFilters = differenceFilters
  }
}
