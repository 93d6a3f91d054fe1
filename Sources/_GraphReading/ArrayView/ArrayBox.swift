import _GraphSupport

/// A range of each dimension of an array, from the outermost.
package struct ArrayBox: Hashable, Sendable {
  package var ranges: [Range<Int>]

  package init(_ ranges: [Range<Int>]) { self.ranges = ranges }

  /// - Returns: nil for numbers that are no ranges.
  package init?(offset: [Int], shape: [Int]) {
    guard offset.count == shape.count else { return nil }
    ranges = []
    for (start, length) in zip(offset, shape) {
      let (end, isTooLarge) = start.addingReportingOverflow(length)
      guard start >= 0, length >= 0, !isTooLarge else { return nil }
      ranges.append(start..<end)
    }
  }

  package var shape: [Int] { ranges.map(\.count) }
  var isEmpty: Bool { ranges.contains(where: \.isEmpty) }

  /// The number of elements; nil if it overflows.
  package var count: Int? { Self.count(shape) }

  /// The number of elements of an array; nil if it overflows.
  package static func count(_ shape: [Int]) -> Int? {
    shape.contains(0)
      ? 0
      : shape.reduce(1 as Int?) { count, length in
        let product = (count ?? 0).multipliedReportingOverflow(by: length)
        return count == nil || product.overflow || length < 0 ? nil : product.partialValue
      }
  }

  /// Its intersection with another box of as many dimensions; nil if empty.
  package func intersection(_ other: ArrayBox) -> ArrayBox? {
    let common = zip(ranges, other.ranges).map { $0.clamped(to: $1) }
    return common.contains(where: \.isEmpty) ? nil : ArrayBox(common)
  }

  /// The ranges, counted from the start of another box.
  package func relative(to other: ArrayBox) -> [Range<Int>] {
    zip(ranges, other.ranges).map { ($0.lowerBound - $1.lowerBound)..<($0.upperBound - $1.lowerBound) }
  }

  /// The places of its elements in a larger box in row-major order: runs of neighbours, each as long as `count` divided
  /// by their number.
  package func runs(in other: ArrayBox) -> [Range<Int>] {
    var runs = [0..<1]
    for (range, length) in zip(relative(to: other), other.shape) {
      // A run of whole rows stays one.
      let isWhole = range.count == length
      runs =
        isWhole
        ? runs.map { ($0.lowerBound * length)..<($0.upperBound * length) }
        : runs.joined().map { ($0 * length + range.lowerBound)..<($0 * length + range.upperBound) }
    }
    return runs
  }

  /// Two boxes of a list that have an element in common, by their places in the list; nil if there are none.
  ///
  /// - Throws: `limitExceeded` where that would cost out of proportion, as for no division into domains.
  package static func overlap(of boxes: [ArrayBox]) throws -> (Int, Int)? {
    let places = boxes.indices.filter { !boxes[$0].isEmpty }
    guard let dimensionCount = places.first.map({ boxes[$0].ranges.count }) else { return nil }
    // Along the dimension that is cut most often, few have the same places.
    let dimension = (0..<dimensionCount).max { one, other in
      Set(places.map { boxes[$0].ranges[one].lowerBound }).count
        < Set(places.map { boxes[$0].ranges[other].lowerBound }).count
    }
    guard let dimension else { return places.count > 1 ? (places[0], places[1]) : nil }
    let sorted = places.sorted {
      boxes[$0].ranges[dimension].lowerBound < boxes[$1].ranges[dimension].lowerBound
    }
    var (open, cost): ([Int], Int) = ([], 0)
    for place in sorted {
      let start = boxes[place].ranges[dimension].lowerBound
      open.removeAll { boxes[$0].ranges[dimension].upperBound <= start }
      cost += open.count
      guard cost <= 200_000_000 else {
        throw GCodableError(.limitExceeded, "the parts of an array lie so that they cannot be compared")
      }
      if let other = open.first(where: { boxes[$0].intersection(boxes[place]) != nil }) {
        return (other, place)
      }
      open.append(place)
    }
    return nil
  }
}
