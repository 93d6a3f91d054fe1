import GraphCodable

/// How the elements of an array lie in a picture.
enum PreviewLayout {
  /// Positions: so many, each of so many elements.
  case points(Int, elements: Int)
  case plane(Plane)

  /// Rows of numbers or of colours.
  struct Plane {
    let rows: Int
    let columns: Int
    /// 1; 3 or 4 for colours.
    var channels = 1
    /// How many elements each number or colour has.
    var elements = 1
  }

  init?(_ array: GraphRawArrayView, _ numbers: NumberColumns) {
    let shape = array.shape
    let (last, lanes) = (shape[shape.count - 1], numbers.columns.count)
    // Colours are bytes.
    let isImage = array.elementByteCount == lanes
    if array.fields.count == 1, lanes == 3 || lanes == 4, isImage, shape.count > 1 {
      self = .plane(Plane(rows: shape[shape.count - 2], columns: last, channels: lanes))
    } else if lanes == 3, array.fields.count == 1 {
      self = .points(last, elements: 1)
    } else if lanes != 1 || shape.count < 2 {
      return nil
    } else if shape.count > 2, last == 3 || last == 4, isImage {
      self = .plane(
        Plane(rows: shape[shape.count - 3], columns: shape[shape.count - 2], channels: last, elements: last))
    } else if last == 3 {
      self = .points(shape[shape.count - 2], elements: 3)
    } else {
      self = .plane(Plane(rows: shape[shape.count - 2], columns: last))
    }
  }
}

extension Preview.Points {
  /// - Returns: nil where none of them are finite.
  init?(_ numbers: NumberColumns, _ count: Int, _ elements: Int, _ detail: PreviewDetail) throws {
    var values: [Double?] = []
    try numbers.visit(
      in: Self.picks(count, detail).map { ($0.lowerBound * elements)..<($0.upperBound * elements) }
    ) { number, _, _ in values.append(number.value) }
    self.init(count, values)
  }

  /// Of three arrays of one length.
  init?(_ arrays: [NumberColumns], _ detail: PreviewDetail) throws {
    let count = arrays[0].count
    let lists = try arrays.map { array in
      var values: [Double?] = []
      try array.visit(in: Self.picks(count, detail)) { number, _, _ in values.append(number.value) }
      return values
    }
    self.init(count, lists[0].indices.flatMap { place in lists.map { $0[place] } })
  }

  private init?(_ count: Int, _ values: [Double?]) {
    (self.count, self.values) = (count, DrawnNumbers(values))
    guard self.values.hasNumbers else { return nil }
  }

  private static func picks(_ count: Int, _ detail: PreviewDetail) -> [Range<Int>] {
    // Positions that lie together are in one block.
    strided(count, most: detail.pointCount, together: max(1, detail.pointCount / 48))
  }
}

extension Preview.Grid {
  /// Longer rows are cut.
  private static let rowLimit = 1 << 16

  /// - Returns: nil where none of the numbers are finite.
  init?(_ numbers: NumberColumns, _ plane: PreviewLayout.Plane, _ detail: PreviewDetail) throws {
    let rowPicks = strided(plane.rows, most: detail.gridSide, together: 1).map(\.lowerBound)
    let columnPicks = strided(min(plane.columns, Self.rowLimit), most: detail.gridSide, together: 1)
    let isPicked = Set(columnPicks.map(\.lowerBound))
    let length = plane.columns * plane.elements
    var values: [Double?] = []
    let ranges = rowPicks.map {
      ($0 * length)..<($0 * length + min(length, Self.rowLimit * plane.elements))
    }
    try numbers.visit(in: ranges) { number, place, _ in
      if isPicked.contains(place % length / plane.elements) { values.append(number.value) }
    }
    (ofRows, ofColumns) = (plane.rows, plane.columns)
    (rows, columns, channels) = (rowPicks.count, columnPicks.count, plane.channels)
    self.values = DrawnNumbers(values)
    guard self.values.hasNumbers else { return nil }
  }
}

/// Ranges of places, with the same distance, of at most so many places.
private func strided(_ count: Int, most: Int, together: Int) -> [Range<Int>] {
  guard count > most else { return (0..<count).map { $0..<($0 + 1) }.merged(together) }
  let number = max(1, most / together)
  return (0..<number).map { index in
    let start = Int(Double(count - together) * Double(index) / Double(max(number - 1, 1)))
    return start..<(start + together)
  }
}

extension [Range<Int>] {
  /// Neighbours as one range, where several are asked for.
  fileprivate func merged(_ together: Int) -> [Range<Int>] {
    guard together > 1, let first, let last else { return self }
    return [first.lowerBound..<last.upperBound]
  }
}
