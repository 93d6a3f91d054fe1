import _GraphFiles
import _GraphSupport

// A nested packed array is decoded row by row, while blocks are expanded ahead. What is asked for as something else than
// arrays of that depth, such as a list of sets, is decoded as a list of packed arrays.

/// Makes arrays in arrays of a nested packed array.
///
/// Not for use outside the package.
public final class _GraphRowReader {
  @usableFromInline let decoder: GDecoder
  private let packed: GDecoder.Packed
  private let shape: ArrayShape
  /// In front of the head of the array, for errors.
  private let start: StreamReader
  private var window: SegmentWindow?
  /// Elements that short arrays are cut out of: a box of an array.
  @usableFromInline var cut: AnyObject?
  /// Their places.
  @usableFromInline var cutPlaces = 0..<0

  init(_ decoder: GDecoder, _ array: NestedArray, from start: StreamReader) throws {
    self.decoder = decoder
    self.start = start
    shape = array.shape
    packed = GDecoder.Packed(elements: array.elements, segment: try decoder.openSegment(of: array.elements))
  }

  /// An array of a level, with the arrays inside it.
  @inlinable
  func array<Element: GDecodable>(of type: Element.Type, level: Int, index: Int) throws -> [Element] {
    let parts = try parts(of: index, at: level, type)
    if Element._graphRowDepth == 0 { return try row(type, parts) }
    if parts.isEmpty { return [] }
    return try unsafe [Element](unsafeUninitializedCapacity: parts.count) { buffer, count in
      // Of an array that is not finished, the elements before `count` are destroyed by the initializer.
      guard let elements = buffer.baseAddress else { return }
      while count < parts.count {
        let row = try Element._graphMakeRow(self, level: level + 1, index: parts.lowerBound + count)
        // `count` is below the capacity.
        unsafe (elements + count).initialize(to: row)
        count += 1
      }
    }
  }

  /// The places of the parts of an array; room for them is taken where they are arrays.
  @usableFromInline
  func parts<Element: GDecodable>(of index: Int, at level: Int, _ type: Element.Type) throws -> Range<Int> {
    let parts = shape.parts(of: index, at: level)
    if !parts.isEmpty { try decoder.takeRoom(byteCount: GDecoder.arrayHeadByteCount) }
    if level < shape.levels.count - 1 {
      try decoder.takeRoom(parts.count, stride: MemoryLayout<Element>.stride)
    }
    return parts
  }

  /// An array of the last level: the elements at some places.
  @inlinable
  func row<Element: GDecodable>(_ type: Element.Type, _ places: Range<Int>) throws -> [Element] {
    if places.isEmpty { return [] }
    guard places.count <= Self.mostCutCount else { return try make(type, places) }
    if !cutPlaces.contains(places.lowerBound) || cutPlaces.upperBound < places.upperBound {
      try makeCut(type, places)
    }
    // All arrays of the last level are of one type.
    let all = unsafe unsafeDowncast(cut.unsafelyUnwrapped, to: ValueBox<[Element]>.self).value
    let start = places.lowerBound - cutPlaces.lowerBound
    // Not of a slice, which looks up metadata of three types each time.
    return unsafe all.withUnsafeBufferPointer { elements in
      unsafe [Element](unsafeUninitializedCapacity: places.count) { buffer, count in
        // Neither is empty.
        guard let room = buffer.baseAddress, let first = elements.baseAddress else { return }
        // `makeCut` has made sure that they are there.
        unsafe room.initialize(from: first + start, count: places.count)
        count = places.count
      }
    }
  }

  /// The most elements of an array that is cut out of others.
  @inlinable static var mostCutCount: Int { 64 }

  /// Makes an array of the elements at some places and behind them, for short arrays to be cut out of.
  @usableFromInline
  func makeCut<Element: GDecodable>(_ type: Element.Type, _ wanted: Range<Int>) throws {
    cutPlaces = 0..<0
    let start = wanted.lowerBound
    let places = start..<max(min(start + 64 * Self.mostCutCount, shape.count), start)
    let elements = try make(type, places)
    guard elements.count == places.count, wanted.upperBound <= places.upperBound else {
      throw decoder.malformed("an array in an array has elements that are not there")
    }
    cut = ValueBox(elements)
    cutPlaces = places
  }

  /// An array of the last level that is the bytes of a string.
  @usableFromInline
  func string(level: Int, index: Int) throws -> String {
    let places = shape.parts(of: index, at: level)
    guard packed.elements.isText else {
      throw decoder.typeMismatch(
        String.self, "the archive has an array of \(ValueText(decoder).elementText(packed.elements))")
    }
    do {
      let part = try part(places)
      if case .stream(let bytes) = part.elements.place { return try unsafe decoder.string(bytes) }
      let bytes = try RawBytes(byteCount: places.count)
      try unsafe bytes.fill { try unsafe decoder.fill($0, part, stride: 1) }
      return try withExtendedLifetime(bytes) { try unsafe decoder.string(bytes.buffer) }
    } catch var error as GCodableError {
      error.keyPath.insert(contentsOf: shape.path(toArray: index, at: level).map { "[\($0)]" }, at: 0)
      throw error
    }
  }

  @usableFromInline
  func make<Element: GDecodable>(_ type: Element.Type, _ places: Range<Int>) throws -> [Element] {
    do { return try make(type, part(places)) } catch var error as GCodableError {
      if let step = error.keyPath.first, let index = Int(step.dropFirst().dropLast()), step.hasPrefix("[") {
        error.keyPath.replaceSubrange(
          0..<1, with: shape.path(to: places.lowerBound + index).map { "[\($0)]" })
      } else {
        let row = shape.path(to: places.lowerBound).dropLast()
        error.keyPath.insert(contentsOf: row.map { "[\($0)]" }, at: 0)
      }
      throw error
    }
  }

  /// The elements of all arrays.
  func all<Element: GDecodable>(_ type: Element.Type) throws -> [Element] {
    do { return try make(type, packed) } catch var error as GCodableError {
      if let step = error.keyPath.first, let index = Int(step.dropFirst().dropLast()), step.hasPrefix("[") {
        error.keyPath.replaceSubrange(0..<1, with: shape.path(to: index).map { "[\($0)]" })
      }
      throw error
    }
  }

  private func make<Element: GDecodable>(
    _ type: Element.Type, _ packed: GDecoder.Packed
  ) throws -> [Element] {
    try packed.elements.layout == nil
      ? decoder.makeArray(type, packed, from: start) : decoder.makeStructs(type, packed)
  }

  /// Some of the elements.
  private func part(_ places: Range<Int>) throws -> GDecoder.Packed {
    let size = packed.elements.elementByteCount
    let bytes = (places.lowerBound * size)..<(places.upperBound * size)
    guard let segment = packed.segment else {
      return GDecoder.Packed(elements: packed.elements.part(places), segment: nil)
    }
    return GDecoder.Packed(
      elements: packed.elements.part(places), segment: segment,
      window: (try window(of: segment), bytes.lowerBound))
  }

  private func window(of segment: ArchiveReader.OpenSegment) throws -> SegmentWindow {
    if let window { return window }
    try decoder.tables.noteExpansion(of: segment, mentionedAt: decoder.streamOffset)
    let window = try SegmentWindow(decoder.tables.reader, segment)
    self.window = window
    return window
  }
}

extension PackedElements {
  /// Some of the elements; those of a segment keep its number.
  fileprivate func part(_ places: Range<Int>) -> PackedElements {
    var place = place
    if case .stream(let bytes) = place {
      // The places are those of elements that are there.
      unsafe place = .stream(
        UnsafeRawBufferPointer(
          rebasing: bytes[(places.lowerBound * elementByteCount)..<(places.upperBound * elementByteCount)]))
    }
    return PackedElements(
      element: element, elementByteCount: elementByteCount, count: places.count, place: place)
  }
}

extension ArrayShape {
  /// The indices that lead to an element, by its place among all.
  func path(to index: Int) -> [Int] { path(toArray: index, at: levels.count) }

  /// The indices that lead to an array of a level, by its place among all of them.
  func path(toArray index: Int, at level: Int) -> [Int] {
    var (path, index) = ([Int](), index)
    for level in (0..<level).reversed() {
      switch levels[level] {
      case .uniform(let length):
        path.append(length == 0 ? 0 : index % length)
        index = length == 0 ? 0 : index / length
      case .ragged(let starts):
        // The last array that begins there or before; those behind it without elements begin later.
        let array = starts.partitioningIndex { $0 > index } - 1
        path.append(index - starts[array])
        index = array
      }
    }
    return path.reversed()
  }
}

extension GDecoder {
  /// Reads arrays in arrays, as those of a nested packed array.
  @usableFromInline
  func readNested<List: GDecodable>(_ type: List.Type) throws -> List {
    let start = state.pointee.stream.input
    let array = try state.pointee.stream.readNested()
    guard array.shape.levels.count == List._graphRowDepth else {
      state.pointee.stream.input = start
      return try readRows { try List._graphRead(self, $0) }
    }
    let room = state.pointee.roomByteCount
    do { return try List._graphMakeRow(_GraphRowReader(self, array, from: start), level: 0, index: 0) } catch
    {
      state.pointee.roomByteCount = room
      throw error
    }
  }

  /// Reads a nested packed array as the list of arrays that it would be if these were packed each by itself.
  ///
  /// - Parameter read: reads the list, with the cursor behind its kind.
  @usableFromInline
  func readRows<Value>(_ read: (GraphKind) throws -> Value) throws -> Value {
    let start = state.pointee.stream.input
    let rows = try readUnpackedRows()
    return try self.read(rows.list, held: rows, from: start) { try read(rows.listKind) }
  }

  /// Reads a nested packed array, with the cursor behind its kind, for code that reads its arrays one by one.
  func readUnpackedRows() throws -> UnpackedRows {
    let array = try state.pointee.stream.readNested()
    let packed = Packed(elements: array.elements, segment: try openSegment(of: array.elements))
    let bytes = try RawBytes(byteCount: array.elements.byteCount)
    try unsafe bytes.fill { try unsafe fill($0, packed, stride: array.elements.elementByteCount) }
    return try UnpackedRows(array, bytes)
  }
}

/// The arrays of a nested packed array as they stand in a list of arrays that are packed each by itself.
final class UnpackedRows {
  /// The kind of the list: a packed array where there is one dimension.
  let listKind: GraphKind
  private let encoder: GEncoder

  init(_ array: NestedArray, _ bytes: RawBytes) throws {
    let (elements, shape) = (array.elements, array.shape)
    encoder = GEncoder(options: [], userInfo: [:], binaryIOVersion: 0)
    guard shape.levels.count > 1 else {
      listKind = elements.kind(of: shape)
      try encoder.put(elements, shape, 0..<shape.count, bytes)
      return
    }
    listKind = .array
    let count = shape.parts(of: 0, at: 0).count
    let rowKind = elements.kind(of: ArrayShape(Array(repeating: 1, count: shape.levels.count - 1)))
    try encoder.reserve()
    encoder.state.pointee.out.putByte(rowKind.rawValue)
    encoder.state.pointee.out.putVarint(UInt64(count))
    for index in 0..<count {
      let row = shape.inner(index, at: 1)
      try encoder.put(elements, row.shape, row.elements, bytes)
    }
  }

  /// A reader of the list, behind its kind, valid as long as the rows.
  var list: StreamReader {
    // The encoder, which holds the bytes, writes nothing more.
    unsafe StreamReader(encoder.state.pointee.out.bytes)
  }
}

extension GEncoder {
  /// Puts an array of some elements, behind its kind.
  fileprivate func put(
    _ elements: PackedElements, _ shape: ArrayShape, _ places: Range<Int>, _ bytes: RawBytes
  ) throws {
    let size = elements.elementByteCount
    let (start, end) = (places.lowerBound * size, places.upperBound * size)
    let head = elements.head(of: shape)
    try reserve(byteCount: head.count + end - start)
    unsafe head.withUnsafeBytes { unsafe state.pointee.out.putBytes($0.baseAddress, count: $0.count) }
    unsafe state.pointee.out.putBytes(bytes.buffer.baseAddress.map { unsafe $0 + start }, count: end - start)
  }
}
