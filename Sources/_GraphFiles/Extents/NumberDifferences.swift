/// How the numbers of a block are stored as differences to those of another one.
///
/// The numbers of a block are what its filters leave of it but for those that a precision makes integers of: these
/// integers, or else the elements. So differences are small where elements are close, whatever the filters of the two are.
package struct NumberDifferences: Sendable, Equatable {
  /// Bytes of a number: 1, 2, 4 or 8.
  let width: Int
  /// With which the archive has the block; none where it has it as it is.
  let filters: [Segment.Filter]
  /// Those of the other block.
  let baseFilters: [Segment.Filter]
  /// What was done to the differences, before LZ4.
  let differenceFilters: [Segment.Filter]

  /// nil for filters that do not go together.
  package init?(
    width: Int, filters: [Segment.Filter], baseFilters: [Segment.Filter], differenceFilters: [Segment.Filter]
  ) {
    guard [1, 2, 4, 8].contains(width), filters.quantised == baseFilters.quantised,
      !(filters + baseFilters + differenceFilters).contains(where: \.isNote),
      differenceFilters.quantised == nil
    else { return nil }
    self.width = width
    self.filters = filters
    self.baseFilters = baseFilters
    self.differenceFilters = differenceFilters
  }
}
