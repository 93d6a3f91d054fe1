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
  @_semantics("optimize.sil.specialize.generic.never")
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

  @inline(never)
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
  @_semantics("optimize.sil.specialize.generic.never")
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
}
