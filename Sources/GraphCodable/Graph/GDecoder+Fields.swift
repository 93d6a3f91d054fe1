import CGraphArchive

/// The slow path of a field: it is not the next one of the shape, or has not been decoded before.
extension GDecoder {
  @usableFromInline
  @inline(never)
  func decodeUnexpected<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type, for key: Key
  ) throws -> Value where Key.RawValue == String {
    guard let kind = try position(key) else { throw keyNotFound(key.rawValue, type) }
    do { return try Value._graphRead(self, kind) } catch { throw lost(error) }
  }

  @usableFromInline
  @inline(never)
  func decodeUnexpected<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    guard let kind = try positionUnkeyed() else { throw noUnkeyedLeft(type) }
    do { return try Value._graphRead(self, kind) } catch { throw lost(error) }
  }

  /// Puts the cursor at the value of a key and takes the field; nil if it is not there.
  func position<Key: RawRepresentable>(_ key: Key) throws -> GraphKind? where Key.RawValue == String {
    guard let keyNumber = tables.keyNumber(key) else { return nil }
    return try take(keyNumber, token: FieldToken.of(key))
  }

  /// Puts the cursor at the next value without a key and takes the field; nil if there is none.
  func positionUnkeyed() throws -> GraphKind? { try take(0, token: nil) }

  /// Whether a key is there, and not one that `encodeIfPresent` has left out.
  @usableFromInline
  @inline(never)
  func seek<Key: RawRepresentable>(_ key: Key) throws -> Bool where Key.RawValue == String {
    guard let keyNumber = tables.keyNumber(key), let shape = state.pointee.frame.shape else { return false }
    resume()
    defer { park() }
    var field = state.pointee.frame.field
    let end = shape.pointee.fields + shape.pointee.fieldCount
    while field < end, field.pointee.keyNumber != keyNumber { field += 1 }
    if field < end {
      guard field.pointee.kind == .tagged else { return true }
      try pass(upTo: field)
      return peekIsPresent(state.pointee.input.cursor)
    }
    if shape.pointee.isOpen { try indexTail(shape) }
    let scan = state.pointee.frame.scan
    guard scan != 0, let index = tables.scans[scan - 1].find(keyNumber) else { return false }
    let found = tables.scans[scan - 1].fields[index]
    return found.kind != .tagged || peekIsPresent(found.cursor)
  }

  private func peekIsPresent(_ cursor: UnsafePointer<UInt8>) -> Bool {
    // Past the end the value itself will say what is wrong.
    cursor >= state.pointee.input.end || cursor.pointee != GraphKind.absent.rawValue
  }

  func countUnkeyed() -> Int {
    guard let shape = state.pointee.frame.shape else { return 0 }
    let scan = state.pointee.frame.scan
    if scan == 0, !shape.pointee.isOpen { return Int(state.pointee.frame.field.pointee.unkeyedCount) }
    resume()
    defer { park() }
    if shape.pointee.isOpen, (try? indexTail(shape)) == nil { return 0 }
    let passed = state.pointee.frame.scan == 0 ? 0 : tables.scans[state.pointee.frame.scan - 1].unkeyedCount
    return Int(state.pointee.frame.field.pointee.unkeyedCount) + passed
  }

  // MARK: Taking fields

  private func take(_ keyNumber: UInt32, token: UInt64?) throws -> GraphKind? {
    guard let shape = state.pointee.frame.shape else { return nil }
    resume()
    let end = shape.pointee.fields + shape.pointee.fieldCount
    if state.pointee.frame.scan != 0,
      let kind = takePassed(keyNumber)
    {
      return kind
    }
    var field = state.pointee.frame.field
    while field < end, field.pointee.keyNumber != keyNumber { field += 1 }
    if field < end {
      try pass(upTo: field)
      if let token { field.pointee.token = token }
      state.pointee.frame.field = field + 1
      let scan = state.pointee.frame.scan
      if scan != 0 {
        tables.scans[scan - 1].activeKey = keyNumber
        park()
      }
      return field.pointee.kind
    }
    if shape.pointee.isOpen {
      try indexTail(shape)
      if let kind = takePassed(keyNumber) { return kind }
    }
    park()
    return nil
  }

  private func takePassed(_ keyNumber: UInt32) -> GraphKind? {
    let scan = state.pointee.frame.scan - 1
    guard let index = tables.scans[scan].find(keyNumber) else { return nil }
    tables.scans[scan].take(index)
    tables.scans[scan].activeKey = keyNumber
    tables.scans[scan].resumeField = state.pointee.frame.field
    tables.scans[scan].resumeCursor = state.pointee.input.cursor
    state.pointee.frame.field = tables.nowhere
    state.pointee.input.cursor = tables.scans[scan].fields[index].cursor
    return tables.scans[scan].fields[index].kind
  }

  /// Notes that an error has left the cursor somewhere inside the value that was being decoded: the record
  /// is found again if the error is caught and another of its fields is asked for.
  @usableFromInline
  @inline(never)
  func lost(_ error: any Error) -> any Error {
    guard state.pointee.frame.shape != nil else { return error }
    let scan = openScan()
    if tables.scans[scan].resumeField == nil {
      tables.scans[scan].resumeField = state.pointee.frame.field
      state.pointee.frame.field = tables.nowhere
    }
    if tables.scans[scan].resumeCursor == nil { tables.scans[scan].isLost = true }
    return error
  }

  /// Puts the cursor at the field to go on with, counting from the start of the record.
  private func recover(_ scan: Int, to target: UnsafeMutablePointer<ShapeField>) {
    guard let shape = state.pointee.frame.shape, let start = state.pointee.frame.start else { return }
    state.pointee.input.cursor = start
    do {
      var field = shape.pointee.fields
      while field < target {
        try skip(field.pointee.kind)
        field += 1
      }
      if tables.scans[scan].tailIsIndexed { state.pointee.input.cursor = try readTailHeader().end }
    } catch {
      // What is asked for next says that the record is malformed.
      state.pointee.input.cursor = state.pointee.input.end
    }
  }

  /// Goes back to the field after the last one that was reached in order.
  private func resume() {
    let scan = state.pointee.frame.scan
    guard scan != 0, let field = tables.scans[scan - 1].resumeField else { return }
    state.pointee.frame.field = field
    if tables.scans[scan - 1].isLost {
      tables.scans[scan - 1].isLost = false
      recover(scan - 1, to: field)
    }
    if let cursor = tables.scans[scan - 1].resumeCursor { state.pointee.input.cursor = cursor }
    tables.scans[scan - 1].resumeField = nil
    tables.scans[scan - 1].resumeCursor = nil
  }

  /// Sees to it that the field at the cursor does not match by itself where the next unkeyed value is one
  /// that was passed.
  private func park() {
    let scan = state.pointee.frame.scan
    guard scan != 0, tables.scans[scan - 1].resumeField == nil, tables.scans[scan - 1].unkeyedCount > 0
    else { return }
    tables.scans[scan - 1].resumeField = state.pointee.frame.field
    tables.scans[scan - 1].resumeCursor = nil
    state.pointee.frame.field = tables.nowhere
  }

  /// Notes where the fields in front of `target` are and moves to it.
  private func pass(upTo target: UnsafeMutablePointer<ShapeField>) throws {
    while state.pointee.frame.field < target {
      let scan = openScan()
      let field = state.pointee.frame.field
      tables.scans[scan].append(field.pointee.keyNumber, field.pointee.kind, state.pointee.input.cursor)
      try skip(field.pointee.kind)
      state.pointee.frame.field = field + 1
    }
  }

  private func openScan() -> Int {
    if state.pointee.frame.scan == 0 {
      tables.scans.append(RecordScan())
      state.pointee.frame.scan = tables.scans.count
    }
    return state.pointee.frame.scan - 1
  }

  /// Notes where the fields of the tail are; the cursor is behind the record then.
  private func indexTail(_ shape: UnsafeMutablePointer<DecoderShape>) throws {
    try pass(upTo: shape.pointee.fields + shape.pointee.fieldCount)
    let scan = openScan()
    guard !tables.scans[scan].tailIsIndexed else { return }
    let header = try readTailHeader()
    for _ in 0..<header.fieldCount {
      let kind = GraphKind(rawValue: try readByte())
      let keyNumber = try readVarint()
      guard kind.isKnown, kind.takesBytes, keyNumber <= UInt64(tables.keys.count) else {
        throw malformed("a field has \(kind) and key \(keyNumber)")
      }
      tables.scans[scan].append(UInt32(keyNumber), kind, state.pointee.input.cursor)
      try skip(kind)
    }
    guard state.pointee.input.cursor == header.end, tables.scans[scan].unkeyedCount >= header.unkeyedCount
    else { throw malformed("the fields of a tail do not fill it") }
    tables.scans[scan].tailIsIndexed = true
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

  /// Moves behind a record whose fields have not all been decoded, or not in order.
  @usableFromInline
  @inline(never)
  func finishRecord() throws {
    guard let shape = state.pointee.frame.shape else { return }
    resume()
    let end = shape.pointee.fields + shape.pointee.fieldCount
    while state.pointee.frame.field < end {
      try skip(state.pointee.frame.field.pointee.kind)
      state.pointee.frame.field += 1
    }
    let scan = state.pointee.frame.scan
    if shape.pointee.isOpen, scan == 0 || !tables.scans[scan - 1].tailIsIndexed {
      state.pointee.input.cursor = try readTailHeader().end
    }
    if scan != 0 { tables.scans.removeSubrange((scan - 1)...) }
  }
}
