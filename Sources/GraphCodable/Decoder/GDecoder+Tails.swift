import CGraphArchive

/// Fields that stand in the tail of a record, behind those of its shape.
extension GDecoder {
  /// Takes a field of the tail; nil if there is no tail, or no such field left in it.
  ///
  /// - Parameter keyNumber: 0 for the next one without a key.
  func takeFromTail(
    _ keyNumber: UInt32, _ shape: UnsafeMutablePointer<DecoderShape>
  ) throws -> GraphKind? {
    guard shape.pointee.isOpen else {
      park()
      return nil
    }
    let tail = try indexTail(shape)
    guard let found = tables.tails[tail].take(keyNumber) else {
      park()
      return nil
    }
    let record = state.pointee.scans[state.pointee.frame.scan - 1]
    record.pointee.activeKey = keyNumber
    record.pointee.resumeField = state.pointee.frame.field
    record.pointee.resumeCursor = state.pointee.input.cursor
    state.pointee.frame.field = tables.nowhere
    state.pointee.input.cursor = found.cursor
    return found.kind
  }

  /// Notes where the fields of the tail are; the cursor is behind the record then.
  ///
  /// - Returns: the place in `DecoderTables.tails`.
  func indexTail(_ shape: UnsafeMutablePointer<DecoderShape>) throws -> Int {
    try pass(upTo: shape.pointee.fields + shape.pointee.fieldCount, shape)
    let scan = openScan(shape)
    let record = state.pointee.scans[scan]
    guard record.pointee.tail == 0 else { return record.pointee.tail - 1 }
    tables.tails.append(try readTail())
    record.pointee.tail = tables.tails.count
    return tables.tails.count - 1
  }

  /// Reads where the fields of a tail are, and moves behind it.
  func readTail() throws -> TailScan {
    var tail = TailScan()
    let header = try readTailHeader()
    for _ in 0..<header.fieldCount {
      let kind = GraphKind(rawValue: try readByte())
      let keyNumber = try readVarint()
      guard kind.isKnown, kind.takesBytes, keyNumber <= UInt64(tables.keys.count) else {
        throw malformed("a field has \(kind) and key \(keyNumber)")
      }
      tail.append(UInt32(keyNumber), kind, state.pointee.input.cursor)
      try skip(kind)
    }
    guard state.pointee.input.cursor == header.end, tail.unkeyedCount == header.unkeyedCount else {
      throw malformed("the fields of a tail do not fill it")
    }
    return tail
  }

  struct TailHeader {
    let fieldCount: UInt32
    let unkeyedCount: UInt32
    let end: UnsafePointer<UInt8>
  }

  func readTailHeader() throws -> TailHeader {
    var fieldCount: UInt32 = 0
    var unkeyedCount: UInt32 = 0
    var byteCount: UInt64 = 0
    guard gca_get_u32(&state.pointee.input, &fieldCount), gca_get_u32(&state.pointee.input, &unkeyedCount),
      gca_get_u64(&state.pointee.input, &byteCount), let cursor = state.pointee.input.cursor,
      byteCount <= UInt64(state.pointee.input.end - cursor), UInt64(fieldCount) <= byteCount / 2
    else { throw malformed("a tail is longer than the stream") }
    return TailHeader(fieldCount: fieldCount, unkeyedCount: unkeyedCount, end: cursor + Int(byteCount))
  }
}
