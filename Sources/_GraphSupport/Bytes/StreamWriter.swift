import CGraphArchive

/// A graph stream that is being written.
///
/// Room is reserved for several bytes at once before they are put: `CGraphArchive` keeps `GCA_SLACK` bytes beyond the requested
/// ones, enough for any number and what precedes it.
@safe  // A build for debugging checks each time that there is room.
@usableFromInline
package struct StreamWriter {
  @usableFromInline var writer = unsafe gca_writer_empty()

  @inlinable
  package init() {}

  // MARK: Room

  /// Bytes that have been put.
  @inlinable package var count: Int {
    @inline(__always) get {
      // An empty writer has neither pointer. The encoder asks for each record: numbers need no branch for that.
      unsafe Int(bitPattern: writer.cursor) &- Int(bitPattern: writer.base)
    }
  }

  /// Bytes that there is memory for.
  @inlinable package var capacity: Int {
    unsafe withUnsafePointer(to: writer) { unsafe gca_writer_capacity($0) }
  }

  /// Whether a number of bytes, and those in hand, can be put.
  @inlinable
  @inline(__always)
  package mutating func hasRoom(_ byteCount: Int) -> Bool { unsafe gca_writer_has_room(&writer, byteCount) }

  /// Makes that room; false where there is no memory.
  @inlinable package mutating func reserve(_ byteCount: Int) -> Bool {
    unsafe gca_writer_reserve(&writer, byteCount) == GCA_OK
  }

  @usableFromInline
  func hasSlack(_ byteCount: Int) -> Bool {
    unsafe writer.base != nil && writer.limit - writer.cursor + Int(GCA_SLACK) >= byteCount
  }

  /// Forgets what was put, and keeps the memory.
  @inlinable package mutating func removeAll() { unsafe gca_writer_clear(&writer) }

  @unsafe @inlinable package mutating func release() { unsafe gca_writer_free(&writer) }

  // MARK: Bytes

  /// What has been put; valid until more is.
  @inlinable @unsafe package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: writer.base, count: count)
  }

  // The offsets below are places where the encoder has written before, never numbers from an archive. They are checked in
  // all builds, because a wrong one would write outside of the memory.

  /// Forgets everything put after an offset.
  @inlinable package mutating func removeAll(from offset: Int) {
    precondition(offset >= 0 && offset <= count)
    if count > 0 { unsafe writer.cursor = writer.base + offset }
  }

  /// Puts a number in place of eight bytes.
  @inlinable package mutating func replaceUInt64(at offset: Int, with value: UInt64) {
    precondition(offset >= 0 && count - offset >= 8)
    unsafe UnsafeMutableRawPointer(writer.base + offset).storeBytes(of: value, as: UInt64.self)
  }

  /// Puts a varint in place of another one; room has been reserved.
  ///
  /// - Returns: by how many bytes what is behind it has moved.
  @inlinable package mutating func replaceVarint(at offset: Int, _ old: UInt64, with new: UInt64) -> Int {
    let (oldSize, newSize) = (Int(gca_varint_size(old)), Int(gca_varint_size(new)))
    let count = count
    precondition(offset >= 0 && count - offset >= oldSize)
    assert(hasSlack(9))
    unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { scratch in
      let bytes = unsafe scratch.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
      unsafe gca_varint_write(bytes, new)
      let place = unsafe writer.base + offset
      unsafe (place + newSize).update(from: place + oldSize, count: count - offset - oldSize)
      unsafe place.update(from: bytes, count: newSize)
    }
    unsafe writer.cursor = writer.base + (count + newSize - oldSize)
    return newSize - oldSize
  }

  /// Puts a byte in place of another one.
  @inlinable package mutating func replaceByte(at offset: Int, with value: UInt8) {
    precondition(offset >= 0 && offset < count)
    unsafe writer.base[offset] = value
  }

  /// Makes room for bytes in front of what has been put from `offset` on; they have any value.
  ///
  /// - Returns: false where there is no memory.
  package mutating func insert(byteCount: Int, at offset: Int) -> Bool {
    let count = count
    precondition(byteCount >= 0 && offset >= 0 && offset <= count)
    guard reserve(byteCount) else { return false }
    let place = unsafe writer.base + offset
    if offset < count { unsafe (place + byteCount).update(from: place, count: count - offset) }
    unsafe writer.cursor = writer.base + (count + byteCount)
    return true
  }

  /// Puts bytes in place of as many others.
  package mutating func replaceBytes(at offset: Int, with bytes: [UInt8]) {
    precondition(offset >= 0 && count - offset >= bytes.count)
    unsafe UnsafeMutableRawBufferPointer(start: writer.base + offset, count: bytes.count).copyBytes(
      from: bytes)
  }

  // MARK: Putting

  @inlinable
  @inline(__always)
  package mutating func putByte(_ value: UInt8) {
    assert(hasSlack(1))
    unsafe gca_put_u8(&writer, value)
  }

  @inlinable
  @inline(__always)
  package mutating func putUInt16(_ value: UInt16) {
    assert(hasSlack(2))
    unsafe gca_put_u16(&writer, value)
  }

  @inlinable
  @inline(__always)
  package mutating func putUInt32(_ value: UInt32) {
    assert(hasSlack(4))
    unsafe gca_put_u32(&writer, value)
  }

  @inlinable
  @inline(__always)
  package mutating func putUInt64(_ value: UInt64) {
    assert(hasSlack(8))
    unsafe gca_put_u64(&writer, value)
  }

  /// Puts a prefix varint.
  @inlinable
  @inline(__always)
  package mutating func putVarint(_ value: UInt64) {
    assert(hasSlack(9))
    unsafe gca_put_varint(&writer, value)
  }

  @inlinable
  @inline(__always)
  package mutating func putBytes(_ start: UnsafeRawPointer?, count: Int) {
    assert(hasSlack(count))
    unsafe gca_put_bytes(&writer, start, count)
  }

  /// Puts a number of bytes, which `fill` sets; room has been reserved.
  @inlinable package mutating func putBytes(_ byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void)
  {
    assert(hasSlack(byteCount))
    unsafe fill(UnsafeMutableRawBufferPointer(start: writer.cursor, count: byteCount))
    unsafe writer.cursor += byteCount
  }

  /// Puts structs of numbers as messages, up to the one that reaches a number of bytes in all.
  ///
  /// - Parameters:
  ///   - fields: those of each struct, with the end behind them; no message has more than `GCA_SHORT_MESSAGE` bytes.
  ///   - head: what precedes the fields.
  ///   - byteCount: as much, and room for one message, has been reserved.
  /// - Returns: how many messages there are.
  package mutating func putMessages(
    _ structs: UnsafeRawBufferPointer, stride: Int, fields: [gca_number_field], head: gca_message_head,
    reaching byteCount: Int
  ) -> Int {
    assert(hasSlack(byteCount))
    return unsafe gca_put_messages(
      &writer, structs.baseAddress, stride, structs.count / stride, fields, head, byteCount)
  }

  /// Puts the bytes of a small string.
  @inlinable
  @inline(__always)
  package mutating func put(_ string: SmallString) {
    assert(hasSlack(16))
    // Safe because all 16 bytes are within the slack, whatever the string's count.
    let cursor = unsafe UnsafeMutableRawPointer(writer.cursor.unsafelyUnwrapped)
    unsafe cursor.storeBytes(of: string.low, as: UInt64.self)
    unsafe cursor.storeBytes(of: string.high, toByteOffset: 8, as: UInt64.self)
    unsafe writer.cursor += string.count
  }
}
