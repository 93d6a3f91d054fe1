import _GraphFiles
import _GraphSupport

/// Walks through values of the graph stream without any Swift type.
///
/// `read(_:)` reads the beginning of a value: all of a value without parts, or the head of one with parts. The parts then come
/// from `next()`, one after the other, and each must be read or skipped:
///
///     switch try cursor.read(kind) {
///     case .record(let shape):
///       while let field = try cursor.next() { try cursor.skip(field.kind) }
///     …
///     }
///
/// Values are kept in a list of levels, not on the machine's stack, so their depth costs only memory.
package struct GraphCursor {
  private let stream: Pinned<GraphStream>
  private var levels = Growable<Level>()
  /// Where to continue after the entered objects.
  private var returns = Growable<Return>()
  /// The ends of long, deep values by their starts: see `skip`.
  private var knownEnds: [StreamPosition: StreamPosition] = [:]

  /// How many more parts of values may be skipped: see `GraphDecoder.Limits.stepRatio`.
  var stepsLeft = Int.max

  /// A value with parts still to come.
  fileprivate struct Level: BitwiseCopyable {
    var form: Form
    var isObject = false
    /// The kind of the next element, and of the one after it.
    var kinds = (GraphKind.null, GraphKind.null)
    /// How many values enclose its parts, including itself.
    let depth: Int32
    /// How many overflow fields without a key are still to come.
    var unkeyedLeft: UInt32 = 0
    /// How many parts are still to come.
    var left: Int
    var field: Pinned<ShapeField>?
    var shape: Pinned<DecoderShape>?
    /// Where its parts begin, if their end is worth keeping.
    var start: StreamPosition?
    /// Where its overflow fields end.
    var end: StreamPosition?
  }

  fileprivate enum Form: UInt8 {
    case record, overflow, box, list, pairs
  }

  /// Where to continue after an object.
  private struct Return: BitwiseCopyable {
    let cursor: StreamPosition
    let expansionEnd: StreamPosition?
    /// Where the object ends.
    let end: UInt64
  }

  /// A field or element.
  package struct Part {
    package let kind: GraphKind
    /// The number of its key plus one; 0 for none.
    package var keyNumber: UInt32 = 0
    /// The field of the shape, if it belongs to that.
    var field: Pinned<ShapeField>?
  }

  /// What a value begins with.
  package enum Event {
    /// nil, or a field that was left out.
    case null(GraphKind)
    case leaf(GraphLeaf)
    /// A reference or conditional reference to an object.
    case reference(UInt32, GraphKind)
    /// A record, whose fields come next; for a boxed value, only that.
    case record(Pinned<DecoderShape>)
    /// An array or a set, whose elements come next.
    case list(GraphKind, count: Int)
    /// A dictionary, whose keys and values come next, in turn.
    case pairs(GraphKind, GraphKind, count: Int)
    case packed(PackedElements)
    case nested(NestedArray)
    case optionals(PackedOptionals)
  }

  init(_ stream: Pinned<GraphStream>) { self.stream = stream }

  @unsafe func deallocate() {
    unsafe levels.deallocate()
    unsafe returns.deallocate()
  }

  // MARK: Levels

  /// How many values with parts were begun and not left.
  package var levelCount: Int { levels.count }

  /// Leaves values whose parts are no longer needed; the cursor stays where it is.
  package mutating func leave(to levelCount: Int) {
    while levels.count > levelCount {
      if levels.removeLast().isObject { _ = returns.removeLast() }
    }
  }

  /// The shape of the record whose parts come next.
  package var shape: Pinned<DecoderShape>? {
    levels.count == 0 ? nil : levels[levels.count - 1].shape
  }

  /// How many values enclose the next part.
  private var depth: Int32 { levels.count == 0 ? 0 : levels[levels.count - 1].depth }

  /// Where the cursor is, to come back to; valid until the innermost level is left.
  package struct Mark {
    fileprivate let top: Level?
    fileprivate let levelCount: Int
    fileprivate let cursor: StreamPosition
    fileprivate let expansionEnd: StreamPosition?
  }

  package var mark: Mark {
    Mark(
      top: levels.count == 0 ? nil : levels[levels.count - 1], levelCount: levels.count,
      cursor: stream.pointee.input.cursor, expansionEnd: stream.pointee.expansionEnd)
  }

  package mutating func move(to mark: Mark) throws {
    leave(to: mark.levelCount)
    if let top = mark.top { levels[mark.levelCount - 1] = top }
    try moveStream(to: mark.cursor, end: mark.expansionEnd)
  }

  private func moveStream(to cursor: StreamPosition, end: StreamPosition?) throws {
    if let end {
      let base = stream.pointee.input.base
      try stream.pointee.walk(from: UInt64(cursor - base), to: UInt64(end - base))
    } else {
      stream.pointee.input.cursor = cursor
    }
  }

  // MARK: Events

  /// Reads the beginning of a value of a kind.
  ///
  /// - Parameter outerDepth: how many values lie around it, where that is not known from the levels.
  @inline(__always)
  package mutating func read(_ kind: GraphKind, outerDepth: Int32? = nil) throws -> Event {
    var kind = kind
    if kind == .tagged { kind = try stream.pointee.readTagged(kind) }
    switch kind {
    case .null, .absent: return .null(kind)
    case .reference, .conditional: return .reference(try stream.pointee.readObjectNumber(), kind)
    case .record:
      let shape = try stream.pointee.readShape()
      try enter(shape, outerDepth ?? depth)
      return .record(shape)
    case .array, .set, .dictionary, .packed, .packedStructs, .nestedPacked, .packedOptionals:
      return try readContainer(kind, outerDepth ?? depth)
    default: return .leaf(try stream.pointee.readLeaf(kind))
    }
  }

  private mutating func enter(_ shape: Pinned<DecoderShape>, _ outerDepth: Int32) throws {
    try append(
      Level(
        form: shape.pointee.isBoxed ? .box : .record, depth: outerDepth + 1,
        left: shape.pointee.isBoxed ? 1 : shape.pointee.fieldCount, field: shape.pointee.fields.pinned(0),
        shape: shape)
    )
  }

  @inline(never)
  private mutating func readContainer(_ kind: GraphKind, _ outerDepth: Int32) throws -> Event {
    if kind == .packed || kind == .packedStructs { return .packed(try stream.pointee.readPacked(kind)) }
    if kind == .nestedPacked {
      let array = try stream.pointee.readNested()
      stepsLeft -= array.shape.lengthCount
      return .nested(array)
    }
    if kind == .packedOptionals {
      let optionals = try stream.pointee.readOptionals()
      stepsLeft -= optionals.array.shape.lengthCount
      return .optionals(optionals)
    }
    guard kind == .dictionary else {
      let (first, count) = try stream.pointee.readListHead()
      try append(Level(form: .list, kinds: (first, first), depth: outerDepth + 1, left: count))
      return .list(first, count: count)
    }
    let (first, second, count) = try stream.pointee.readPairsHead()
    try append(Level(form: .pairs, kinds: (first, second), depth: outerDepth + 1, left: 2 * count))
    return .pairs(first, second, count: count)
  }

  private mutating func append(_ level: Level) throws {
    guard level.depth <= Nesting.maximumDepth else {
      var error = Nesting.tooDeep(Nesting.maximumDepth)
      error.byteOffset = stream.pointee.offset
      throw error
    }
    levels.append(level)
  }

  /// Moves to a stored object and begins it: its fields come next, and then whatever follows the current position.
  package mutating func enter(object number: UInt32) throws -> Pinned<DecoderShape> {
    let outer = stream.pointee
    let end = outer.tables.end(ofObject: number)
    try stream.pointee.walk(from: outer.objects[Int(number)].offset, to: end)
    let shape = try stream.pointee.readShape()
    try enter(shape, 0)
    returns.append(Return(cursor: outer.input.cursor, expansionEnd: outer.expansionEnd, end: end))
    levels.pinned(levels.count - 1).pointee.isObject = true
    return shape
  }

  /// The next field or element of the innermost value; nil after the last one, and the value is left.
  @inline(__always)
  package mutating func next() throws -> Part? {
    let level = levels.pinned(levels.count - 1)
    guard level.pointee.left > 0 else { return try nextBehind(level) }
    level.pointee.left -= 1
    switch level.pointee.form {
    case .record:
      guard let field = level.pointee.field else { return nil }
      level.pointee.field = field.next
      return Part(kind: field.pointee.kind, keyNumber: field.pointee.keyNumber, field: field)
    case .list: return Part(kind: level.pointee.kinds.0)
    default: return try nextRare(level)
    }
  }

  @inline(never)
  private func nextRare(_ level: Pinned<Level>) throws -> Part {
    switch level.pointee.form {
    case .pairs:
      let kind = level.pointee.kinds.0
      level.pointee.kinds = (level.pointee.kinds.1, kind)
      return Part(kind: kind)
    case .overflow:
      let field = try stream.pointee.readOverflowField()
      if field.keyNumber == 0 { level.pointee.unkeyedLeft &-= 1 }  // Checked at the end.
      return Part(kind: field.kind, keyNumber: field.keyNumber)
    default: return Part(kind: try stream.pointee.readOuterKind())
    }
  }

  /// Continues after the last part of a value: with the overflow fields of a record, or past the value.
  @inline(never)
  private mutating func nextBehind(_ level: Pinned<Level>) throws -> Part? {
    if try beginOverflow() > 0 { return try next() }
    if let end = level.pointee.end {
      try stream.pointee.checkOverflow(end: end, unkeyedLeft: level.pointee.unkeyedLeft)
    }
    try leaveInnermost()
    return nil
  }

  /// Moves to the overflow fields of the innermost record, after the last field of its shape.
  ///
  /// - Returns: how many there are; 0 if this was called before.
  package mutating func beginOverflow() throws -> Int {
    let level = levels.pinned(levels.count - 1)
    guard level.pointee.form == .record, level.pointee.shape?.pointee.isOpen == true else { return 0 }
    let head = try stream.pointee.readOverflowHead()
    level.pointee.form = .overflow
    level.pointee.left = Int(head.fieldCount)
    level.pointee.unkeyedLeft = head.unkeyedCount
    level.pointee.end = head.end
    return Int(head.fieldCount)
  }

  private mutating func leaveInnermost() throws {
    let level = levels.removeLast()
    if let start = level.start { keepEnd(from: start) }
    guard level.isObject else { return }
    let outer = returns.removeLast()
    try stream.pointee.checkEnd(outer.end, of: "an object")
    try moveStream(to: outer.cursor, end: outer.expansionEnd)
  }
}

// MARK: - Skipping

extension GraphCursor {
  /// Moves past a value of a kind.
  ///
  /// When values are decoded out of order, each may skip those inside it, which then skip those inside them. So the ends of long
  /// values are kept, for one level in 32, and reused when the same value is skipped again.
  ///
  /// - Parameter outerDepth: how many values lie around it, where that is not known from the levels.
  package mutating func skip(_ kind: GraphKind, outerDepth: Int32? = nil) throws {
    let base = levels.count
    _ = try read(kind, outerDepth: outerDepth)
    if levels.count > base { try skipParts(to: base) }
  }

  @inline(never)
  private mutating func skipParts(to base: Int) throws {
    if findEnd() { return }
    var stepCount = 0
    defer { stepsLeft -= stepCount }
    do {
      while levels.count > base {
        stepCount += 1
        guard let part = try next(passingOverflow: true) else { continue }
        let count = levels.count
        _ = try read(part.kind)
        if levels.count > count { _ = findEnd() }
      }
    } catch {
      leave(to: base)
      throw error
    }
  }

  /// Like `next`, but skips the overflow fields of a record at once.
  @inline(__always)
  private mutating func next(passingOverflow: Bool) throws -> Part? {
    let level = levels.pinned(levels.count - 1)
    guard level.pointee.left == 0, level.pointee.form == .record,
      level.pointee.shape?.pointee.isOpen == true
    else { return try next() }
    let end = try stream.pointee.readOverflowHead().end
    // They may be beyond what has been expanded.
    _ = try unsafe stream.pointee.readBytes(UInt64(end - stream.pointee.input.cursor))
    try leaveInnermost()
    return nil
  }

  private static var depthPerKnownEnd: Int32 { 32 }
  private static var knownEndByteCount: Int { 64 }

  /// Moves past the value whose parts come next, if its end is known.
  private mutating func findEnd() -> Bool {
    let level = levels.pinned(levels.count - 1)
    guard level.pointee.depth & (Self.depthPerKnownEnd - 1) == 1, level.pointee.depth > 1 else {
      return false
    }
    let start = stream.pointee.input.cursor
    // In a partial stream, it may be beyond the expanded part.
    guard let end = knownEnds[start], end <= stream.pointee.input.end else {
      level.pointee.start = start
      return false
    }
    stream.pointee.input.cursor = end
    _ = levels.removeLast()
    return true
  }

  private mutating func keepEnd(from start: StreamPosition) {
    let end = stream.pointee.input.cursor
    guard end - start >= Self.knownEndByteCount else { return }
    knownEnds[start] = end
  }

  /// Whether nothing is kept from earlier walks.
  var isIdle: Bool { knownEnds.isEmpty && levels.count == 0 }
}
