import _GraphFiles
import _GraphSupport

/// The slow path of a field: it is not the next one of the shape, or has not been decoded before.
extension GDecoder {
  // In two functions, one for each type of keys and one for each type of values: a function for both would be made again for
  // each type of values of each type of keys, which was most of the code of `init(from:)`.
  @inlinable
  @inline(__always)
  func decodeUnexpected<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type, for key: Key
  ) throws -> Value where Key.RawValue == String {
    try decodeFound(type, position(key, of: type))
  }

  /// Puts the cursor at the value of a key and takes the field.
  ///
  /// - Throws: `keyNotFound`.
  @inlinable
  @inline(never)
  func position<Key: RawRepresentable>(_ key: Key, of type: Any.Type) throws -> GraphKind
  where Key.RawValue == String {
    guard let kind = try position(key) else { throw keyNotFound(key.rawValue, type) }
    return kind
  }

  // Inlinable, because the first field of each shape comes here, with all that is in it: the values must be
  // read by code that knows their types.
  @inlinable
  @inline(never)
  func decodeFound<Value: GDecodable>(_ type: Value.Type, _ kind: GraphKind) throws -> Value {
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
    if let track = state.pointee.frame.track, track.pointee.skippedUnkeyedCount > 0 {
      let (fields, places) = (shape.pointee.fields, track.pointee.places)
      var index = track.pointee.firstSkippedUnkeyed
      while fields[index].keyNumber != 0 || places[index] == nil { index += 1 }
      track.pointee.firstSkippedUnkeyed = index
      fields[index].token = token
      return depart(to: index, shape)
    }
    var field = state.pointee.frame.field
    let end = shape.pointee.end
    if field.pointee.unkeyedCount == 0 { field = end }
    while field < end, field.pointee.keyNumber != 0 { field = field.next }
    guard field < end else { return try takeOverflow(0, shape) }
    field.pointee.token = token
    return try takeAhead(field, shape)
  }

  /// Whether a key is there, and not one that `encodeIfPresent` has left out.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func seek<Key: RawRepresentable>(_ key: Key) throws -> Bool where Key.RawValue == String {
    if let number = tables.keyNumber(key), try seek(keyNumber: number) { return true }
    try takeSteps(1)
    return false
  }

  func seek(keyNumber: UInt32) throws -> Bool {
    guard let shape = state.pointee.frame.shape else { return false }
    resume()
    defer { suspend() }
    let fields = shape.pointee.fields
    if let index = fieldIndex(keyNumber, shape) {
      if fields.pinned(index) < state.pointee.frame.field {
        guard let place = state.pointee.frame.track?.pointee.places[index] else { return false }
        return fields[index].kind != .tagged || peekIsPresent(place)
      }
      guard fields[index].kind == .tagged else { return true }
      try skip(to: fields.pinned(index), shape)
      return peekIsPresent(state.pointee.stream.input.cursor)
    }
    guard shape.pointee.isOpen else { return false }
    let track = openTrack(shape)
    try findOverflow(shape, track)
    guard let found = track.pointee.overflow?.find(keyNumber) else { return false }
    return found.kind != .tagged || peekIsPresent(found.cursor)
  }

  private func peekIsPresent(_ cursor: StreamPosition) -> Bool {
    // Past the end the value itself will say what is wrong.
    state.pointee.stream.input.peek(at: cursor) != GraphKind.absent.rawValue
  }

  /// How many fields without a key have not been decoded; those that cannot be counted throw when they are asked for.
  @inline(never)
  func countUnkeyed() -> Int {
    guard let shape = state.pointee.frame.shape else { return 0 }
    if state.pointee.frame.track == nil, !shape.pointee.isOpen {
      return Int(state.pointee.frame.field.pointee.unkeyedCount)
    }
    resume()
    defer { suspend() }
    var count = Int(state.pointee.frame.field.pointee.unkeyedCount)
    if shape.pointee.isOpen {
      let track = openTrack(shape)
      do {
        try findOverflow(shape, track)
        count = track.pointee.overflow?.unkeyedCount ?? 0
      } catch {
        // The next call of `decode` throws it, or the end of the record.
        track.pointee.hasUncounted = true
        count = 1
      }
    }
    return count + (state.pointee.frame.track?.pointee.skippedUnkeyedCount ?? 0)
  }

  // MARK: Taking fields

  /// Takes the field that was decoded with the same key in another record of the shape.
  @usableFromInline
  @inline(never)
  func takeBound(_ token: UInt64) throws -> GraphKind? {
    guard let shape = state.pointee.frame.shape, token & FieldToken.unbound == 0,
      shape.pointee.fieldCount < FieldIndex.minimumFieldCount
    else { return nil }
    var field = shape.pointee.fields.pinned(0)
    for index in 0..<shape.pointee.fieldCount {
      if field.pointee.token == token { return try take(index, shape) }
      field = field.next
    }
    return nil
  }

  /// Takes the field of a key that no record of the shape was decoded with.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func take<Key: RawRepresentable>(_ key: Key, _ token: UInt64) throws -> GraphKind?
  where Key.RawValue == String {
    try tables.keyNumber(key).flatMap { try take(keyNumber: $0, token) }
  }

  /// Puts the cursor at the value of a key by its number and takes the field; nil if it is not there.
  func position(keyNumber: UInt32) throws -> GraphKind? {
    let token = FieldToken.of(keyNumber: keyNumber)
    if let kind = try takeBound(token) { return kind }
    return try take(keyNumber: keyNumber, token)
  }

  private func take(keyNumber: UInt32, _ token: UInt64) throws -> GraphKind? {
    guard let shape = state.pointee.frame.shape else { return nil }
    if let index = fieldIndex(keyNumber, shape) {
      if shape.pointee.fields[index].token != token {
        shape.pointee.fields[index].token = token
        tables.deferredKeys.note(token, keyNumber, shape)
      }
      return try take(index, shape)
    }
    resume()
    if shape.pointee.isOpen { tables.deferredKeys.note(token, keyNumber, shape) }
    return try takeOverflow(keyNumber, shape)
  }

  @inline(__always)
  private func take(_ index: Int, _ shape: Pinned<DecoderShape>) throws -> GraphKind? {
    resume()
    let field = shape.pointee.fields.pinned(index)
    if field >= state.pointee.frame.field { return try takeAhead(field, shape) }
    guard state.pointee.frame.track?.pointee.places[index] != nil else {
      suspend()
      return nil
    }
    return depart(to: index, shape)
  }

  private func takeAhead(
    _ field: Pinned<ShapeField>, _ shape: Pinned<DecoderShape>
  ) throws -> GraphKind {
    try skip(to: field, shape)
    state.pointee.frame.field = field.next
    if let track = state.pointee.frame.track {
      track.pointee.activeKey = field.pointee.keyNumber
      suspend()
    }
    return field.pointee.kind
  }

  /// Takes an overflow field; nil if there are none, or no such field is left.
  ///
  /// - Parameter keyNumber: 0 for the next one without a key.
  private func takeOverflow(
    _ keyNumber: UInt32, _ shape: Pinned<DecoderShape>
  ) throws -> GraphKind? {
    guard shape.pointee.isOpen else {
      suspend()
      return nil
    }
    let track = openTrack(shape)
    try findOverflow(shape, track)
    guard let found = track.pointee.overflow?.take(keyNumber) else {
      suspend()
      return nil
    }
    return depart(to: found, shape)
  }

  /// Finds out where the overflow fields are; the cursor is in front of them then.
  func findOverflow(
    _ shape: Pinned<DecoderShape>, _ track: Pinned<RecordTrack>
  ) throws {
    try skip(to: shape.pointee.end, shape)
    guard track.pointee.overflow == nil else { return }
    let start = state.pointee.stream.input.cursor
    defer { state.pointee.stream.input.cursor = start }
    track.pointee.overflow = try readOverflow()
  }
}
