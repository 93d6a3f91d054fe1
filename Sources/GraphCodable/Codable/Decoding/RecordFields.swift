import CGraphArchive

/// Where the fields of the record are that is being decoded.
extension CodableReader {
  /// A field that has been found.
  struct Place {
    let kind: GraphKind
    /// Where the value is, for a field of the tail; others are where frame and cursor have been moved to.
    var tailCursor: UnsafePointer<UInt8>?
    var keyNumber: UInt32 = 0
  }

  /// Moves to the field with a key.
  ///
  /// - Returns: nil where there is none, or `encodeIfPresent` has left it out.
  func find<Key: CodingKey>(_ key: Key) throws -> Place? {
    guard let shape = graph.pointee.frame.shape else { return nil }
    if isUnkeyed(shape) { return try findPair(key.stringValue) }
    let token = FieldToken.of(coding: key)
    guard let number = keyNumber(key, token) else { return nil }
    let found = try find(number, token, shape)
    guard let place = found, place.kind == .tagged else { return found }
    return isAbsent(place.tailCursor ?? graph.pointee.input.cursor) ? nil : place
  }

  /// Whether records of a shape have values, and none of them has a key.
  func isUnkeyed(_ shape: UnsafeMutablePointer<DecoderShape>) -> Bool {
    shape.pointee.fieldCount > 0 && Int(shape.pointee.fields.pointee.unkeyedCount) == shape.pointee.fieldCount
      && !shape.pointee.isOpen
  }

  /// Whether records of a shape have values with keys, or none at all without being a list.
  func mayHaveKeys(_ shape: UnsafeMutablePointer<DecoderShape>) throws -> Bool {
    let unkeyedCount = Int(shape.pointee.fields.pointee.unkeyedCount)
    if unkeyedCount < shape.pointee.fieldCount { return true }
    if !shape.pointee.isOpen { return shape.pointee.fieldCount == 0 && !shape.pointee.isList }
    try indexTail(shape)
    return tails[state.pointee.record]?.hasKeys ?? false
  }

  /// Whether a tagged field is one that `encodeIfPresent` has left out.
  func isAbsent(_ cursor: UnsafePointer<UInt8>?) -> Bool {
    guard let cursor, cursor < graph.pointee.input.end else { return false }
    return cursor.pointee == GraphKind.absent.rawValue
  }

  private func find(
    _ keyNumber: UInt32, _ token: UInt64, _ shape: UnsafeMutablePointer<DecoderShape>
  ) throws -> Place? {
    let fields = shape.pointee.fields
    for index in 0..<shape.pointee.fieldCount where fields[index].keyNumber == keyNumber {
      if token != 0, fields[index].token != token {
        fields[index].token = token
        decoder.tables.deferredKeys.note(token, keyNumber, shape)
      }
      try move(to: index, shape)
      return Place(kind: fields[index].kind)
    }
    guard shape.pointee.isOpen else { return nil }
    try indexTail(shape)
    let found = tails[state.pointee.record]?.find(keyNumber)
    return found.map { Place(kind: $0.kind, tailCursor: $0.cursor, keyNumber: keyNumber) }
  }

  /// Moves to a field without a key.
  ///
  /// - Returns: nil where there are not so many.
  @inline(never)
  func find(unkeyed index: Int) throws -> Place? {
    guard let shape = graph.pointee.frame.shape else { return nil }
    let fields = shape.pointee.fields
    let fixedCount = Int(fields.pointee.unkeyedCount)
    guard index < fixedCount else {
      guard shape.pointee.isOpen else { return nil }
      try indexTail(shape)
      let found = tails[state.pointee.record]?.unkeyed(index - fixedCount)
      return found.map { Place(kind: $0.kind, tailCursor: $0.cursor) }
    }
    var field = graph.pointee.frame.field
    if isUnkeyed(shape) {
      field = fields + index
      try move(to: index, shape)
    } else if !isUnkeyed(field, index, shape) {
      if fixedCount - Int(field.pointee.unkeyedCount) > index { field = fields }
      while !isUnkeyed(field, index, shape) { field += 1 }
      try move(to: field - fields, shape)
    }
    return Place(kind: field.pointee.kind)
  }

  private func isUnkeyed(
    _ field: UnsafeMutablePointer<ShapeField>, _ index: Int, _ shape: UnsafeMutablePointer<DecoderShape>
  ) -> Bool {
    field.pointee.keyNumber == 0
      && Int(shape.pointee.fields.pointee.unkeyedCount) - Int(field.pointee.unkeyedCount) == index
  }

  /// How many fields without a key there are.
  func unkeyedCount() throws -> Int {
    guard let shape = graph.pointee.frame.shape else { return 0 }
    let fixedCount = Int(shape.pointee.fields.pointee.unkeyedCount)
    guard shape.pointee.isOpen else { return fixedCount }
    try indexTail(shape)
    return fixedCount + (tails[state.pointee.record]?.unkeyedCount ?? 0)
  }

  /// All keys of a type that have a value.
  func keys<Key: CodingKey>(_ type: Key.Type) throws -> [Key] {
    guard let shape = graph.pointee.frame.shape else { return [] }
    if isUnkeyed(shape) {
      let names = parkedRecord(state.pointee.record)?.list?.names?.ordered ?? []
      return names.compactMap { Key(stringValue: $0) }
    }
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.input.cursor)
    defer { (graph.pointee.frame.field, graph.pointee.input.cursor) = (field, cursor) }
    var keys: [Key] = []
    func add(_ token: UInt64, _ keyNumber: UInt32) {
      // The type's own key, where it has been asked for in another record.
      let known = FieldToken.codingKey(type, of: token)
      if let key = known ?? Key(stringValue: decoder.tables.keys[Int(keyNumber) - 1]) { keys.append(key) }
    }
    for index in 0..<shape.pointee.fieldCount where shape.pointee.fields[index].keyNumber != 0 {
      let field = shape.pointee.fields + index
      if field.pointee.kind == .tagged {
        try move(to: index, shape)
        if isAbsent(graph.pointee.input.cursor) { continue }
      }
      add(field.pointee.token, field.pointee.keyNumber)
    }
    if shape.pointee.isOpen {
      try indexTail(shape)
      var tail = tails[state.pointee.record]
      for number in tail?.keyNumbersLeft ?? [] where number != 0 {
        guard let found = tail?.find(number), found.kind != .tagged || !isAbsent(found.cursor) else {
          continue
        }
        add(FieldToken.unbound, number)
      }
    }
    return keys
  }

  /// Reads the value at a place, and moves behind it.
  ///
  /// An error leaves frame and cursor at the field.
  func read<Result>(_ place: Place, _ body: (GraphKind) throws -> Result) throws -> Result {
    if let tailCursor = place.tailCursor { return try read(place, inTailAt: tailCursor, body) }
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.input.cursor)
    graph.pointee.frame.field = field + 1
    do { return try body(place.kind) } catch {
      (graph.pointee.frame.field, graph.pointee.input.cursor) = (field, cursor)
      throw error
    }
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func read<Result>(
    _ place: Place, inTailAt tailCursor: UnsafePointer<UInt8>, _ body: (GraphKind) throws -> Result
  ) throws -> Result {
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.input.cursor)
    // What is read meanwhile finds out by the scan which key it belongs to.
    let scan = openScan()
    graph.pointee.scans[scan].pointee.activeKey = place.keyNumber
    graph.pointee.frame.field = decoder.tables.nowhere
    graph.pointee.input.cursor = tailCursor
    defer { (graph.pointee.frame.field, graph.pointee.input.cursor) = (field, cursor) }
    return try body(place.kind)
  }

  /// Runs `body` with the cursor at a place, and leaves it where it was.
  func at<Result>(_ place: Place, _ body: () throws -> Result) rethrows -> Result {
    let cursor = graph.pointee.input.cursor
    defer { graph.pointee.input.cursor = cursor }
    if let tailCursor = place.tailCursor { graph.pointee.input.cursor = tailCursor }
    return try body()
  }

  /// Whether there is nil at a place, or a reference to an object that is not in the archive.
  func isNil(_ place: Place) -> Bool {
    at(place) {
      let cursor = graph.pointee.input.cursor
      defer { graph.pointee.input.cursor = cursor }
      guard let kind = place.kind == .tagged ? try? readTag() : place.kind else { return false }
      return kind == .null || kind == .absent || (kind == .conditional && !decoder.conditionalIsStored())
    }
  }

  /// Reads a value of the library's own types, which another type may have encoded as its single value.
  func readLeaf<Value: GDecodable>(_ type: Value.Type, _ kind: GraphKind) throws -> Value {
    kind == .record && type is any _GraphLeafDecodable.Type
      ? try readUnwrapped(type) : try decoder.read(type, kind)
  }

  func readLeafIfPresent<Value: GDecodable>(_ type: Value.Type, _ kind: GraphKind) throws -> Value? {
    kind == .record ? try readLeaf(type, kind) : try Value?._graphRead(decoder, kind)
  }

  // MARK: Moving

  private func openScan() -> Int {
    if graph.pointee.frame.scan == 0, let shape = graph.pointee.frame.shape {
      graph.pointee.frame.scan = graph.pointee.scans.open(fieldCount: shape.pointee.fieldCount + 1)
    }
    return graph.pointee.frame.scan - 1
  }

  /// Moves to a field, or behind the last one, from the nearest one in front of it whose place is known.
  ///
  /// - Complexity: O(n) fields that are passed, each of them twice at most while a record is decoded.
  private func move(to index: Int, _ shape: UnsafeMutablePointer<DecoderShape>) throws {
    let fields = shape.pointee.fields
    guard graph.pointee.frame.field != fields + index else { return }
    let scan = openScan()
    let here = graph.pointee.frame.field - fields
    graph.pointee.scans.setPlace(of: 0, in: scan, to: graph.pointee.frame.start)
    if graph.pointee.frame.field != decoder.tables.nowhere {
      graph.pointee.scans.setPlace(of: here, in: scan, to: graph.pointee.input.cursor)
    }
    var field = index
    while graph.pointee.scans.place(of: field, in: scan) == nil { field -= 1 }
    let old = (graph.pointee.frame.field, graph.pointee.input.cursor)
    graph.pointee.input.cursor = graph.pointee.scans.place(of: field, in: scan)
    do {
      while field < index {
        if !parked.isEmpty, let end = try endOfParked(field) {
          graph.pointee.input.cursor = end
        } else {
          try decoder.skip(fields[field].kind)
        }
        field += 1
        graph.pointee.scans.setPlace(of: field, in: scan, to: graph.pointee.input.cursor)
      }
    } catch {
      (graph.pointee.frame.field, graph.pointee.input.cursor) = old
      throw error
    }
    graph.pointee.frame.field = fields + index
  }

  /// Moves behind the record being decoded.
  func moveToEnd() throws {
    guard let shape = graph.pointee.frame.shape else { return }
    try move(to: shape.pointee.fieldCount, shape)
    if shape.pointee.isOpen { graph.pointee.input.cursor = try decoder.readTailHeader().end }
  }

  /// Moves over the containers that have been decoded on the side of a record's fields, to the end of these.
  func moveOverParked() throws {
    guard let shape = graph.pointee.frame.shape else { return }
    try move(to: shape.pointee.fieldCount, shape)
  }

  /// Notes where the fields of the tail are.
  private func indexTail(_ shape: UnsafeMutablePointer<DecoderShape>) throws {
    guard tails[state.pointee.record] == nil else { return }
    let old = (graph.pointee.frame.field, graph.pointee.input.cursor)
    defer { (graph.pointee.frame.field, graph.pointee.input.cursor) = old }
    try move(to: shape.pointee.fieldCount, shape)
    tails[state.pointee.record] = try decoder.readTail()
  }
}
