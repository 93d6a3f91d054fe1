import CGraphArchive

/// A nested container, which can be read at any time until the record around it ends.
final class SuspendedRecord {
  let serial: Int
  /// The record that it lies in.
  let outer: Int
  /// The record around it that is read in place.
  let base: Int
  /// nil where that is all of it.
  let key: ArchiveKey?
  /// The field of the outer record whose value it is; nil where it lies elsewhere.
  let field: Int?
  /// The one that was made before it of the same outer record, which lives as long.
  let previous: Held<SuspendedRecord>?
  /// How many were made before it, itself included.
  let place: Int
  /// The last one of the first few.
  let lastOfFew: Held<SuspendedRecord>?
  /// The last one that was made of this record, which does not live longer.
  var lastInner: Held<SuspendedRecord>?
  var frame: RecordFrame
  /// The stream or, for the elements of a packed array, what has been made of them.
  var input: StreamReader
  /// Owns the shape, where that is not one of the archive.
  let list: SuspendedList?
  /// Where the reader was before it went on with this one, as long as it is at it.
  ///
  /// It cannot be at it twice: what is read meanwhile lies inside this one, which does not lie in that.
  fileprivate var around: (frame: RecordFrame, input: StreamReader, record: Int)?
  /// Behind its last field, once that is known.
  private var end: StreamPlace?

  init(
    _ serial: Int, in outer: Int, base: Int, key: ArchiveKey?, field: Int?,
    previous: Held<SuspendedRecord>?,
    _ frame: RecordFrame, _ input: StreamReader, _ list: SuspendedList?
  ) {
    self.serial = serial
    self.outer = outer
    self.base = base
    self.key = key
    self.field = field
    self.previous = previous
    let last = previous?.object
    place = (last?.place ?? 0) + 1
    lastOfFew = place > Self.fewCount + 1 ? last?.lastOfFew : previous
    self.frame = frame
    self.input = input
    self.list = list
  }

  /// The number that are searched one by one; the others are found by their fields.
  static let fewCount = 16

  /// A field of a record that others are made of.
  struct Field: Hashable {
    let outer: Int
    let field: Int
  }

  /// The field that it is made of, where many were made of the outer record.
  var fieldOfMany: Field? {
    place > Self.fewCount ? field.map { Field(outer: outer, field: $0) } : nil
  }

  /// Behind its last field, where that is known or has just been decoded.
  var knownEnd: StreamPlace? {
    get {
      end ?? (frame.field.pointee.token == FieldToken.end && frame.track == nil ? input.cursor : nil)
    }
    set { end = newValue }
  }
}

extension CodableReader {
  /// Makes a record that is read on the side of the one being decoded.
  ///
  /// - Parameter isRecord: whether values that have no keys are refused.
  func suspend(_ place: Place, key: ArchiveKey?, isRecord: Bool) throws -> RecordDecoder {
    let field = fieldIndex(of: place)
    return try at(place) {
      let kind = place.kind == .tagged ? try readTag() : place.kind
      switch kind {
      case .record:
        let shape = try decoder.readShape()
        guard !shape.pointee.isSpecial else { try decoder.failWithClass(Any.self, shape) }
        return try suspend(shape, key: key, field)
      case .reference where isRecord, .conditional where isRecord:
        return try suspend(fieldsOfObject(), key: key, nil)
      case .dictionary where isRecord:
        return try suspendPairs(key: key, field)
      default:
        guard !isRecord else { throw noContainer(kind) }
        return try suspend(bareShape(kind), key: key, field)
      }
    }
  }

  /// The field of the record being decoded at which the frame is; nil for an overflow field.
  private func fieldIndex(of place: Place) -> Int? {
    guard place.overflowCursor == nil, let shape = graph.pointee.frame.shape else { return nil }
    return shape.pointee.fields.index(of: graph.pointee.frame.field)
  }

  private func noContainer(_ kind: GraphKind) -> GCodableError {
    kind == .null || kind == .absent
      ? GCodableError(.valueNotFound, "there is nil in place of a container")
      : GCodableError(.typeMismatch, "the archive has a \(kind) in place of a container")
  }

  /// Makes a record of what the cursor is at.
  private func suspend(
    _ shape: Stored<DecoderShape>, key: ArchiveKey?, _ field: Int?, list: SuspendedList? = nil
  ) throws -> RecordDecoder {
    // A type that recurses by containers alone comes to no value that could move to a new stack.
    guard gca_stack_pointer() &+ Nesting.containerReserve >= graph.pointee.stackLimit else {
      throw outOfStack
    }
    state.pointee.lastRecord += 1
    let serial = state.pointee.lastRecord
    let depth = try Nesting.deeper(than: graph.pointee.frame.depth, upTo: graph.pointee.maximumDepth)
    let outer = state.pointee.record
    let around = suspendedRecord(outer)
    let previous = lastSuspended(in: around)
    let record = SuspendedRecord(
      serial, in: outer, base: around?.base ?? outer, key: key, field: field, previous: previous,
      RecordFrame(shape, start: graph.pointee.stream.input.cursor, depth: depth), graph.pointee.stream.input,
      list)
    if let field, let known = latest(previous, of: field)?.knownEnd { record.knownEnd = known }
    if let around {
      around.lastInner = Held(record)
    } else {
      state.pointee.path[state.pointee.path.count - 1].lastSuspended = Held(record)
    }
    suspended.append(record)
    if let place = record.fieldOfMany { suspendedByField[place] = Held(record) }
    return RecordDecoder(reader: self, serial: serial)
  }

  private var outOfStack: GCodableError {
    GCodableError(
      .limitExceeded,
      "containers are asked for inside each other until the stack ends; decode what lies deep as a value of a type "
        + "of its own")
  }

  /// A suspended record by its serial number, which is the last one most times.
  func suspendedRecord(_ serial: Int) -> SuspendedRecord? {
    guard let last = suspended.last, last.serial != serial else { return suspended.last }
    var range = 0..<suspended.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if suspended[middle].serial == serial { return suspended[middle] }
      range =
        suspended[middle].serial < serial ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The last record that was made of a suspended one, or else of the one that is being decoded.
  private func lastSuspended(in record: SuspendedRecord?) -> Held<SuspendedRecord>? {
    record.map(\.lastInner) ?? state.pointee.path[state.pointee.path.count - 1].lastSuspended
  }

  /// The last record that was made of a field, among one and those before it.
  private func latest(_ record: Held<SuspendedRecord>?, of field: Int) -> SuspendedRecord? {
    var record = record
    if let last = record?.object, last.place > SuspendedRecord.fewCount {
      if let found = suspendedByField[.init(outer: last.outer, field: field)] { return found.object }
      record = last.lastOfFew
    }
    while let current = record?.object {
      if current.field == field { return current }
      record = current.previous
    }
    return nil
  }

  /// Makes a record of the keys and values, in turn, of a dictionary at the cursor.
  private func suspendPairs(key: ArchiveKey?, _ field: Int?) throws -> RecordDecoder {
    let (keyKind, valueKind, count) = try decoder.readPairsHead()
    let list = SuspendedList([keyKind, valueKind], count: count)
    return try suspend(list.shape, key: key, field, list: list)
  }

  /// Whether the keys of a dictionary at the cursor are strings or integers.
  private var isAtNames: Bool {
    graph.pointee.stream.input.peek().map { GraphKind(rawValue: $0).plain.isName } ?? false
  }

  /// Behind the value of a field of the record being decoded, where a container has been made of it.
  ///
  /// - Complexity: O(n) in what has not been decoded of the container, and O(1) when it is asked for again.
  func endOfSuspended(_ field: Int) throws -> StreamPlace? {
    let last = lastSuspended(in: suspendedRecord(state.pointee.record))
    guard let record = latest(last, of: field) else { return nil }
    if let end = record.knownEnd { return end }
    let end = try with(record.serial) {
      let (field, cursor) = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
      defer { (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = (field, cursor) }
      if gca_stack_pointer() < graph.pointee.stackLimit {
        try decoder.onNewStack { try moveToEnd() }
      } else {
        try moveToEnd()
      }
      return graph.pointee.stream.input.cursor
    }
    record.knownEnd = end
    return end
  }

  /// Moves into the object whose number is at the cursor, to look at its fields without making it.
  private func fieldsOfObject() throws -> Stored<DecoderShape> {
    try countLook()
    let number = try graph.pointee.stream.readObjectNumber()
    guard graph.pointee.objects[Int(number)].offset != ObjectSlot.notStored else { throw noContainer(.null) }
    let shape = try decoder.readShape(ofObject: number)
    guard !shape.pointee.isBoxed else { throw noContainer(.binary) }
    return shape
  }

  /// Makes a record of the elements of the list that is the only value of the record being decoded, or of the record
  /// that is that value.
  func suspendElements() throws -> RecordDecoder {
    guard let place = try find(unkeyed: 0) else { throw decoder.malformed("a value has no fields") }
    let input = graph.pointee.stream.input
    defer { graph.pointee.stream.input = input }
    let kind = place.kind == .tagged ? try readTag() : place.kind
    switch kind {
    case .record, .reference, .conditional:
      graph.pointee.stream.input = input
      return try suspend(place, key: nil, isRecord: true)
    case .array, .set:
      let (elementKind, count) = try decoder.readListHead()
      let list = SuspendedList([elementKind], count: count)
      return try suspend(list.shape, key: nil, place.overflowCursor == nil ? 0 : nil, list: list)
    // Strings and integers are keys of a container; see `namePairs`.
    case .dictionary where !isAtNames:
      return try suspendPairs(key: nil, place.overflowCursor == nil ? 0 : nil)
    case .nestedPacked:
      let rows = try decoder.readUnpackedRows()
      graph.pointee.stream.input = rows.list
      guard rows.listKind == .array else { return try suspendPacked() }
      let (elementKind, count) = try decoder.readListHead()
      let list = SuspendedList([elementKind], count: count, rows)
      return try suspend(list.shape, key: nil, nil, list: list)
    case .packed where isAtData: throw noContainer(kind)
    case .packed: return try suspendPacked()
    default: throw noContainer(kind)
    }
  }

  private func suspendPacked() throws -> RecordDecoder {
    let elements = try decoder.readUnpacked([Any].self)
    graph.pointee.stream.input = elements.input
    let list = SuspendedList([elements.kind], count: elements.count, elements)
    return try suspend(list.shape, key: nil, nil, list: list)
  }

  /// Runs `body` with a record as the one that is being decoded.
  ///
  /// - Throws: where it is neither that nor suspended; what `body` throws.
  @inline(__always)
  func with<Result>(_ serial: Int, _ body: () throws -> Result) throws -> Result {
    let suspended = try enter(serial)
    defer { if let suspended { leave(suspended) } }
    return try body()
  }

  /// Makes a record the one that is being decoded.
  ///
  /// - Returns: what to leave afterwards; nil where it was that record before.
  @inline(__always)
  func enter(_ serial: Int) throws -> SuspendedRecord? {
    state.pointee.record == serial ? nil : try enterSuspended(serial)
  }

  // Not part of `with`, of which there is a copy for each type and kind of container.
  @inline(never)
  private func enterSuspended(_ serial: Int) throws -> SuspendedRecord {
    guard let record = suspendedRecord(serial), isCurrent(record) else { throw notCurrent() }
    record.around = (graph.pointee.frame, graph.pointee.stream.input, state.pointee.record)
    graph.pointee.frame = record.frame
    graph.pointee.stream.input = record.input
    state.pointee.record = serial
    return record
  }

  @inline(never)
  func leave(_ record: SuspendedRecord) {
    record.frame = graph.pointee.frame
    record.input.cursor = graph.pointee.stream.input.cursor
    guard let around = record.around else { return }
    record.around = nil
    (graph.pointee.frame, graph.pointee.stream.input, state.pointee.record) = around
  }

  /// Whether a record lies in the one being decoded.
  private func isCurrent(_ record: SuspendedRecord) -> Bool {
    guard record.base != state.pointee.record else { return true }
    var serial = record.outer
    while serial != state.pointee.record {
      guard let outer = suspendedRecord(serial)?.outer else { return false }
      serial = outer
    }
    return true
  }

  /// Forgets the nested containers of a record that ends, with their tracks.
  func forgetSuspended(since serial: Int) {
    while let last = suspended.last, last.serial > serial {
      suspended.removeLast()
      if let place = last.fieldOfMany { suspendedByField[place] = nil }
      if let track = last.frame.track { graph.pointee.tracks.close(track) }
    }
  }

  func notCurrent() -> any Error {
    DecodingError.dataCorrupted(
      .init(
        codingPath: path(of: state.pointee.record),
        debugDescription:
          "A decoder or container is used that belongs to another value than the one being decoded, or to one that "
          + "is done."))
  }
}
