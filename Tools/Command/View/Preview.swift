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
    let lows: DrawnNumbers
    let highs: DrawnNumbers
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
    let values: DrawnNumbers
  }

  /// Some of the positions that the last dimension has, each as x, y and z.
  struct Points: Encodable {
    let count: Int
    let values: DrawnNumbers
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
    wholeByteCount: 4 << 20, placeCount: 32, stretchCount: 240, gridSide: 96, pointCount: 4_000)
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
    switch PreviewLayout(array, numbers) {
    case .points(let count, let elements): points = try Points(numbers, count, elements, detail)
    case .plane(let layout): grid = try Grid(numbers, layout, detail)
    case nil: break
    }
  }

  /// Of vectors whose x, y and z are arrays by themselves: ``GraphArchive/vectorPaths(at:)`` says of which records they are.
  init(vectorsOf archive: GraphArchive, at path: GraphPath, _ detail: PreviewDetail) throws {
    let parts = try archive.vectorPaths(at: path).map { try Preview(archive, at: $0, detail) }
    let arrays = try archive.vectorPaths(at: path).map { try NumberColumns(archive.rawArray(at: $0)) }
    self.path = path.description
    (shape, count) = (parts[0].shape, parts[0].count)
    formats = Set(parts.map(\.formats)).count == 1 ? ["\(parts[0].formats[0]) × 3"] : parts.flatMap(\.formats)
    (sampledElements, sampledPlaces) = (parts[0].sampledElements, parts[0].sampledPlaces)
    columns = parts.flatMap(\.columns)
    points = try Points(arrays, detail)
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
    let drawn = stretches.flatMap { DrawnNumbers.beside([$0.lows, $0.highs]) }
    return shown.indices.map {
      Column(
        numbers: .init(numbers.columns[$0], summaries[$0], histograms[$0], lines[$0]),
        lows: drawn[2 * $0], highs: drawn[2 * $0 + 1])
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
