import GraphCodable

/// What a page shows of an array; its properties are the keys in JSON.
struct Preview: Encodable {
  let path: String
  let formats: [String]
  let shape: [Int]
  let count: Int
  /// How many elements were read, in how many places of the array; absent where all were.
  private(set) var sampledElements: Int?
  private(set) var sampledPlaces: Int?
  private(set) var columns: [Column] = []
  private(set) var grid: Grid?
  private(set) var points: Points?
  private(set) var rows: Rows?

  /// A scalar of the elements.
  struct Column: Encodable {
    let numbers: NumbersReport.Column
    /// The least and the greatest number of each of some stretches of the array; null where none was read.
    let lows: [Float?]
    let highs: [Float?]
  }

  /// Numbers of the last dimensions of the array, of the first plane if there are more.
  struct Grid: Encodable {
    let rows: Int
    let columns: Int
    /// How many of each the plane has.
    let ofRows: Int
    let ofColumns: Int
    /// 1; 3 or 4 for the colours of an image.
    let channels: Int
    let values: [Float?]
  }

  /// Some of the positions that the last dimension has.
  struct Points: Encodable {
    let count: Int
    let values: [Float?]
  }

  /// The first elements as text.
  struct Rows: Encodable {
    let names: [String]
    let texts: [[String]]
  }
}

/// How much of each array is read and shown.
struct PreviewDetail {
  /// A larger array is sampled.
  var wholeByteCount: Int
  var placeCount: Int
  var stretchCount: Int
  var gridSide: Int
  var pointCount: Int

  static let full = PreviewDetail(
    wholeByteCount: 4 << 20, placeCount: 32, stretchCount: 240, gridSide: 96, pointCount: 1_500)
  /// For a step of many.
  static let step = PreviewDetail(
    wholeByteCount: 128 << 10, placeCount: 8, stretchCount: 100, gridSide: 40, pointCount: 400)
}

extension Preview {
  /// - Parameter detail: how much is read; less is, where arrays before have read much.
  init(_ archive: GraphArchive, at path: GraphPath, _ detail: PreviewDetail) throws {
    let array = try archive.rawArray(at: path)
    (self.path, shape, count) = (path.description, array.shape, array.count)
    formats = array.fields.map(\.format.description)
    if array.fields.count > 1 || NumberType(array.fields[0].format.scalar ?? .uuid) == nil {
      rows = try Rows(array)
    }
    guard let numbers = try? NumberColumns(array), count > 0 else { return }
    let places = Places(count, elementByteCount: array.elementByteCount, detail)
    if !places.isWhole { (sampledElements, sampledPlaces) = (places.elementCount, places.ranges.count) }
    columns = try Self.columns(numbers, places, detail)
    guard rows == nil else { return }
    if let layout = Layout(array, numbers) {
      switch layout {
      case .points: points = try Points(numbers, layout, detail)
      case .plane, .image: grid = try Grid(numbers, layout, detail)
      }
    }
  }

  private static let columnLimit = 8
  private static let partCount = 32

  private static func columns(
    _ numbers: NumberColumns, _ places: Places, _ detail: PreviewDetail
  ) throws -> [Column] {
    let shown = numbers.columns.prefix(columnLimit)
    var summaries = shown.map { _ in NumberSummary() }
    let stretchCount = min(numbers.count, places.isWhole ? detail.stretchCount : places.ranges.count)
    var stretches = shown.map { _ in Stretches(stretchCount, of: numbers.count) }
    var lines = shown.map { _ in Sparkline(count: numbers.count, width: stretchCount) }
    try numbers.visit(in: places.ranges) { number, place, column in
      guard column < shown.count else { return }
      summaries[column].add(number)
      stretches[column].add(number.value, at: place)
      lines[column].add(number.value, at: place)
    }
    var histograms = summaries.map { $0.finiteRange.map { NumberHistogram($0, partCount: partCount) } }
    try numbers.visit(in: places.ranges) { number, _, column in
      if column < shown.count { histograms[column]?.add(number.value) }
    }
    return shown.indices.map {
      Column(
        numbers: .init(numbers.columns[$0], summaries[$0], histograms[$0], lines[$0]),
        lows: stretches[$0].lows, highs: stretches[$0].highs)
    }
  }
}

/// Which elements of an array are read.
private struct Places {
  let ranges: [Range<Int>]
  let isWhole: Bool

  private static let rangeByteCount = 2 << 10

  var elementCount: Int { ranges.reduce(0) { $0 + $1.count } }

  init(_ count: Int, elementByteCount: Int, _ detail: PreviewDetail) {
    isWhole = count <= detail.wholeByteCount / elementByteCount
    guard !isWhole else {
      ranges = [0..<count]
      return
    }
    let length = max(1, min(Self.rangeByteCount / elementByteCount, count / detail.placeCount))
    ranges = (0..<detail.placeCount).map { number in
      let start = Int(Double(count - length) * Double(number) / Double(max(detail.placeCount - 1, 1)))
      return start..<(start + length)
    }
  }
}

/// The least and the greatest of the numbers that lie together.
private struct Stretches {
  private(set) var lows: [Float?]
  private(set) var highs: [Float?]
  private let count: Int

  init(_ stretchCount: Int, of count: Int) {
    self.count = count
    lows = Array(repeating: nil, count: stretchCount)
    highs = lows
  }

  mutating func add(_ value: Double, at place: Int) {
    guard let value = drawn(value) else { return }
    let stretch = min(Int(Double(place) / Double(count) * Double(lows.count)), lows.count - 1)
    lows[stretch] = min(lows[stretch] ?? value, value)
    highs[stretch] = max(highs[stretch] ?? value, value)
  }
}

/// A number that a picture can show; nil for others.
private func drawn(_ value: Double) -> Float? {
  let value = Float(value)
  return value.isFinite ? value : nil
}

/// How the elements of an array lie in a picture.
private enum Layout {
  /// Positions: so many, each of so many elements.
  case points(Int, elements: Int)
  case plane(rows: Int, columns: Int)
  case image(rows: Int, columns: Int, channels: Int)

  init?(_ array: GraphRawArrayView, _ numbers: NumberColumns) {
    let shape = array.shape
    let last = shape[shape.count - 1]
    if numbers.columns.count == 3, array.fields.count == 1 {
      self = .points(last, elements: 1)
    } else if numbers.columns.count != 1 || shape.count < 2 {
      return nil
    } else if shape.count > 2, last == 3 || last == 4, array.elementByteCount == 1 {
      self = .image(rows: shape[shape.count - 3], columns: shape[shape.count - 2], channels: last)
    } else if last == 3 {
      self = .points(shape[shape.count - 2], elements: 3)
    } else {
      self = .plane(rows: shape[shape.count - 2], columns: last)
    }
  }
}

extension Preview.Points {
  fileprivate init(_ numbers: NumberColumns, _ layout: Layout, _ detail: PreviewDetail) throws {
    guard case .points(let count, let elements) = layout else { preconditionFailure("not points") }
    // Positions that lie together are in one block.
    let together = max(1, detail.pointCount / 48)
    let picks = strided(count, most: detail.pointCount, together: together)
    var values: [Float?] = []
    try numbers.visit(in: picks.map { ($0.lowerBound * elements)..<($0.upperBound * elements) }) {
      number, _, _ in values.append(drawn(number.value))
    }
    (self.count, self.values) = (count, values)
  }
}

extension Preview.Grid {
  /// Longer rows are cut.
  private static let rowLimit = 1 << 16

  fileprivate init(_ numbers: NumberColumns, _ layout: Layout, _ detail: PreviewDetail) throws {
    let (allRows, allColumns, channels): (Int, Int, Int) =
      switch layout {
      case .plane(let rows, let columns): (rows, columns, 1)
      case .image(let rows, let columns, let channels): (rows, columns, channels)
      case .points: preconditionFailure("not a plane")
      }
    let rowPicks = strided(allRows, most: detail.gridSide, together: 1).map(\.lowerBound)
    let columnPicks = strided(min(allColumns, Self.rowLimit), most: detail.gridSide, together: 1)
    let isPicked = Set(columnPicks.map(\.lowerBound))
    let length = allColumns * channels
    var values: [Float?] = []
    let ranges = rowPicks.map { ($0 * length)..<($0 * length + min(length, Self.rowLimit * channels)) }
    try numbers.visit(in: ranges) { number, place, _ in
      if isPicked.contains(place % length / channels) { values.append(drawn(number.value)) }
    }
    (ofRows, ofColumns) = (allRows, allColumns)
    (rows, columns, self.channels, self.values) = (rowPicks.count, columnPicks.count, channels, values)
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

extension Preview.Rows {
  private static let limit = 12

  fileprivate init(_ array: GraphRawArrayView) throws {
    let elements = try ArrayElements(array)
    let count = min(array.count, Self.limit)
    let bytes = try array[0..<count]
    names = elements.scalars.map(\.name)
    texts = (0..<count).map { place in
      elements.scalars.map { scalar in
        let start = place * array.elementByteCount + scalar.offset
        return ArrayElements.text(scalar.type, bytes[start..<(start + scalar.type.byteCount)])
      }
    }
  }
}
