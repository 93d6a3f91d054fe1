import _GraphFiles
import _GraphSupport

/// Where the fields of the record are that is being decoded.
extension CodableReader {
  /// A field that has been found.
  struct FoundField {
    let kind: GraphKind
    /// Where the value is, for an overflow field; others are where frame and cursor have been moved to.
    var overflowCursor: StreamPosition?
    var keyNumber: UInt32 = 0
  }

  /// Moves to the field with a key.
  ///
  /// - Returns: nil where there is none, or `encodeIfPresent` has left it out.
  func find<Key: CodingKey>(_ key: Key) throws -> FoundField? {
    let place = try findStored(key)
    if place == nil { try decoder.takeSteps(2) }
    return place
  }

  @inline(__always)
  private func findStored<Key: CodingKey>(_ key: Key) throws -> FoundField? {
    guard let shape = graph.pointee.frame.shape else { return nil }
    if isUnkeyed(shape) { return try findPair(key.stringValue) }
    let token = FieldToken.of(coding: key)
    let next = graph.pointee.frame.field
    if token != 0, next.pointee.token == token, next.pointee.kind != .tagged {
      return FoundField(kind: next.pointee.kind)
    }
    guard let number = keyNumber(key, token) else { return nil }
    let found = try find(number, token, shape)
    guard let place = found, place.kind == .tagged else { return found }
    return isAbsent(place.overflowCursor ?? graph.pointee.stream.input.cursor) ? nil : place
  }

  /// Whether records of a shape have values, and none of them has a key.
  func isUnkeyed(_ shape: Pinned<DecoderShape>) -> Bool {
    shape.pointee.fieldCount > 0 && Int(shape.pointee.fields[0].unkeyedCount) == shape.pointee.fieldCount
      && !shape.pointee.isOpen
  }

  /// Whether records of a shape have values with keys, or none at all without being a list.
  func mayHaveKeys(_ shape: Pinned<DecoderShape>) throws -> Bool {
    let unkeyedCount = Int(shape.pointee.fields[0].unkeyedCount)
    if unkeyedCount < shape.pointee.fieldCount { return true }
    if !shape.pointee.isOpen { return shape.pointee.fieldCount == 0 && !shape.pointee.isList }
    try findOverflow(shape)
    return overflow?.hasKeys ?? false
  }

  /// Whether a tagged field is one that `encodeIfPresent` has left out.
  func isAbsent(_ cursor: StreamPosition?) -> Bool {
    guard let cursor else { return false }
    return graph.pointee.stream.input.peek(at: cursor) == GraphKind.absent.rawValue
  }

  private func find(
    _ keyNumber: UInt32, _ token: UInt64, _ shape: Pinned<DecoderShape>
  ) throws -> FoundField? {
    let fields = shape.pointee.fields
    if let index = decoder.fieldIndex(keyNumber, shape) {
      if token != 0, fields[index].token != token {
        fields[index].token = token
        decoder.tables.deferredKeys.note(token, keyNumber, shape)
      }
      try move(to: index, shape)
      return FoundField(kind: fields[index].kind)
    }
    guard shape.pointee.isOpen else { return nil }
    try findOverflow(shape)
    let found = overflow?.find(keyNumber)
    return found.map { FoundField(kind: $0.kind, overflowCursor: $0.cursor, keyNumber: keyNumber) }
  }

  /// Moves to a field without a key.
  ///
  /// - Returns: nil if there is no such field.
  func find(unkeyed index: Int) throws -> FoundField? {
    guard let shape = graph.pointee.frame.shape else { return nil }
    let fields = shape.pointee.fields
    let fixedCount = Int(fields[0].unkeyedCount)
    guard index < fixedCount else {
      guard shape.pointee.isOpen else { return nil }
      try findOverflow(shape)
      let found = overflow?.unkeyed(index - fixedCount)
      return found.map { FoundField(kind: $0.kind, overflowCursor: $0.cursor) }
    }
    var field = graph.pointee.frame.field
    if isUnkeyed(shape) {
      field = fields.pinned(index)
      try move(to: index, shape)
    } else if !isUnkeyed(field, index, shape) {
      if fixedCount - Int(field.pointee.unkeyedCount) > index { field = fields.pinned(0) }
      if let place = decoder.tables.fieldIndex(shape)?.unkeyed[index] { field = fields.pinned(place) }
      while !isUnkeyed(field, index, shape) { field = field.next }
      try move(to: fields.index(of: field), shape)
    }
    return FoundField(kind: field.pointee.kind)
  }

  private func isUnkeyed(
    _ field: Pinned<ShapeField>, _ index: Int, _ shape: Pinned<DecoderShape>
  ) -> Bool {
    field.pointee.keyNumber == 0
      && Int(shape.pointee.fields[0].unkeyedCount) - Int(field.pointee.unkeyedCount) == index
  }

  /// How many fields without a key there are.
  func unkeyedCount() throws -> Int {
    guard let shape = graph.pointee.frame.shape else { return 0 }
    let fixedCount = Int(shape.pointee.fields[0].unkeyedCount)
    guard shape.pointee.isOpen else { return fixedCount }
    try findOverflow(shape)
    return fixedCount + (overflow?.unkeyedCount ?? 0)
  }

  /// All keys of a type that have a value.
  func keys<Key: CodingKey>(_ type: Key.Type) throws -> [Key] {
    guard let shape = graph.pointee.frame.shape else { return [] }
    if isUnkeyed(shape) {
      guard let names = list(of: state.pointee.record)?.names else { return [] }
      // Of pairs with the same name it is the last one that is found by it.
      return names.ordered.enumerated().filter { names.fields[ByteString($1)] == 2 * $0 + 1 }
        .compactMap { Key(stringValue: $1) }
    }
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
    defer { (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = (field, cursor) }
    var keys: [Key] = []
    var numbers: Set<UInt32> = []
    func add(_ token: UInt64, _ keyNumber: UInt32) {
      guard numbers.insert(keyNumber).inserted else { return }  // Twice in a record only if that is forged.
      // The type's own key, where it has been asked for in another record.
      let known = FieldToken.codingKey(type, of: token)
      if let key = known ?? Key(stringValue: decoder.tables.keys[Int(keyNumber) - 1]) { keys.append(key) }
    }
    for index in 0..<shape.pointee.fieldCount where shape.pointee.fields[index].keyNumber != 0 {
      let field = shape.pointee.fields.pinned(index)
      if field.pointee.kind == .tagged {
        try move(to: index, shape)
        if isAbsent(graph.pointee.stream.input.cursor) { continue }
      }
      add(field.pointee.token, field.pointee.keyNumber)
    }
    if shape.pointee.isOpen {
      try findOverflow(shape)
      let overflow = overflow
      for number in overflow?.keyNumbersLeft ?? [] where number != 0 {
        guard let found = overflow?.find(number), found.kind != .tagged || !isAbsent(found.cursor) else {
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
  func read<Result>(_ place: FoundField, _ body: (GraphKind) throws -> Result) throws -> Result {
    if let overflowCursor = place.overflowCursor { return try read(place, at: overflowCursor, body) }
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
    graph.pointee.frame.field = field.next
    do { return try body(place.kind) } catch {
      (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = (field, cursor)
      throw error
    }
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func read<Result>(
    _ place: FoundField, at overflowCursor: StreamPosition, _ body: (GraphKind) throws -> Result
  ) throws -> Result {
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
    // What is read meanwhile finds out by the scan which key it belongs to.
    openTrack()?.pointee.activeKey = place.keyNumber
    graph.pointee.frame.field = decoder.tables.nowhere
    graph.pointee.stream.input.cursor = overflowCursor
    defer { (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = (field, cursor) }
    return try body(place.kind)
  }

  /// Runs `body` with the cursor at a place, and leaves it where it was.
  func at<Result>(_ place: FoundField, _ body: () throws -> Result) rethrows -> Result {
    let cursor = graph.pointee.stream.input.cursor
    defer { graph.pointee.stream.input.cursor = cursor }
    if let overflowCursor = place.overflowCursor { graph.pointee.stream.input.cursor = overflowCursor }
    return try body()
  }

  /// Whether there is nil at a place, or a reference to an object that is not in the archive.
  func isNil(_ place: FoundField) -> Bool {
    at(place) {
      let cursor = graph.pointee.stream.input.cursor
      defer { graph.pointee.stream.input.cursor = cursor }
      guard let kind = place.kind == .tagged ? try? readTag() : place.kind else { return false }
      return kind == .null || kind == .absent || (kind == .conditional && !decoder.conditionalIsStored())
        || (kind == .record && skipNilRecord())
    }
  }

  /// Whether a record is at the cursor, as which another type may have encoded a single value.
  @inline(__always)
  func isAtRecord(_ kind: GraphKind) -> Bool {
    if kind == .record { return true }
    guard kind == .tagged, let byte = graph.pointee.stream.input.peek() else { return false }
    return GraphKind(rawValue: byte).plain.mayBeRecord
  }

  // MARK: Moving

  private func openTrack() -> Pinned<RecordTrack>? {
    graph.pointee.frame.shape.map { decoder.openTrack($0) }
  }

  /// Moves to a field, or behind the last one, from the nearest one in front of it whose place is known.
  ///
  /// - Complexity: O(n) fields that are passed, each of them twice at most while a record is decoded.
  private func move(to index: Int, _ shape: Pinned<DecoderShape>) throws {
    let fields = shape.pointee.fields
    guard graph.pointee.frame.field != fields.pinned(index) else { return }
    let places = decoder.openTrack(shape).pointee.places
    places[0] = graph.pointee.frame.start
    if graph.pointee.frame.field != decoder.tables.nowhere {
      places[fields.index(of: graph.pointee.frame.field)] = graph.pointee.stream.input.cursor
    }
    var field = index
    while places[field] == nil { field -= 1 }
    let old = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
    if let place = places[field] { graph.pointee.stream.input.cursor = place }
    do {
      while field < index {
        if !unfinished.isEmpty, let end = try endOfContainer(field) {
          graph.pointee.stream.input.cursor = end
        } else {
          try decoder.skip(fields[field].kind)
        }
        field += 1
        places[field] = graph.pointee.stream.input.cursor
      }
    } catch {
      (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = old
      throw error
    }
    graph.pointee.frame.field = fields.pinned(index)
  }

  /// Moves behind the record being decoded.
  func moveToEnd() throws {
    guard let shape = graph.pointee.frame.shape else { return }
    try move(to: shape.pointee.fieldCount, shape)
    if shape.pointee.isOpen {
      graph.pointee.stream.input.cursor = try graph.pointee.stream.readOverflowHead().end
    }
  }

  /// Moves over the containers that have been made of a record's fields, to the end of these.
  func moveOverContainers() throws {
    guard let shape = graph.pointee.frame.shape else { return }
    try move(to: shape.pointee.fieldCount, shape)
  }

  /// Finds out where the overflow fields are.
  private func findOverflow(_ shape: Pinned<DecoderShape>) throws {
    let track = decoder.openTrack(shape)
    guard track.pointee.overflow == nil else { return }
    let old = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
    defer { (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = old }
    try move(to: shape.pointee.fieldCount, shape)
    track.pointee.overflow = try decoder.readOverflow()
  }

  /// The overflow fields of the record being decoded, once they have been found.
  private var overflow: OverflowFields? { graph.pointee.frame.track?.pointee.overflow }
}
