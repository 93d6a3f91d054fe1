import _GraphSupport

/// The graph stream of an archive: its bytes from a cursor on, and the tables that its numbers lead to.
///
/// Every read of the stream goes through the primitives here and in `GraphStream+Heads.swift`, each of which checks what
/// it reads: `GDecoder` calls them for typed values, `GraphCursor` for code without Swift types.
@usableFromInline
package struct GraphStream {
  @usableFromInline package var input = StreamReader()
  @usableFromInline let shapes: PinnedRow<DecoderShape>
  @usableFromInline var objects: PinnedRow<ObjectSlot>
  @usableFromInline package private(set) var objectCount: UInt64
  /// Their owner holds the stream.
  @safe unowned(unsafe) let tables: DecoderTables
  /// The end of the value being walked, if the stream is expanded on the way; nil if it is complete.
  var expansionEnd: StreamPosition?
  /// How many bytes to expand next time; doubles with each time in one step.
  package var expansionByteCount: UInt64 = 0

  init(_ tables: DecoderTables) {
    self.tables = tables
    shapes = tables.shapes
    objects = tables.objects
    objectCount = UInt64(tables.objectCount)
    rewind()
  }

  /// Takes the objects that the tables have.
  mutating func takeObjects() {
    objects = tables.objects
    objectCount = UInt64(tables.objectCount)
  }

  /// Moves to the start of the stream that the tables have.
  @inline(__always)
  mutating func rewind() {
    // The tables, which outlive the stream, hold its bytes.
    input = unsafe StreamReader(tables.streamBytes)
    expansionEnd = nil
  }

  /// Bytes from the start of the stream to the cursor.
  package var offset: UInt64 { input.offset }

  /// Bytes from the cursor to the end of the stream, or of the value being walked.
  @usableFromInline var byteCountLeft: UInt64 {
    UInt64((expansionEnd ?? input.end) - input.cursor)
  }

  mutating func move(to offset: UInt64) { input.cursor = input.position(at: offset) }

  // MARK: Errors

  @usableFromInline
  @inline(never)
  func malformed(_ message: String) -> GCodableError {
    GCodableError(.malformed, message, byteOffset: offset)
  }

  @usableFromInline
  @inline(never)
  func endInsideValue() -> GCodableError { malformed("the stream ends inside a value") }

  // MARK: Bytes and numbers

  @inlinable
  @inline(__always)
  mutating func readByte() throws -> UInt8 {
    if !input.has(1) { try expand(1) }
    return input.takeByte()
  }

  /// The bytes from the cursor on, which is moved past them.
  @usableFromInline
  mutating func readBytes(_ count: UInt64) throws -> UnsafeRawBufferPointer {
    if count > UInt64(input.left) { try expand(count) }
    guard let bytes = unsafe input.nextBytes(Int(count)) else { throw endInsideValue() }
    return unsafe bytes
  }

  @usableFromInline
  @inline(never)
  mutating func readVarint() throws -> UInt64 {
    while true {
      if let value = input.nextVarint() { return value }
      try expand(UInt64(input.left) + 1)
    }
  }

  /// `readVarint` where that is inlined.
  @inlinable
  @inline(__always)
  mutating func takeVarint() throws -> UInt64 {
    input.isFast ? input.takeVarint() : try readVarint()
  }

  @inline(__always)
  mutating func readUInt32() throws -> UInt32 {
    if !input.has(4) { try expand(4) }
    return input.takeUInt32()
  }

  @inline(__always)
  mutating func readUInt64() throws -> UInt64 {
    if !input.has(8) { try expand(8) }
    return input.takeUInt64()
  }

  // MARK: Expansion

  /// Expands the stream until a number of bytes follow the cursor.
  ///
  /// A walk expands no more blocks than it needs: one more, then twice as many each time until its next step.
  ///
  /// - Throws: `malformed` at the end of the stream or of the value being walked; as `PartialStream.expand`.
  @usableFromInline
  @inline(never)
  mutating func expand(_ byteCount: UInt64) throws {
    guard let expansionEnd, let partial = tables.partial, byteCount <= UInt64(expansionEnd - input.cursor)
    else {
      throw endInsideValue()
    }
    let (start, limit) = (offset, UInt64(expansionEnd - input.base))
    let wishedEnd = min(limit, start + max(byteCount, expansionByteCount))
    let end = min(try partial.expand(start..<(start + byteCount), wishedEnd: wishedEnd), limit)
    input.setCount(Int(end))
    expansionByteCount = 2 * (end - start)
  }

  /// Moves to a value that ends at `end`, and expands the stream on the way through it.
  package mutating func walk(from offset: UInt64, to end: UInt64) throws {
    move(to: offset)
    guard let partial = tables.partial else { return }
    expansionEnd = input.position(at: end)
    expansionByteCount = 0
    let expandedEnd = try partial.expand(offset..<min(offset + 1, end))
    input.setCount(Int(min(expandedEnd, end)))
  }

  /// Ends a walk: readers of typed values expand what they read as a whole.
  package mutating func endWalk() {
    expansionEnd = nil
    input.setCount(tables.streamBytes.count)
  }
}
