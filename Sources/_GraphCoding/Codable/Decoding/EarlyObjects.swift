import _GraphFiles
import _GraphSupport

// Objects of cycle breakers that are read before the breakers have been filled.

extension CodableReader {
  /// The number of the object that a reference at the cursor leads to, which the cursor does not move to; nil for another
  /// value.
  func objectNumber(_ kind: GraphKind) -> UInt32? {
    let cursor = graph.pointee.stream.input.cursor
    defer { graph.pointee.stream.input.cursor = cursor }
    guard let plain = kind == .tagged ? try? readTag() : kind, plain == .reference || plain == .conditional
    else { return nil }
    return try? graph.pointee.stream.readObjectNumber()
  }

  /// The object with a number, if it can be made; see `EarlyObject`.
  func earlyObject<Object: AnyObject & Decodable>(
    _ type: Object.Type, _ number: UInt32, isNeeded: Bool
  ) -> Object? {
    guard decoder.tables.codable === self else { return nil }  // Decoding has ended.
    guard graph.pointee.objects[Int(number)].isBeingBuilt else {
      let outer = isHashing
      isHashing = false
      defer { isHashing = outer }
      // An error comes again when the breaker is filled.
      return try? decoder.readObject(CodableAdapter<Object>.self, number).value
    }
    return isNeeded && isHashing ? provisionalObject(type, number) : nil
  }

  /// A copy of an object that is being made itself.
  ///
  /// Where `hash(into:)` uses the object of an unowned breaker, it would trap without one. With a copy, it finds the hash that
  /// it will find later, or another one if it uses the identity of the object; then `watchHashes` makes decoding fail.
  private func provisionalObject<Object: AnyObject & Decodable>(
    _ type: Object.Type, _ number: UInt32
  ) -> Object? {
    do {
      let other = try provisional ?? makeProvisional()
      provisional = other
      let object = try other.readObject(CodableAdapter<Object>.self, number).value
      try other.fillDeferred()
      return object
    } catch { return nil }
  }

  private func makeProvisional() throws -> GDecoder {
    let tables = decoder.tables
    let copy = try DecoderTables(tables.reader, classes: tables.classes, isPartial: tables.partial != nil)
    let other = GDecoder(copy, userInfo: decoder.userInfo)
    // Half of what is left is for the copies.
    graph.pointee.roomByteCount /= 2
    graph.pointee.elementRoomByteCount /= 2
    graph.pointee.cursor.stepsLeft /= 2
    other.state.pointee.roomByteCount = graph.pointee.roomByteCount
    other.state.pointee.elementRoomByteCount = graph.pointee.elementRoomByteCount
    other.state.pointee.cursor.stepsLeft = graph.pointee.cursor.stepsLeft
    other.state.pointee.maximumDepth = graph.pointee.maximumDepth
    other.state.pointee.combiningMarkCount = graph.pointee.combiningMarkCount
    other.codable.isProvisional = true
    return other
  }

  /// Runs `body`, which hashes or compares elements of a set or keys of a dictionary.
  @inline(__always)
  func hashing<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isHashing
    isHashing = true
    defer { isHashing = outer }
    return try body()
  }

  /// Whether a set or dictionary is left empty, because it belongs to a provisional object whose breakers may be empty.
  var leavesHashedEmpty: Bool { isProvisional && decoder.isWaiting }
}
