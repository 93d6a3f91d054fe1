import CGraphArchive

/// A nested container, which can be read at any time until the record around it ends.
struct ParkedRecord {
  /// The record that it lies in.
  let outer: Int
  /// nil where that is all of it.
  let key: ArchiveKey?
  var frame: RecordFrame
  /// The stream or, for the elements of a packed array, what has been made of them.
  var input: gca_reader
  /// Owns the shape, where that is not one of the archive.
  var list: ParkedList?
}

extension CodableReader {
  /// Makes a record that is read on the side of the one being decoded.
  ///
  /// The cursor is at the value, of a kind; it is left where it was.
  ///
  /// - Parameter isRecord: whether values that are no records are refused.
  func park(_ kind: GraphKind, key: ArchiveKey?, isRecord: Bool) throws -> RecordDecoder {
    let cursor = graph.pointee.input.cursor
    defer { graph.pointee.input.cursor = cursor }
    let kind = kind == .tagged ? try readTag() : kind
    switch kind {
    case .record:
      let shape = try decoder.readShape()
      guard !shape.pointee.isSpecial else { throw decoder.unexpectedClass(Any.self, shape) }
      return try park(shape, key: key)
    case .reference where isRecord, .conditional where isRecord:
      return try park(fieldsOfObject(), key: key)
    default:
      guard !isRecord else { throw noContainer(kind) }
      return try park(bareShape(kind), key: key)
    }
  }

  private func noContainer(_ kind: GraphKind) -> GCodableError {
    kind == .null || kind == .absent
      ? GCodableError(.valueNotFound, "there is nil in place of a container")
      : GCodableError(.typeMismatch, "the archive has a \(kind) in place of a container")
  }

  /// Makes a record of what the cursor is at.
  private func park(
    _ shape: UnsafeMutablePointer<DecoderShape>, key: ArchiveKey?, list: ParkedList? = nil
  ) throws -> RecordDecoder {
    state.pointee.lastRecord += 1
    let serial = state.pointee.lastRecord
    let depth = try Nesting.deeper(than: graph.pointee.frame.depth)
    parked[serial] = ParkedRecord(
      outer: state.pointee.record, key: key,
      frame: RecordFrame(shape, start: graph.pointee.input.cursor, depth: depth), input: graph.pointee.input,
      list: list)
    parkedSerials.append(serial)
    return RecordDecoder(reader: self, serial: serial)
  }

  private func park(_ list: ParkedList) throws -> RecordDecoder {
    try park(list.shape, key: nil, list: list)
  }

  /// Moves into the object whose number is at the cursor, to look at its fields without making it.
  private func fieldsOfObject() throws -> UnsafeMutablePointer<DecoderShape> {
    let number = try decoder.takeVarint()
    guard number < graph.pointee.objectCount else { throw decoder.badReference(Any.self, number) }
    let offset = graph.pointee.objects[Int(number)].offset
    guard offset != ObjectSlot.notStored else { throw noContainer(.null) }
    graph.pointee.input.cursor = graph.pointee.input.base + Int(offset)
    let shape = try decoder.readShape()
    guard !shape.pointee.isBoxed else { throw noContainer(.binary) }
    return shape
  }

  /// Makes a record of the elements of the list that is the only value of the record being decoded.
  func parkElements() throws -> RecordDecoder {
    guard let place = try find(unkeyed: 0) else { throw decoder.malformed("a value has no fields") }
    let input = graph.pointee.input
    defer { graph.pointee.input = input }
    let kind = place.kind == .tagged ? try readTag() : place.kind
    switch kind {
    case .array, .set:
      let elementKind = GraphKind(rawValue: try decoder.readByte())
      let count = try decoder.readCount(of: elementKind)
      return try park(ParkedList(elementKind, count: count))
    case .packed:
      let elements = try readUnpacked()
      gca_reader_init(
        &graph.pointee.input, elements.base.assumingMemoryBound(to: UInt8.self), elements.byteCount)
      return try park(ParkedList(elements.kind, count: elements.count, elements))
    default: throw noContainer(kind)
    }
  }

  /// Runs `body` with a record as the one that is being decoded.
  ///
  /// - Throws: where it is neither that nor parked; what `body` throws.
  @inline(__always)
  func with<Result>(_ serial: Int, _ body: () throws -> Result) throws -> Result {
    if state.pointee.record == serial { return try body() }
    return try withParked(serial, body)
  }

  @inline(never)
  private func withParked<Result>(_ serial: Int, _ body: () throws -> Result) throws -> Result {
    guard let record = parked[serial], isCurrent(record.outer) else { throw notCurrent() }
    let (frame, input, outer) = (graph.pointee.frame, graph.pointee.input, state.pointee.record)
    graph.pointee.frame = record.frame
    graph.pointee.input = record.input
    state.pointee.record = serial
    defer {
      parked[serial]?.frame = graph.pointee.frame
      parked[serial]?.input.cursor = graph.pointee.input.cursor
      graph.pointee.frame = frame
      graph.pointee.input = input
      state.pointee.record = outer
    }
    return try body()
  }

  /// Whether a record is the one being decoded, or lies in it on the side.
  private func isCurrent(_ serial: Int) -> Bool {
    var serial = serial
    while serial != state.pointee.record {
      guard let outer = parked[serial]?.outer else { return false }
      serial = outer
    }
    return true
  }

  /// Forgets the nested containers of a record that ends, with their scans.
  func forgetParked(since serial: Int) {
    var lowest = graph.pointee.frame.scan
    while let last = parkedSerials.last, last > serial {
      parkedSerials.removeLast()
      tails[last] = nil
      let scan = parked.removeValue(forKey: last)?.frame.scan ?? 0
      if scan != 0, lowest == 0 || scan < lowest { lowest = scan }
    }
    // Of a scan on the stack those above it are inside it; the frame's own may be among them.
    guard lowest != graph.pointee.frame.scan else { return }
    graph.pointee.scans.close(lowest - 1)
    graph.pointee.frame.scan = 0
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
