import CGraphArchive
import _GraphFiles
import _GraphSupport

/// A nested container, which can be used until its value ends, or that value's own record.
///
/// Only one record of a value is current: its frame and input are those of the decoder. The others keep theirs here.
struct OpenRecord {
  let serial: Int
  /// The record that contains it.
  let outer: Int
  /// The record of the value that it was made for.
  let base: Int
  /// nil if that is all of it.
  let key: ArchiveKey?
  /// The field of the outer record whose value it is; nil if it is elsewhere.
  let field: Int?
  var frame: RecordFrame
  /// The stream or, for the elements of a packed array, their unpacked form.
  var input: StreamReader
  /// Owns the shape, if that is not in the archive.
  var list: ContainerElements?
  /// It is among the reader's `unfinished`.
  var isUnfinished = false

  /// A field of a record that nested containers were made from.
  struct Field: Hashable {
    let outer: Int
    let field: Int
  }
}

// MARK: - Making them

extension CodableReader {
  /// Opens the container at a place of the current record.
  ///
  /// - Parameter isRecord: whether values without keys are refused.
  func open(_ place: FoundField, key: ArchiveKey?, isRecord: Bool) throws -> RecordDecoder {
    let field = fieldIndex(of: place)
    return try at(place) {
      let kind = place.kind == .tagged ? try readTag() : place.kind
      switch kind {
      case .record:
        let shape = try decoder.readShape()
        guard !shape.pointee.isSpecial else { try decoder.failWithClass(Any.self, shape) }
        return try open(shape, key: key, field)
      case .reference where isRecord, .conditional where isRecord:
        return try open(fieldsOfObject(), key: key, nil)
      case .dictionary where isRecord:
        return try openPairs(key: key, field)
      default:
        guard !isRecord else { throw noContainer(kind) }
        return try open(bareShape(kind), key: key, field)
      }
    }
  }

  /// Opens the elements of the list that is the current record's only value, or of the record that is that value.
  func openElements() throws -> RecordDecoder {
    guard let place = try find(unkeyed: 0) else { throw decoder.malformed("a value has no fields") }
    let input = graph.pointee.stream.input
    defer { graph.pointee.stream.input = input }
    let kind = place.kind == .tagged ? try readTag() : place.kind
    switch kind {
    case .record, .reference, .conditional:
      graph.pointee.stream.input = input
      return try open(place, key: nil, isRecord: true)
    case .array, .set: return try openList(place.overflowCursor == nil ? 0 : nil)
    // Strings and integers are keys of a container; see `namePairs`.
    case .dictionary where !isAtNames:
      return try openPairs(key: nil, place.overflowCursor == nil ? 0 : nil)
    case .nestedPacked:
      let rows = try decoder.readUnpackedRows()
      graph.pointee.stream.input = rows.list
      return try rows.listKind == .array ? openList(nil, rows) : openPacked()
    case .packedOptionals:
      let list = try decoder.readUnpackedOptionals()
      graph.pointee.stream.input = list.input
      return try openList(nil, list)
    case .packed where isAtData: throw noContainer(kind)
    case .packed: return try openPacked()
    default: throw noContainer(kind)
    }
  }

  private func openList(_ field: Int?, _ owner: AnyObject? = nil) throws -> RecordDecoder {
    let (elementKind, count) = try decoder.readListHead()
    return try open(ContainerElements([elementKind], count: count, owner), key: nil, field)
  }

  private func openPacked() throws -> RecordDecoder {
    let elements = try decoder.readUnpacked([Any].self)
    graph.pointee.stream.input = elements.input
    return try open(ContainerElements([elements.kind], count: elements.count, elements), key: nil, nil)
  }

  /// Opens the keys and values, in turn, of a dictionary at the cursor.
  private func openPairs(key: ArchiveKey?, _ field: Int?) throws -> RecordDecoder {
    let (keyKind, valueKind, count) = try decoder.readPairsHead()
    return try open(ContainerElements([keyKind, valueKind], count: count), key: key, field)
  }

  private func open(_ list: ContainerElements, key: ArchiveKey?, _ field: Int?) throws -> RecordDecoder {
    let record = try open(list.shape, key: key, field)
    openRecords[openRecords.count - 1].list = list
    return record
  }

  /// Opens what the cursor is at.
  private func open(_ shape: Pinned<DecoderShape>, key: ArchiveKey?, _ field: Int?) throws -> RecordDecoder {
    // A type that recurses only through containers reaches no value that could move to a new stack.
    guard gca_stack_pointer() &+ Nesting.containerReserve >= graph.pointee.stackLimit else {
      throw GCodableError(
        .limitExceeded,
        "containers are asked for inside each other until the stack ends; decode what lies deep as a value of a type "
          + "of its own")
    }
    let depth = try Nesting.deeper(than: graph.pointee.frame.depth, upTo: graph.pointee.maximumDepth)
    let outer = state.pointee.record
    let base: Int
    if let around = openIndex(of: outer) {
      base = openRecords[around].base
    } else {
      base = outer
      openRecords.append(
        OpenRecord(
          serial: outer, outer: 0, base: outer, key: nil, field: nil, frame: graph.pointee.frame,
          input: graph.pointee.stream.input))
    }
    state.pointee.lastRecord += 1
    let serial = state.pointee.lastRecord
    openRecords.append(
      OpenRecord(
        serial: serial, outer: outer, base: base, key: key, field: field,
        frame: RecordFrame(shape, start: graph.pointee.stream.input.cursor, depth: depth),
        input: graph.pointee.stream.input))
    return RecordDecoder(reader: self, serial: serial)
  }

  /// The field of the current record that the frame is at; nil for an overflow field.
  private func fieldIndex(of place: FoundField) -> Int? {
    guard place.overflowCursor == nil, let shape = graph.pointee.frame.shape else { return nil }
    return shape.pointee.fields.index(of: graph.pointee.frame.field)
  }

  private func noContainer(_ kind: GraphKind) -> GCodableError {
    kind == .null || kind == .absent
      ? GCodableError(.valueNotFound, "there is nil in place of a container")
      : GCodableError(.typeMismatch, "the archive has a \(kind) in place of a container")
  }

  /// Whether the keys of a dictionary at the cursor are strings or integers.
  private var isAtNames: Bool {
    graph.pointee.stream.input.peek().map { GraphKind(rawValue: $0).plain.isName } ?? false
  }

  /// Moves into the object whose number is at the cursor, to read its fields without creating it.
  private func fieldsOfObject() throws -> Pinned<DecoderShape> {
    try countLook()
    let number = try graph.pointee.stream.readObjectNumber()
    guard graph.pointee.objects[Int(number)].offset != ObjectSlot.notStored else { throw noContainer(.null) }
    let shape = try decoder.readShape(ofObject: number)
    guard !shape.pointee.isBoxed else { throw noContainer(.binary) }
    return shape
  }
}

// MARK: - Going from one to another

extension CodableReader {
  /// Makes a record the current one.
  ///
  /// - Throws: if it does not belong to the value being decoded.
  @inline(__always)
  func enter(_ serial: Int) throws {
    if state.pointee.record != serial, !go(to: serial) { throw notCurrent() }
  }

  /// Runs `body` with a record as the current one, which it may leave.
  @inline(__always)
  func with<Result>(_ serial: Int, _ body: () throws -> Result) throws -> Result {
    try enter(serial)
    return try body()
  }

  /// Makes a record of the value that is being decoded the current one.
  ///
  /// - Returns: false if it does not belong to that value.
  // Separate from `with`, which is copied for each type and kind of container.
  @inline(never)
  @discardableResult
  func go(to serial: Int) -> Bool {
    let path = state.pointee.path
    guard path.count > 0, let wanted = openIndex(of: serial),
      openRecords[wanted].base == path[path.count - 1].serial,
      let current = openIndex(of: state.pointee.record)
    else { return false }
    openRecords[current].frame = graph.pointee.frame
    openRecords[current].input = graph.pointee.stream.input
    noteEnd(current)
    graph.pointee.frame = openRecords[wanted].frame
    graph.pointee.stream.input = openRecords[wanted].input
    state.pointee.record = serial
    return true
  }

  /// Keeps the record around one that is left from skipping it a second time.
  private func noteEnd(_ index: Int) {
    guard let field = openRecords[index].field, let outer = openIndex(of: openRecords[index].outer),
      let shape = openRecords[index].frame.shape, let outerShape = openRecords[outer].frame.shape
    else { return }
    if openRecords[index].frame.field.pointee.token == FieldToken.end, !shape.pointee.isOpen {
      let end = openRecords[index].input.cursor
      let place = outerShape.pointee.fields.pinned(field)
      if openRecords[outer].frame.field == place {
        openRecords[outer].frame.field = place.next
        openRecords[outer].input.cursor = end
      } else {
        openRecords[outer].frame.track?.pointee.places[field + 1] = end
      }
    } else if !openRecords[index].isUnfinished {
      openRecords[index].isUnfinished = true
      unfinished[.init(outer: openRecords[index].outer, field: field)] = openRecords[index].serial
    }
  }

  /// Moves past the value of a field of the current record after leaving a container made from it.
  ///
  /// - Complexity: O(n) in the undecoded part of the container.
  func endOfContainer(_ field: Int) throws -> StreamPosition? {
    let outer = state.pointee.record
    guard let serial = unfinished[.init(outer: outer, field: field)], go(to: serial) else { return nil }
    defer { go(to: outer) }
    let (field, cursor) = (graph.pointee.frame.field, graph.pointee.stream.input.cursor)
    defer { (graph.pointee.frame.field, graph.pointee.stream.input.cursor) = (field, cursor) }
    if gca_stack_pointer() < graph.pointee.stackLimit {
      try decoder.onNewStack { try moveToEnd() }
    } else {
      try moveToEnd()
    }
    return graph.pointee.stream.input.cursor
  }

  /// The index of a record, mostly the last one, by its serial number.
  func openIndex(of serial: Int) -> Int? {
    guard let last = openRecords.last, last.serial != serial else { return openRecords.indices.last }
    return openRecords.firstIndexInOrder(of: serial, by: \.serial)
  }

  /// The record of the elements of a list or dictionary by its serial number; nil for another kind of record.
  func list(of serial: Int) -> ContainerElements? { openIndex(of: serial).flatMap { openRecords[$0].list } }

  /// Goes back to a value's own record when the value ends, and forgets its containers and their tracks.
  func closeContainers(of serial: Int) {
    if state.pointee.record != serial { go(to: serial) }
    while let last = openRecords.last, last.base == serial {
      openRecords.removeLast()
      if last.isUnfinished, let field = last.field {
        unfinished[.init(outer: last.outer, field: field)] = nil
      }
      if last.serial != serial, let track = last.frame.track { graph.pointee.tracks.close(track) }
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

extension Array {
  /// The index of the element with a number; the elements are in the order of their numbers.
  func firstIndexInOrder(of number: Int, by key: (Element) -> Int) -> Int? {
    var range = indices
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      let found = key(self[middle])
      if found == number { return middle }
      range = found < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
