import _GraphFiles
import _GraphSupport

/// The states of a record, and the transitions between them: see `RecordTrack`.
extension GDecoder {
  /// The track of the record that is being decoded, which gets one if it has none.
  func openTrack(_ shape: Pinned<DecoderShape>) -> Pinned<RecordTrack> {
    if let track = state.pointee.frame.track { return track }
    let track = state.pointee.tracks.open(placeCount: shape.pointee.fieldCount + 1)
    state.pointee.frame.track = track
    return track
  }

  /// Forgets the track of the record that is being decoded.
  func closeTrack() {
    guard let track = state.pointee.frame.track else { return }
    state.pointee.tracks.close(track)
    state.pointee.frame.track = nil
  }

  // MARK: From in order

  /// Skips the fields before `target` and notes where they are.
  func skip(
    to target: Pinned<ShapeField>, _ shape: Pinned<DecoderShape>
  ) throws {
    var field = state.pointee.frame.field
    guard field < target else { return }
    let track = openTrack(shape)
    let places = track.pointee.places
    var index = shape.pointee.fields.index(of: field)
    // After an error the cursor is at the field that cannot be skipped: another request gets the same error.
    defer { state.pointee.frame.field = field }
    while field < target {
      let start = state.pointee.stream.input.cursor
      do { try skip(field.pointee.kind) } catch {
        state.pointee.stream.input.cursor = start
        throw error
      }
      places[index] = start
      index &+= 1  // At most to the number of fields.
      if field.pointee.keyNumber == 0 { track.pointee.skippedUnkeyedCount += 1 }
      field = field.next
    }
  }

  /// Puts the cursor at a field that was skipped, which is decoded now.
  func depart(to index: Int, _ shape: Pinned<DecoderShape>) -> GraphKind {
    let track = openTrack(shape)
    let (fields, places) = (shape.pointee.fields, track.pointee.places)
    let front = state.pointee.frame.field
    let field = fields.pinned(index)
    track.pointee.activeKey = field.pointee.keyNumber
    if field.pointee.keyNumber == 0 { track.pointee.skippedUnkeyedCount -= 1 }
    // The next field's value follows. Fields without keys have their own order.
    var run = index + 1
    if fields[0].unkeyedCount == 0 {
      let frontIndex = min(fields.index(of: front), index + Self.maximumRunCount)
      while run < frontIndex, places[run] != nil { run += 1 }
    }
    track.pointee.state = .detour(
      .init(front: front, cursor: state.pointee.stream.input.cursor, run: .init(index + 1..<run)))
    state.pointee.frame.field = run > index + 1 ? field.next : tables.nowhere
    if let place = places[index] { state.pointee.stream.input.cursor = place }
    places[index] = nil
    return field.pointee.kind
  }

  /// Fields that may be decoded in order from a skipped one on, because going back to each would rescan all of them.
  private static let maximumRunCount = 64

  /// Puts the cursor at an overflow field, which is decoded now.
  func depart(to field: OverflowFields.Field, _ shape: Pinned<DecoderShape>) -> GraphKind {
    let track = openTrack(shape)
    track.pointee.activeKey = field.keyNumber
    track.pointee.state = .detour(
      .init(front: state.pointee.frame.field, cursor: state.pointee.stream.input.cursor, run: .none))
    state.pointee.frame.field = tables.nowhere
    state.pointee.stream.input.cursor = field.cursor
    return field.kind
  }

  /// Keeps the front from matching when a skipped field without a key comes first.
  func suspend() {
    guard let track = state.pointee.frame.track, track.pointee.skippedUnkeyedCount > 0,
      case .inOrder = track.pointee.state
    else { return }
    track.pointee.state = .suspended(front: state.pointee.frame.field)
    state.pointee.frame.field = tables.nowhere
  }

  /// Notes that an error has left the cursor somewhere inside the value that was being decoded: the record
  /// is found again if the error is caught and another of its fields is asked for.
  @usableFromInline
  @inline(never)
  func lost(_ error: any Error) -> any Error {
    state.pointee.isRecordAtFault = false
    guard let shape = state.pointee.frame.shape else { return error }
    let track = openTrack(shape)
    switch track.pointee.state {
    case .inOrder, .suspended:
      track.pointee.state = .lost(front: front(of: track))
      state.pointee.frame.field = tables.nowhere
    case .detour(let detour):
      guard state.pointee.frame.field != tables.nowhere else { break }
      let front = endRun(of: detour, track, shape)
      if front > detour.front {
        track.pointee.state = .lost(front: front)
      } else {
        track.pointee.state = .detour(.init(front: detour.front, cursor: detour.cursor, run: .none))
      }
      state.pointee.frame.field = tables.nowhere
    case .lost: break
    }
    return error
  }

  // MARK: Back to in order

  /// The field to go on with when the record is in order again.
  private func front(of track: Pinned<RecordTrack>) -> Pinned<ShapeField> {
    switch track.pointee.state {
    case .inOrder: state.pointee.frame.field
    case .detour(let detour): detour.front
    case .suspended(let front), .lost(let front): front
    }
  }

  /// Goes back to the front.
  @inline(__always)
  func resume() {
    guard let track = state.pointee.frame.track else { return }
    if case .inOrder = track.pointee.state { return }
    resumeOrder()
  }

  @inline(never)
  private func resumeOrder() {
    guard let track = state.pointee.frame.track, let shape = state.pointee.frame.shape else { return }
    resumeOrder(track, shape)
  }

  @inline(__always)
  private func resumeOrder(_ track: Pinned<RecordTrack>, _ shape: Pinned<DecoderShape>) {
    switch track.pointee.state {
    case .inOrder: return
    case .suspended(let front): state.pointee.frame.field = front
    case .detour(let detour):
      guard state.pointee.frame.field != tables.nowhere else {
        state.pointee.frame.field = detour.front
        state.pointee.stream.input.cursor = detour.cursor
        break
      }
      // A run may have continued with the front; the cursor is then there.
      let front = endRun(of: detour, track, shape)
      if front == detour.front { state.pointee.stream.input.cursor = detour.cursor }
      state.pointee.frame.field = front
    case .lost(let front):
      recover(to: front, shape)
      state.pointee.frame.field = front
    }
    track.pointee.state = .inOrder
  }

  /// Notes which fields a run has decoded.
  ///
  /// - Returns: the front, which it may have gone beyond.
  @inline(__always)
  private func endRun(
    of detour: RecordTrack.Detour, _ track: Pinned<RecordTrack>,
    _ shape: Pinned<DecoderShape>
  ) -> Pinned<ShapeField> {
    let (fields, end, places) = (shape.pointee.fields, state.pointee.frame.field, track.pointee.places)
    var index = Int(detour.run.first)
    while fields.pinned(index) < end {
      places[index] = nil
      index += 1
    }
    let runEnd = fields.pinned(Int(detour.run.end))
    if end > runEnd, runEnd < detour.front { track.pointee.repeatedKey = runEnd.pointee.keyNumber }
    if end > fields.pinned(0) { track.pointee.activeKey = end.previous.pointee.keyNumber }
    return max(detour.front, end)
  }

  /// Puts the cursor at a field, skipping from the start of the record or from where it was put after the last error.
  private func recover(
    to front: Pinned<ShapeField>, _ shape: Pinned<DecoderShape>
  ) {
    if let start = state.pointee.frame.start { state.pointee.stream.input.cursor = start }
    var field = shape.pointee.fields.pinned(0)
    let track = state.pointee.frame.track
    if let last = track?.pointee.recovered, last.field <= front {
      (field, state.pointee.stream.input.cursor) = (last.field, last.cursor)
    }
    do {
      while field < front {
        try skip(field.pointee.kind)
        field = field.next
      }
      track?.pointee.recovered = (front, state.pointee.stream.input.cursor)
    } catch {
      // The next request reports that the record is malformed.
      state.pointee.stream.input.cursor = state.pointee.stream.input.end
    }
  }

  // MARK: The end

  /// Moves past a record whose fields were not all decoded, or not in order.
  @usableFromInline
  @inline(never)
  func finishRecord() throws {
    guard let shape = state.pointee.frame.shape else { return }
    if let track = state.pointee.frame.track { resumeOrder(track, shape) }
    let end = shape.pointee.end
    while state.pointee.frame.field < end {
      try skip(state.pointee.frame.field.pointee.kind)
      state.pointee.frame.field = state.pointee.frame.field.next
    }
    let track = state.pointee.frame.track
    if let track, track.pointee.hasUncounted { try findOverflow(shape, track) }
    if shape.pointee.isOpen {
      state.pointee.stream.input.cursor = try state.pointee.stream.readOverflowHead().end
    }
    guard let track else { return }
    let repeatedKey = track.pointee.repeatedKey
    closeTrack()
    if repeatedKey != 0 { throw keyRepeated(repeatedKey) }
  }

  private func keyRepeated(_ keyNumber: UInt32) -> GCodableError {
    GCodableError(
      .keyNotFound, "key \"\(tables.keys[Int(keyNumber) - 1])\" was decoded twice for one value",
      byteOffset: streamOffset)
  }
}
