import _GraphFiles
import _GraphSupport

/// What precedes values: kinds, counts, and the numbers of shapes, objects and segments.
extension GraphStream {
  /// Reads the kind of a value that can be of any kind.
  @inlinable
  @inline(__always)
  mutating func readKind() throws -> GraphKind { GraphKind(rawValue: try readByte()).plain }

  /// Reads the kind of the root, or of the value that an object boxes: one whose values take bytes.
  @inline(__always)
  package mutating func readOuterKind() throws -> GraphKind {
    let kind = try readKind()
    guard kind.takesBytes else { throw malformed("a value of its own is of kind \(kind)") }
    return kind
  }

  /// The kind of a value after its tags; nested optionals have several.
  @inline(__always)
  package mutating func readTagged(_ kind: GraphKind) throws -> GraphKind {
    var kind = kind
    while kind == .tagged { kind = try readKind() }
    return kind
  }

  /// Reads the number of a shape.
  @inlinable
  @inline(__always)
  mutating func readShape() throws -> Pinned<DecoderShape> {
    let number = try takeVarint()
    guard number &- 1 < UInt64(truncatingIfNeeded: shapes.count) else { try failNoShape(number) }
    return shapes.pinned(Int(truncatingIfNeeded: number &- 1))
  }

  // It throws on its own, and takes no copy of the stream, because its callers are inlined into user code.
  @usableFromInline
  @inline(never)
  mutating func failNoShape(_ number: UInt64) throws -> Never {
    throw malformed("shape \(number) is not in the table")
  }

  /// Reads the number of an object.
  @inlinable
  @inline(__always)
  mutating func readObjectNumber() throws -> UInt32 {
    let number = try takeVarint()
    guard number < objectCount else { try failNoObject(number) }
    return UInt32(truncatingIfNeeded: number)
  }

  @usableFromInline
  @inline(never)
  mutating func failNoObject(_ number: UInt64) throws -> Never {
    throw malformed("object \(number) is not in the table")
  }

  // MARK: Containers

  /// Reads what precedes the elements of an array or a set.
  @usableFromInline
  mutating func readListHead() throws -> (kind: GraphKind, count: Int) {
    let kind = try readKind()
    return (kind, try readCount(of: kind, perElement: 1))
  }

  /// Reads what precedes the keys and values of a dictionary.
  @usableFromInline
  mutating func readPairsHead() throws -> (keyKind: GraphKind, valueKind: GraphKind, count: Int) {
    let (keyKind, valueKind) = (try readKind(), try readKind())
    return (keyKind, valueKind, try readCount(of: keyKind.takesBytes ? valueKind : keyKind, perElement: 2))
  }

  /// Reads a plausible number of elements: each takes at least one byte.
  @inline(__always)
  private mutating func readCount(of kind: GraphKind, perElement: Int) throws -> Int {
    let count = try takeVarint()
    guard kind.takesBytes else { throw malformed("the elements of a container are of kind \(kind)") }
    let left = byteCountLeft
    guard count <= (perElement == 1 ? left : left / 2) else {
      throw malformed("a container of \(count) elements (\(kind)) has \(left) bytes")
    }
    return Int(count)
  }

  // MARK: Overflow fields

  /// What precedes the fields that a record has beyond those of its shape.
  struct OverflowHead {
    let fieldCount: UInt32
    let unkeyedCount: UInt32
    let end: StreamPosition
  }

  mutating func readOverflowHead() throws -> OverflowHead {
    let (fieldCount, unkeyedCount) = (try readUInt32(), try readUInt32())
    let byteCount = try readUInt64()
    guard byteCount <= byteCountLeft else { throw malformed("overflow fields are longer than the stream") }
    guard UInt64(fieldCount) <= byteCount / 2, unkeyedCount <= fieldCount else {
      throw malformed(
        "\(fieldCount) overflow fields (\(unkeyedCount) without key) are not in \(byteCount) bytes")
    }
    return OverflowHead(
      fieldCount: fieldCount, unkeyedCount: unkeyedCount, end: input.position(at: offset + byteCount))
  }

  /// Reads the kind of an overflow field, and the number of its key plus one; 0 for none.
  mutating func readOverflowField() throws -> (kind: GraphKind, keyNumber: UInt32) {
    let kind = try readKind()
    let keyNumber = try readVarint()
    guard kind.takesBytes, keyNumber <= UInt64(tables.keys.count) else {
      throw malformed("an overflow field has \(kind) and key \(keyNumber)")
    }
    return (kind, UInt32(keyNumber))
  }

  /// Checks that overflow fields fill exactly the bytes that their head announces.
  func checkOverflow(end: StreamPosition, unkeyedLeft: UInt32) throws {
    guard input.cursor == end, unkeyedLeft == 0 else {
      throw malformed("the overflow fields of a record do not fill it")
    }
  }

  /// Checks that an object ends where the next one begins, so that no byte belongs to both.
  @usableFromInline
  package func checkEnd(_ end: UInt64, of subject: @autoclosure () -> String) throws {
    guard offset != end else { return }
    throw malformed("\(subject()) does not end at \(end), where the next object begins or the stream ends")
  }

  // MARK: Packed arrays

  /// Reads the format of packed elements, or of a field of theirs.
  mutating func readFormat() throws -> PackedFormat {
    let number = try readVarint()
    guard let format = PackedFormat(number: number) else {
      throw malformed("packed format \(number) is none")
    }
    return format
  }

  /// Reads the head of a packed array and moves past the array.
  ///
  /// - Parameter kind: `packed` or `packedStructs`.
  mutating func readPacked(_ kind: GraphKind) throws -> PackedElements {
    let element: PackedElements.Element =
      kind == .packedStructs ? try readLayout() : .scalars(try readFormat())
    let elementByteCount = element.byteCount
    let head = try readVarint()
    let byteCount = try byteCount(of: head >> 1, elementByteCount)
    return unsafe PackedElements(
      element: element, elementByteCount: elementByteCount, count: Int(head >> 1),
      place: head & 1 == 0
        ? .stream(try readBytes(byteCount)) : .segment(try readSegmentNumber(element, byteCount)))
  }

  /// The byte count of elements, within the limits.
  func byteCount(of count: UInt64, _ elementByteCount: Int) throws -> UInt64 {
    guard case (let byteCount, false) = count.multipliedReportingOverflow(by: UInt64(elementByteCount)),
      byteCount <= Int.max
    else { throw malformed("an array of \(count) elements does not fit") }
    return byteCount
  }

  /// Reads the number of a layout.
  mutating func readLayout() throws -> PackedElements.Element {
    let number = try readVarint()
    let layouts = tables.reader.contents.layouts
    guard number &- 1 < UInt64(layouts.count) else { throw malformed("layout \(number) is not in the table") }
    return .structure(layouts[Int(number - 1)], UInt32(number))
  }

  /// Reads the number of a bulk segment, which must have such elements and this number of bytes.
  private mutating func readSegmentNumber(
    _ element: PackedElements.Element, _ byteCount: UInt64
  ) throws -> Int {
    try segmentNumber(readVarint(), element, byteCount)
  }

  /// Checks the number of a bulk segment, which must have such elements and this number of bytes.
  func segmentNumber(
    _ number: UInt64, _ element: PackedElements.Element, _ byteCount: UInt64
  ) throws -> Int {
    let bulk = tables.reader.contents.bulk
    guard number < UInt64(bulk.count), bulk[Int(number)].segment.rawByteCount == byteCount else {
      throw malformed("bulk segment \(number) does not hold an array of \(byteCount) bytes")
    }
    let segment = bulk[Int(number)].segment
    guard segment.format == element.format, segment.elementByteCount == element.byteCount else {
      throw malformed("a bulk segment has another format than its array")
    }
    return Int(number)
  }
}

/// A packed array whose head has been read.
@usableFromInline
package struct PackedElements {
  package let element: Element
  package let elementByteCount: Int
  @usableFromInline package let count: Int
  package let place: Bytes

  /// What an element is.
  package enum Element {
    case scalars(PackedFormat)
    /// A struct, with the number of its layout.
    case structure(Contents.Layout, UInt32)

    var byteCount: Int {
      switch self {
      case .scalars(let format): format.byteCount
      case .structure(let layout, _): layout.elementByteCount
      }
    }

    /// The format; `none` for structs.
    var format: PackedFormat {
      if case .scalars(let format) = self { format } else { .none }
    }
  }

  @safe  // The bytes lie in the stream, or are held by their user.
  package enum Bytes {
    case stream(UnsafeRawBufferPointer)
    /// The number of a bulk segment, which has the right size.
    case segment(Int)
  }

  /// The format of the elements; `none` for structs.
  @usableFromInline package var format: PackedFormat { element.format }

  /// The layout of the elements, if they are structs.
  package var layout: Contents.Layout? {
    if case .structure(let layout, _) = element { layout } else { nil }
  }

  /// The format of the elements, or those of the fields of their structs.
  package var formats: [PackedFormat] { layout?.formats ?? [format] }

  /// Where in an element its bools are.
  package var boolRanges: [Range<Int>] {
    if let layout { return layout.boolRanges }
    return format.scalar == .bool ? [0..<elementByteCount] : []
  }

  package var byteCount: Int { count * elementByteCount }

  /// Some of the elements, with their bytes elsewhere.
  package func part(of count: Int, at bytes: UnsafeRawBufferPointer) -> Self {
    unsafe Self(element: element, elementByteCount: elementByteCount, count: count, place: .stream(bytes))
  }
}
