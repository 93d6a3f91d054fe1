import GraphCodable

/// The numbers at a path: a column for each scalar of an array's elements, or one for single values.
struct NumberColumns {
  struct Column {
    /// The field and the lane; empty where there is a single column.
    let name: String
    let type: NumberType
    fileprivate let offset: Int
  }

  let columns: [Column]
  /// The lengths of the array's dimensions, from the outermost.
  let shape: [Int]
  /// The format of the elements, or that of each of their fields.
  let formats: [String]
  let count: Int

  private let source: Source

  private enum Source {
    case array(GraphRawArrayView)
    case values([StoredNumber])
  }

  /// - Throws: `typeMismatch` for an array without numbers.
  init(_ array: GraphRawArrayView) throws {
    let scalars = try ArrayElements(array).scalars
    // Lanes of elements that are no structs have numbers alone: "0.1" is lane 1 of the only field.
    let prefix = array.fields.count == 1 && array.fields[0].key == nil ? 2 : 0
    columns = scalars.compactMap { scalar in
      NumberType(scalar.type).map {
        Column(
          name: scalars.count > 1 ? String(scalar.name.dropFirst(prefix)) : "", type: $0,
          offset: scalar.offset)
      }
    }
    guard !columns.isEmpty else { throw GCodableError(.typeMismatch, "the array has no numbers") }
    (shape, count, source) = (array.shape, array.count, .array(array))
    formats = array.fields.map(\.format.description)
  }

  /// The numbers at a path, which may be those of records: `bodies[0..<5].mass`.
  ///
  /// - Throws: `typeMismatch` where there are none.
  init(_ archive: GraphArchive, at path: GraphPath) throws {
    do {
      self = try NumberColumns(archive.rawArray(at: path))
      return
    } catch let error as GCodableError
      where error.code == .typeMismatch
    {
      // Perhaps single values.
      guard try path.hasRanges || archive.item(at: path).packedFormats.isEmpty else { throw error }
    }
    var (numbers, kinds) = ([StoredNumber](), Set<GraphKind>())
    try ValuePaths(archive).forEach(path) { path in
      let item = try archive.item(at: path)
      guard let number = Self.number(item) else {
        throw GCodableError(
          .typeMismatch, "the value at \(path) is no number, of which there are statistics: see ls")
      }
      numbers.append(number)
      kinds.insert(item.kind)
    }
    guard let kind = kinds.first, kinds.count == 1, let type = Self.types[kind] else {
      throw GCodableError(.typeMismatch, "the values at \(path) are of several types")
    }
    self = NumberColumns(numbers, type, kind)
  }

  private init(_ numbers: [StoredNumber], _ type: NumberType, _ kind: GraphKind) {
    columns = [Column(name: "", type: type, offset: 0)]
    (shape, formats, count) = ([numbers.count], [kind.description], numbers.count)
    source = .values(numbers)
  }

  private static let types: [GraphKind: NumberType] = [
    .int8: .signed(.int64), .int16: .signed(.int64), .int32: .signed(.int64), .int64: .signed(.int64),
    .uint8: .unsigned(.uint64), .uint16: .unsigned(.uint64), .uint32: .unsigned(.uint64),
    .uint64: .unsigned(.uint64), .float16: .real(.float32), .float32: .real(.float32),
    .float64: .real(.float64),
  ]

  private static func number(_ item: GraphArchive.Item) -> StoredNumber? {
    guard let text = item.text else { return nil }
    switch types[item.kind] {
    case .signed: return Int64(text).map { StoredNumber($0) }
    case .unsigned: return UInt64(text).map { StoredNumber($0) }
    case .real: return Double(text).map { StoredNumber($0) }
    case nil: return nil
    }
  }

  /// Calls `body` with each number in ranges of places, its place and its column.
  ///
  /// - Parameter ranges: by default all places.
  func visit(in ranges: [Range<Int>]? = nil, _ body: (StoredNumber, _ place: Int, _ column: Int) -> Void)
    throws
  {
    for range in ranges ?? [0..<count] {
      switch source {
      case .values(let numbers): for place in range { body(numbers[place], place, 0) }
      case .array(let array):
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.piece) {
          let places = start..<min(start + Self.piece, range.upperBound)
          try array[places].withUnsafeBytes { bytes in
            for place in places {
              let element = (place - start) * array.elementByteCount
              for (number, column) in columns.enumerated() {
                body(column.type.number(in: bytes, at: element + column.offset), place, number)
              }
            }
          }
        }
      }
    }
  }

  /// Some blocks of an archive.
  private static let piece = 1 << 17
}
