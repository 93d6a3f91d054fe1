import _GraphFiles
import _GraphSupport

// Arrays of arrays of packable elements are stored as the lengths of the arrays, then one run of elements: a nested packed array.
// The types say whether an array is one, the encoder whether the arrays inside have an identity, so that they cannot be.

/// How the arrays of a type are packed with the arrays inside them.
///
/// Not for use outside the package.
@frozen
public struct _GraphRowFormat {
  /// The number of array levels around an element; 0 if the elements are not packable.
  @usableFromInline let depth: Int
  /// The type of the elements.
  @usableFromInline let element: (any GEncodable.Type)?

  @inlinable
  init(depth: Int, element: (any GEncodable.Type)?) {
    self.depth = depth
    self.element = element
  }

  /// The format of anything that is not an array of packable elements.
  @inlinable static var none: Self { Self(depth: 0, element: nil) }

  /// The format of arrays of a type.
  @inlinable
  init<Element: GEncodable>(arrayOf type: Element.Type, _ encoder: GEncoder?) {
    let format = Element._graphEncodedFormat
    guard format == .none else {
      self = format == .unit ? .none : Self(depth: 1, element: type)
      return
    }
    let inner = Element._graphRowFormat(encoder)
    guard inner.depth > 0, inner.depth < Self.maximumDepth, encoder?.hasNoIdentity(type) != false else {
      self = .none
      return
    }
    self = Self(depth: inner.depth + 1, element: inner.element)
  }

  /// Whether arrays lie in arrays.
  @inlinable var isNested: Bool { depth > 1 }

  /// As many dimensions as the format has.
  @inlinable static var maximumDepth: Int { 8 }
}

/// The lengths of arrays in arrays, and their elements, on their way into a nested packed array.
///
/// Not for use outside the package.
public final class _GraphRows {
  let format: PackedFormat
  let element: any GEncodable.Type
  private(set) var levels: [Level]
  private var depth = 0
  /// The elements; those of long arrays stay in place until they are written.
  var elements: PackedPieces
  /// Strings that may have long runs of combining marks.
  var longTexts: [String] = []

  /// The lengths of the arrays of one level.
  struct Level {
    private(set) var first = 0
    private var count = 0
    private var isRagged = false
    /// One by one, if an array's length differs from the first one's, or no array has elements.
    private(set) var lengths: [Int] = []

    var isUniform: Bool { !isRagged && count > 0 }

    mutating func append(_ length: Int) {
      if count == 0 { first = length }
      if !isRagged, length != first || length == 0 {
        isRagged = true
        lengths = Array(repeating: first, count: count)
      }
      count += 1
      if isRagged { lengths.append(length) }
    }
  }

  init<Element: GEncodable>(_ element: Element.Type, depth: Int) {
    self.element = element
    let format = Element._graphEncodedFormat
    self.format = format == .structure ? .none : format
    elements = PackedPieces(
      elementByteCount: format == .structure ? MemoryLayout<Element>.stride : format.byteCount)
    levels = Array(repeating: Level(), count: depth)
  }

  /// How many elements each part of the outermost array has; 0 where they have different numbers.
  var rowElementCount: Int {
    guard levels.dropFirst().allSatisfy(\.isUniform), let count = levels.first?.first, count > 0 else {
      return 0
    }
    return elements.byteCount / elements.elementByteCount / count
  }

  /// See `BulkArray`; none where arrays have different numbers of elements.
  var innerStrides: [Int] {
    guard levels.count > 2, levels.allSatisfy(\.isUniform) else { return [] }
    return BulkArray.innerStrides(levels.map(\.first))
  }

  /// Adds an array, with the arrays inside it.
  @inlinable
  func add<List: Collection>(_ list: List) where List.Element: GEncodable {
    enter(list.count)
    if List.Element._graphEncodedFormat == .none {
      for element in list { element._graphAddRows(to: self) }
    } else {
      // All that are packed have their elements in one piece.
      _ = list.withContiguousStorageIfAvailable { unsafe addElements($0, of: list) }
    }
    leave()
  }

  @usableFromInline
  func enter(_ count: Int) {
    levels[depth].append(count)
    depth += 1
  }

  @usableFromInline
  func leave() { depth -= 1 }

  /// Adds the elements of an array of the last level.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func addElements<Row: Collection>(_ buffer: UnsafeBufferPointer<Row.Element>, of row: Row) {
    guard !buffer.isEmpty else { return }
    let size = elements.elementByteCount
    let bytes = unsafe PackedBytes(
      start: buffer.baseAddress, count: buffer.count, elementByteCount: size,
      stride: MemoryLayout<Row.Element>.stride)
    guard bytes.byteCount > Self.mostCopiedByteCount else { return elements.append(copying: bytes) }
    hold(row, bytes.byteCount)
  }

  /// A separate function, because the type of the owner is looked up at its start.
  @inline(never)
  private func hold<Row: Collection>(_ row: Row, _ byteCount: Int) {
    // It shares its storage: see `writePackable`.
    elements.append(
      PackedCollection(elements: row, elementByteCount: elements.elementByteCount), byteCount: byteCount)
  }

  /// Holding an array costs as much as copying some bytes.
  private static let mostCopiedByteCount = 512

  /// Removes everything, for other arrays with elements of the same type.
  func reset(depth: Int) {
    longTexts.removeAll()
    levels.removeAll(keepingCapacity: true)
    for _ in 0..<depth { levels.append(Level()) }
    // Arrays to be written as segments still need the elements.
    if isKnownUniquelyReferenced(&elements) {
      elements.removeAll()
    } else {
      elements = PackedPieces(elementByteCount: elements.elementByteCount)
    }
  }
}

extension GEncoder {
  /// Whether values of a type have no identity, whatever the options are.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func hasNoIdentity<Value: GEncodable>(_ type: Value.Type) -> Bool {
    encoderType(type).pointee.plan == .record
  }

  /// The kind of values of a type where they have no identity.
  ///
  /// Arrays in arrays are not packed where they have an identity of their own.
  @_semantics("optimize.sil.specialize.generic.never")
  package func plainKind<Value: GEncodable>(_ type: Value.Type) -> GraphKind {
    Value._graphIsPacked(self) ? Value._graphPlainKind : .array
  }

  /// Writes arrays in arrays as one nested packed array.
  ///
  /// - Returns: false where the arrays inside have an identity, and nothing is written.
  @inlinable
  func writeRows<List: GEncodable>(_ list: List) throws -> Bool {
    let format = List._graphRowFormat(self)
    guard format.isNested, let rows = takeRows(format) else { return false }
    list._graphAddRows(to: rows)
    try write(rows)
    return true
  }

  @usableFromInline
  func takeRows(_ format: _GraphRowFormat) -> _GraphRows? {
    guard let element = format.element else { return nil }
    if let rows = tables.idleRows, rows.element == element {
      rows.reset(depth: format.depth)
      return rows
    }
    func rows<Element: GEncodable>(_ element: Element.Type) -> _GraphRows {
      _GraphRows(element, depth: format.depth)
    }
    let rows = rows(element)
    tables.idleRows = rows
    return rows
  }

  /// Writes the lengths of arrays, and their elements.
  @usableFromInline
  func write(_ rows: _GraphRows) throws {
    for text in rows.longTexts { noteMarks(in: text) }
    try reserve()
    let layout = rows.format == .none ? layout(of: rows.element) : nil
    try putNestedHead(rows.format, layout, levelCount: rows.levels.count)
    for level in rows.levels {
      try reserve()
      if level.isUniform {
        state.pointee.out.putVarint(UInt64(level.first) << 1)
      } else {
        state.pointee.out.putVarint(1)
        for length in level.lengths {
          try reserve()
          state.pointee.out.putVarint(UInt64(length))
        }
      }
    }
    try reserve()
    let bytes = PackedBytes(rows.elements)
    let (precision, rounding) = rounding(rows.format, layout)
    if bytes.byteCount < BulkArray.minimumByteCount {
      try reserve(byteCount: bytes.byteCount + 9)
      state.pointee.out.putVarint(0)
      unsafe state.pointee.out.putBytes(bytes.byteCount) {
        unsafe bytes.copy(0..<bytes.byteCount, to: $0)
        unsafe rounding?.apply(to: $0)
      }
    } else {
      putNestedSegment(
        BulkArray(
          byteCount: bytes.byteCount, elementByteCount: bytes.elementByteCount, format: rows.format,
          rowElementCount: rows.rowElementCount, innerStrides: rows.innerStrides, precision: precision,
          rounding: rounding, compression: tables.compression, owner: rows.elements))
    }
  }

  /// Writes the format, or the layout, and the number of dimensions of a nested packed array; room has been reserved.
  func putNestedHead(_ format: PackedFormat, _ layout: Contents.Layout?, levelCount: Int) throws {
    putFormat(format)
    if let layout { state.pointee.out.putVarint(UInt64(tables.shapes.number(of: layout))) }
    state.pointee.out.putVarint(UInt64(levelCount))
  }

  /// Writes the number of a bulk segment, which stands for an array; room has been reserved.
  func putNestedSegment(_ array: BulkArray) {
    tables.bulk.append(array)
    state.pointee.out.putVarint(UInt64(tables.bulk.count))
  }
}
