import CGraphArchive

/// A nested container, which can be read at any time until the record around it ends.
struct ParkedRecord {
  /// The record that it lies in.
  let outer: Int
  /// nil where that is all of it.
  let key: ArchiveKey?
  var frame: RecordFrame
  var cursor: UnsafePointer<UInt8>?
}

extension CodableReader {
  /// Makes a record that is read on the side of the one being decoded.
  ///
  /// The cursor is at the value, of a kind; it is left where it was.
  ///
  /// - Parameter isRecord: whether values that are no records are refused.
  func park(_ kind: GraphKind, key: ArchiveKey, isRecord: Bool) throws -> RecordDecoder {
    let cursor = graph.pointee.input.cursor
    defer { graph.pointee.input.cursor = cursor }
    var kind = kind
    while kind == .tagged { kind = GraphKind(rawValue: try decoder.readByte()) }
    let shape: UnsafeMutablePointer<DecoderShape>
    if kind == .record {
      shape = try decoder.readShape()
      guard !shape.pointee.isSpecial else { throw decoder.unexpectedClass(Any.self, shape) }
    } else {
      guard !isRecord else {
        throw kind == .null || kind == .absent
          ? GCodableError(.valueNotFound, "there is nil in place of a nested container")
          : GCodableError(.typeMismatch, "the archive has a \(kind) in place of a nested container")
      }
      shape = bareShape(kind)
    }
    guard graph.pointee.frame.depth < Nesting.maximumDepth else { throw Nesting.tooDeep }
    state.pointee.lastRecord += 1
    let serial = state.pointee.lastRecord
    let start = graph.pointee.input.cursor
    parked[serial] = ParkedRecord(
      outer: state.pointee.record, key: key,
      frame: RecordFrame(shape, start: start, depth: graph.pointee.frame.depth + 1), cursor: start)
    return RecordDecoder(reader: self, serial: serial)
  }

  /// Makes a record of the elements of the list that is the only value of the record being decoded.
  func parkElements() throws -> RecordDecoder {
    guard let place = try find(unkeyed: 0) else { throw decoder.malformed("a value has no fields") }
    let cursor = graph.pointee.input.cursor
    defer { graph.pointee.input.cursor = cursor }
    let kind = place.kind == .tagged ? try readTag() : place.kind
    guard kind == .array || kind == .set else {
      throw kind == .null || kind == .absent
        ? GCodableError(.valueNotFound, "there is nil in place of a list")
        : GCodableError(.typeMismatch, "the archive has a \(kind) in place of a list that is read one by one")
    }
    let elementKind = GraphKind(rawValue: try decoder.readByte())
    let shape = listShape(elementKind, count: try decoder.readCount(of: elementKind))
    state.pointee.lastRecord += 1
    let serial = state.pointee.lastRecord
    let start = graph.pointee.input.cursor
    parked[serial] = ParkedRecord(
      outer: state.pointee.record, key: nil,
      frame: RecordFrame(shape, start: start, depth: try Nesting.deeper(than: graph.pointee.frame.depth)),
      cursor: start)
    return RecordDecoder(reader: self, serial: serial)
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
    let (frame, cursor, outer) = (graph.pointee.frame, graph.pointee.input.cursor, state.pointee.record)
    graph.pointee.frame = record.frame
    graph.pointee.input.cursor = record.cursor
    state.pointee.record = serial
    defer {
      parked[serial]?.frame = graph.pointee.frame
      parked[serial]?.cursor = graph.pointee.input.cursor
      graph.pointee.frame = frame
      graph.pointee.input.cursor = cursor
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
    for (number, record) in parked where number > serial {
      let scan = record.frame.scan
      if scan != 0, lowest == 0 || scan < lowest { lowest = scan }
      parked[number] = nil
      tails[number] = nil
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
