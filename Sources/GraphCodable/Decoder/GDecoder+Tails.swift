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
    record.pointee.resumeCursor = state.pointee.stream.input.cursor
    state.pointee.frame.field = tables.nowhere
    state.pointee.stream.input.cursor = found.cursor
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
    let head = try state.pointee.stream.readOverflowHead()
    for _ in 0..<head.fieldCount {
      let field = try state.pointee.stream.readOverflowField()
      tail.append(field.keyNumber, field.kind, state.pointee.stream.input.cursor)
      try skip(field.kind)
    }
    try state.pointee.stream.checkOverflow(
      end: head.end, unkeyedLeft: head.unkeyedCount &- UInt32(truncatingIfNeeded: tail.unkeyedCount))
    return tail
  }
}
