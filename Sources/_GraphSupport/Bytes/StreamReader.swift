import CGraphArchive

/// A position in a graph stream, to come back to.
@safe  // Only a reader of the same stream looks at its byte, and at none behind the end.
@usableFromInline
package struct StreamPosition: Hashable, BitwiseCopyable {
  @usableFromInline let address: UnsafePointer<UInt8>

  @unsafe
  @inlinable
  @inline(__always)
  init(_ address: UnsafePointer<UInt8>) { unsafe self.address = address }

  @inlinable
  package static func == (left: Self, right: Self) -> Bool { unsafe left.address == right.address }

  @inlinable
  package func hash(into hasher: inout Hasher) { unsafe hasher.combine(address) }

  /// Bytes between two positions of one stream.
  @inlinable package static func - (end: Self, start: Self) -> Int { unsafe end.address - start.address }
}

extension StreamPosition: Comparable {
  @inlinable
  package static func < (left: Self, right: Self) -> Bool { unsafe left.address < right.address }
}

/// The bytes of a graph stream, or of a table of the archive's own, from a cursor on.
///
/// The `take` functions are called where `has` or `isFast` has said that the bytes are there.
// Safe because a build for debugging checks it each time, and the code that begins a reader holds the bytes while it is used.
@safe
@usableFromInline
package struct StreamReader: BitwiseCopyable {
  @usableFromInline var reader = unsafe gca_reader()

  /// A reader of nothing.
  @inlinable package init() { unsafe gca_reader_init(&reader, nil, 0) }

  /// A reader of bytes that outlive its use.
  @unsafe
  @inlinable package init(_ bytes: UnsafeRawBufferPointer) {
    unsafe gca_reader_init(&reader, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  // MARK: Places

  /// Where the next byte is; a position in the same bytes.
  @inlinable package var cursor: StreamPosition {
    // A reader never is without an address.
    @inline(__always) get { unsafe StreamPosition(reader.cursor.unsafelyUnwrapped) }
    @inline(__always) set { unsafe reader.cursor = newValue.address }
  }

  @usableFromInline package var base: StreamPosition { unsafe StreamPosition(reader.base.unsafelyUnwrapped) }

  /// The end, after the last byte.
  @inlinable package var end: StreamPosition {
    @inline(__always) get { unsafe StreamPosition(reader.end.unsafelyUnwrapped) }
  }

  /// The position at an offset, which is not behind the end of all that may be there.
  @inlinable package func position(at offset: UInt64) -> StreamPosition {
    unsafe StreamPosition(reader.base + Int(offset))
  }

  /// Bytes from the start to the cursor.
  @inlinable package var offset: UInt64 { UInt64(cursor - base) }

  /// Sets how many bytes there are from the base on; the cursor is not behind them.
  @inlinable package mutating func setCount(_ byteCount: Int) {
    unsafe gca_reader_set_count(&reader, byteCount)
  }

  /// The byte at a distance after the cursor; nil at the end.
  @inlinable package func peek(_ distance: Int = 0) -> UInt8? {
    unsafe distance < left ? reader.cursor[distance] : nil
  }

  /// The byte at a position; nil at the end.
  @inlinable package func peek(at position: StreamPosition) -> UInt8? {
    unsafe position < end ? position.address.pointee : nil
  }

  // MARK: Taking

  /// Bytes from the cursor to the end.
  @usableFromInline package var left: Int {
    @inline(__always) get { end - cursor }
  }

  @inlinable
  @inline(__always)
  package mutating func has(_ byteCount: Int) -> Bool { unsafe gca_reader_has(&reader, byteCount) }

  /// Whether 16 bytes are left: enough for any number.
  @inlinable package var isFast: Bool {
    @inline(__always) mutating get { unsafe gca_reader_is_fast(&reader) }
  }

  @inlinable
  @inline(__always)
  package mutating func takeByte() -> UInt8 {
    assert(has(1))
    return unsafe gca_take_u8(&reader)
  }

  @inlinable
  @inline(__always)
  package mutating func takeUInt32() -> UInt32 {
    assert(has(4))
    return unsafe gca_take_u32(&reader)
  }

  @inlinable
  @inline(__always)
  package mutating func takeUInt64() -> UInt64 {
    assert(has(8))
    return unsafe gca_take_u64(&reader)
  }

  /// Takes a prefix varint; `isFast` holds.
  @inlinable
  @inline(__always)
  package mutating func takeVarint() -> UInt64 {
    assert(isFast)
    return unsafe gca_take_varint(&reader)
  }

  // MARK: Taking what may not be there

  /// Takes a prefix varint; nil where the bytes end inside it.
  @inlinable package mutating func nextVarint() -> UInt64? {
    var value: UInt64 = 0
    return unsafe gca_get_varint(&reader, &value) ? value : nil
  }

  @inlinable package mutating func nextByte() -> UInt8? {
    var value: UInt8 = 0
    return unsafe gca_get_u8(&reader, &value) ? value : nil
  }

  @usableFromInline
  package mutating func nextUInt16() -> UInt16? {
    var value: UInt16 = 0
    return unsafe gca_get_u16(&reader, &value) ? value : nil
  }

  @inlinable package mutating func nextUInt32() -> UInt32? {
    var value: UInt32 = 0
    return unsafe gca_get_u32(&reader, &value) ? value : nil
  }

  @inlinable package mutating func nextUInt64() -> UInt64? {
    var value: UInt64 = 0
    return unsafe gca_get_u64(&reader, &value) ? value : nil
  }

  /// Takes a number of bytes; nil where fewer are left.
  @inline(__always)
  @inlinable package mutating func nextBytes(_ byteCount: Int) -> UnsafeRawBufferPointer? {
    var start: UnsafePointer<UInt8>?
    guard unsafe byteCount >= 0 && gca_get_bytes(&reader, byteCount, &start) else { return nil }
    return unsafe UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  /// The bytes from an offset to the cursor.
  @inlinable package func bytesTaken(from start: UInt64) -> UnsafeRawBufferPointer {
    // A position where the caller has been, not a number from the archive.
    precondition(start <= offset)
    return unsafe UnsafeRawBufferPointer(start: position(at: start).address, count: Int(offset - start))
  }

  /// Takes a string of at most 15 bytes of ASCII; nil, and the cursor where it was, if there are more, others than
  /// ASCII, or too few left to load them at once.
  @inlinable
  @inline(__always)
  package mutating func takeSmallString(_ count: UInt64, isUsable: Bool) -> SmallString? {
    guard isUsable, count <= 15, isFast else { return nil }
    // Safe because `isFast`: 16 bytes can be loaded.
    let start = unsafe UnsafeRawPointer(reader.cursor.unsafelyUnwrapped)
    let first = unsafe start.loadUnaligned(as: UInt64.self)
    let second = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    guard let string = SmallString(first, second, count: count) else { return nil }
    unsafe reader.cursor += Int(truncatingIfNeeded: count)
    return string
  }
}
