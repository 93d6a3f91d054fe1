import CGraphArchive

/// The slow path of a field: it is not the next one of the shape, or has not been decoded before.
extension GDecoder {
  // Inlinable, because the first field of each shape comes here, with all that is in it: the values must be
  // read by code that knows their types.
  @inlinable
  @inline(never)
  func decodeUnexpected<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type, for key: Key
  ) throws -> Value where Key.RawValue == String {
    guard let kind = try position(key) else { throw keyNotFound(key.rawValue, type) }
    do { return try read(type, kind) } catch { throw lost(error) }
  }

  @inlinable
  @inline(never)
  func decodeUnexpected<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    guard let kind = try positionUnkeyed() else { throw noUnkeyedLeft(type) }
    do { return try read(type, kind) } catch { throw lost(error) }
  }

  /// Puts the cursor at the value of a key and takes the field; nil if it is not there.
  @inlinable
  func position<Key: RawRepresentable>(_ key: Key) throws -> GraphKind? where Key.RawValue == String {
    let token = FieldToken.of(key) ?? FieldToken.unbound
    if let kind = try takeBound(token) { return kind }
    return try take(key, token)
  }

  /// As `position`, for a field that is to be deferred.
  @inlinable
  func positionDeferred<Key: RawRepresentable>(_ key: Key) throws -> GraphKind? where Key.RawValue == String {
    let token = (FieldToken.of(key) ?? FieldToken.unbound) | FieldToken.deferred
    if let kind = try takeBound(token) { return kind }
    return try take(key, token)
  }

  /// Puts the cursor at the next value without a key and takes the field; nil if there is none.
  ///
  /// - Parameter token: what the field will be known by: `unkeyed`, or `deferred` as well.
  @usableFromInline
  func positionUnkeyed(_ token: UInt64 = FieldToken.unkeyed) throws -> GraphKind? {
    guard let shape = state.pointee.frame.shape else { return nil }
    resume()
    let scan = state.pointee.frame.scan
    if scan != 0, state.pointee.scans[scan - 1].pointee.unkeyedCount > 0 {
      var index = 0
      while index < shape.pointee.fieldCount,
        shape.pointee.fields[index].keyNumber != 0
          || state.pointee.scans.place(of: index, in: scan - 1) == nil
      {
        index += 1
      }
      guard index < shape.pointee.fieldCount else { return nil }
      shape.pointee.fields[index].token = token
      return takePassed(index, shape)
    }
    var field = state.pointee.frame.field
    let end = shape.pointee.fields + shape.pointee.fieldCount
    while field < end, field.pointee.keyNumber != 0 { field += 1 }
    guard field < end else { return try takeFromTail(0, shape) }
    field.pointee.token = token
    return try takeAhead(field, shape)
  }

  /// Whether a key is there, and not one that `encodeIfPresent` has left out.
  @usableFromInline
  @inline(never)
  func seek<Key: RawRepresentable>(_ key: Key) throws -> Bool where Key.RawValue == String {
    guard let shape = state.pointee.frame.shape, let keyNumber = tables.keyNumber(key) else { return false }
    resume()
    defer { park() }
    let fields = shape.pointee.fields
    if let index = fieldIndex(keyNumber, shape) {
      guard fields + index >= state.pointee.frame.field else {
        let scan = state.pointee.frame.scan
        guard scan != 0, let place = state.pointee.scans.place(of: index, in: scan - 1) else { return false }
        return fields[index].kind != .tagged || peekIsPresent(place)
      }
      guard fields[index].kind == .tagged else { return true }
      try pass(upTo: fields + index, shape)
      return peekIsPresent(state.pointee.input.cursor)
    }
    guard shape.pointee.isOpen else { return false }
    let tail = try indexTail(shape)
    guard let found = tables.tails[tail].find(keyNumber) else { return false }
    return found.kind != .tagged || peekIsPresent(found.cursor)
  }

  private func peekIsPresent(_ cursor: UnsafePointer<UInt8>) -> Bool {
    // Past the end the value itself will say what is wrong.
    cursor >= state.pointee.input.end || cursor.pointee != GraphKind.absent.rawValue
  }

  func countUnkeyed() -> Int {
    guard let shape = state.pointee.frame.shape else { return 0 }
    if state.pointee.frame.scan == 0, !shape.pointee.isOpen {
      return Int(state.pointee.frame.field.pointee.unkeyedCount)
    }
    resume()
    defer { park() }
    var count = 0
    if shape.pointee.isOpen {
      guard let tail = try? indexTail(shape) else { return 0 }
      count = tables.tails[tail].unkeyedCount
    }
    let scan = state.pointee.frame.scan
    if scan != 0 { count += state.pointee.scans[scan - 1].pointee.unkeyedCount }
    return count + Int(state.pointee.frame.field.pointee.unkeyedCount)
  }

  private func fieldIndex(_ keyNumber: UInt32, _ shape: UnsafeMutablePointer<DecoderShape>) -> Int? {
    let fields = shape.pointee.fields
    for index in 0..<shape.pointee.fieldCount where fields[index].keyNumber == keyNumber { return index }
    return nil
  }

  // MARK: Taking fields

  /// Takes the field that was decoded with the same key in another record of the shape.
  @usableFromInline
  @inline(never)
  func takeBound(_ token: UInt64) throws -> GraphKind? {
    guard let shape = state.pointee.frame.shape, token & FieldToken.unbound == 0 else { return nil }
    let fields = shape.pointee.fields
    for index in 0..<shape.pointee.fieldCount where fields[index].token == token {
      return try take(index, shape)
    }
    return nil
  }

  /// Takes the field of a key that no record of the shape was decoded with.
  @usableFromInline
  @inline(never)
  func take<Key: RawRepresentable>(_ key: Key, _ token: UInt64) throws -> GraphKind?
  where Key.RawValue == String {
    guard let shape = state.pointee.frame.shape, let keyNumber = tables.keyNumber(key) else { return nil }
    if let index = fieldIndex(keyNumber, shape) {
      if shape.pointee.fields[index].token != token {
        shape.pointee.fields[index].token = token
        tables.deferredKeys.note(token, keyNumber, shape)
      }
      return try take(index, shape)
    }
    resume()
    if shape.pointee.isOpen { tables.deferredKeys.note(token, keyNumber, shape) }
    return try takeFromTail(keyNumber, shape)
  }

  private func take(_ index: Int, _ shape: UnsafeMutablePointer<DecoderShape>) throws -> GraphKind? {
    resume()
    let field = shape.pointee.fields + index
    if field >= state.pointee.frame.field { return try takeAhead(field, shape) }
    let scan = state.pointee.frame.scan
    guard scan != 0, state.pointee.scans.place(of: index, in: scan - 1) != nil else {
      park()
      return nil
    }
    return takePassed(index, shape)
  }

  private func takeAhead(
    _ field: UnsafeMutablePointer<ShapeField>, _ shape: UnsafeMutablePointer<DecoderShape>
  ) throws -> GraphKind {
    try pass(upTo: field, shape)
    state.pointee.frame.field = field + 1
    let scan = state.pointee.frame.scan
    if scan != 0 {
      state.pointee.scans[scan - 1].pointee.activeKey = field.pointee.keyNumber
      park()
    }
    return field.pointee.kind
  }

  private func takePassed(_ index: Int, _ shape: UnsafeMutablePointer<DecoderShape>) -> GraphKind {
    let scan = state.pointee.frame.scan - 1
    let record = state.pointee.scans[scan]
    let field = shape.pointee.fields + index
    record.pointee.activeKey = field.pointee.keyNumber
    record.pointee.resumeField = state.pointee.frame.field
    record.pointee.resumeCursor = state.pointee.input.cursor
    if field.pointee.keyNumber == 0 { record.pointee.unkeyedCount -= 1 }
    state.pointee.input.cursor = state.pointee.scans.place(of: index, in: scan)
    state.pointee.scans.setPlace(of: index, in: scan, to: nil)
    // Behind the value is that of the next field. Unkeyed fields have an order of their own.
    let passedCount = state.pointee.frame.field - shape.pointee.fields
    if shape.pointee.fields.pointee.unkeyedCount == 0, index + 1 < passedCount,
      state.pointee.scans.place(of: index + 1, in: scan) != nil
    {
      record.pointee.run = index
      record.pointee.runEnd = state.pointee.scans.firstTaken(
        of: (index + 2)..<max(passedCount, index + 2), in: scan)
      state.pointee.frame.field = field + 1
    } else {
      state.pointee.frame.field = tables.nowhere
    }
    return field.pointee.kind
  }

  private func takeFromTail(
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

  /// Notes that an error has left the cursor somewhere inside the value that was being decoded: the record
  /// is found again if the error is caught and another of its fields is asked for.
  @usableFromInline
  @inline(never)
  func lost(_ error: any Error) -> any Error {
    guard let shape = state.pointee.frame.shape else { return error }
    let scan = openScan(shape)
    let record = state.pointee.scans[scan]
    if record.pointee.run >= 0 { endRun(scan, shape, isLost: true) }
    if record.pointee.resumeField == nil {
      record.pointee.resumeField = state.pointee.frame.field
      state.pointee.frame.field = tables.nowhere
    }
    if record.pointee.resumeCursor == nil { record.pointee.isLost = true }
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
      if state.pointee.scans[scan].pointee.tail != 0 { state.pointee.input.cursor = try readTailHeader().end }
    } catch {
      // What is asked for next says that the record is malformed.
      state.pointee.input.cursor = state.pointee.input.end
    }
  }

  /// Goes back to the field after the last one that was reached in order.
  private func resume() {
    guard state.pointee.frame.scan != 0, let shape = state.pointee.frame.shape else { return }
    let scan = state.pointee.frame.scan - 1
    let record = state.pointee.scans[scan]
    if record.pointee.run >= 0 { endRun(scan, shape, isLost: false) }
    guard let field = record.pointee.resumeField else { return }
    state.pointee.frame.field = field
    if record.pointee.isLost {
      record.pointee.isLost = false
      recover(scan, to: field)
    }
    if let cursor = record.pointee.resumeCursor { state.pointee.input.cursor = cursor }
    record.pointee.resumeField = nil
    record.pointee.resumeCursor = nil
  }

  /// Notes which fields a run has taken.
  private func endRun(_ scan: Int, _ shape: UnsafeMutablePointer<DecoderShape>, isLost: Bool) {
    let fields = shape.pointee.fields
    let record = state.pointee.scans[scan]
    let end = state.pointee.frame.field
    let first = record.pointee.run + 1
    for index in first..<max(end - fields, first) {
      state.pointee.scans.setPlace(of: index, in: scan, to: nil)
    }
    record.pointee.run = -1
    if let runEnd = record.pointee.runEnd, end > fields + runEnd {
      record.pointee.takenTwice = fields[runEnd].keyNumber
    }
    if let resumeField = record.pointee.resumeField, end > resumeField {
      // It has gone on behind what had been passed over.
      record.pointee.resumeField = end
      record.pointee.resumeCursor = isLost ? nil : state.pointee.input.cursor
    }
    if end > fields { record.pointee.activeKey = (end - 1).pointee.keyNumber }
    state.pointee.frame.field = tables.nowhere
  }

  /// Sees to it that the field at the cursor does not match by itself where the next unkeyed value is one
  /// that was passed.
  private func park() {
    guard state.pointee.frame.scan != 0 else { return }
    let record = state.pointee.scans[state.pointee.frame.scan - 1]
    guard record.pointee.resumeField == nil, record.pointee.unkeyedCount > 0 else {
      return
    }
    record.pointee.resumeField = state.pointee.frame.field
    record.pointee.resumeCursor = nil
    state.pointee.frame.field = tables.nowhere
  }

  /// Notes where the fields in front of `target` are and moves to it.
  private func pass(
    upTo target: UnsafeMutablePointer<ShapeField>, _ shape: UnsafeMutablePointer<DecoderShape>
  ) throws {
    guard state.pointee.frame.field < target else { return }
    let scan = openScan(shape)
    let first = state.pointee.frame.field - shape.pointee.fields
    var place = state.pointee.scans.placePointer(of: first, in: scan)
    while state.pointee.frame.field < target {
      let field = state.pointee.frame.field
      let start = state.pointee.input.cursor
      try skip(field.pointee.kind)
      place.pointee = start
      place += 1
      if field.pointee.keyNumber == 0 { state.pointee.scans[scan].pointee.unkeyedCount += 1 }
      state.pointee.frame.field = field + 1
    }
  }

  private func openScan(_ shape: UnsafeMutablePointer<DecoderShape>) -> Int {
    if state.pointee.frame.scan == 0 {
      state.pointee.frame.scan = state.pointee.scans.open(fieldCount: shape.pointee.fieldCount)
    }
    return state.pointee.frame.scan - 1
  }

  /// Forgets the scan of the record that is being decoded, and those inside it.
  func closeScan() {
    let scan = state.pointee.frame.scan - 1
    if state.pointee.scans[scan].pointee.tail != 0 {
      tables.tails.removeSubrange((state.pointee.scans[scan].pointee.tail - 1)...)
    }
    state.pointee.scans.close(scan)
    state.pointee.frame.scan = 0
  }

  /// Notes where the fields of the tail are; the cursor is behind the record then.
  ///
  /// - Returns: the place in `DecoderTables.tails`.
  private func indexTail(_ shape: UnsafeMutablePointer<DecoderShape>) throws -> Int {
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
    if shape.pointee.isOpen, scan == 0 || state.pointee.scans[scan - 1].pointee.tail == 0 {
      state.pointee.input.cursor = try readTailHeader().end
    }
    if scan != 0 {
      let takenTwice = state.pointee.scans[scan - 1].pointee.takenTwice
      closeScan()
      if takenTwice != 0 { throw keyTakenTwice(takenTwice) }
    }
  }

  private func keyTakenTwice(_ keyNumber: UInt32) -> GCodableError {
    GCodableError(
      .keyNotFound, "key \"\(tables.keys[Int(keyNumber) - 1])\" was decoded twice for one value",
      byteOffset: streamOffset)
  }
}
