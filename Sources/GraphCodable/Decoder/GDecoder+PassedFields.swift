import CGraphArchive

/// Going back and forth between the fields of a record: where those are that were passed over, and where to go on.
extension GDecoder {
  /// Notes that an error has left the cursor somewhere inside the value that was being decoded: the record
  /// is found again if the error is caught and another of its fields is asked for.
  @usableFromInline
  @inline(never)
  func lost(_ error: any Error) -> any Error {
    guard let shape = state.pointee.frame.shape else { return error }
    let scan = openScan(shape)
    let record = state.pointee.scans[scan]
    if record.pointee.run >= 0 { endRun(scan, shape, isLost: true) }
    if record.pointee.resumeField == nil {
      record.pointee.resumeField = state.pointee.frame.field
      state.pointee.frame.field = tables.nowhere
    }
    if record.pointee.resumeCursor == nil { record.pointee.isLost = true }
    return error
  }

  /// Puts the cursor at the field to go on with, counting from the start of the record.
  private func recover(_ scan: Int, to target: UnsafeMutablePointer<ShapeField>) {
    guard let shape = state.pointee.frame.shape, let start = state.pointee.frame.start else { return }
    state.pointee.input.cursor = start
    do {
      var field = shape.pointee.fields
      while field < target {
        try skip(field.pointee.kind)
        field += 1
      }
      if state.pointee.scans[scan].pointee.tail != 0 { state.pointee.input.cursor = try readTailHeader().end }
    } catch {
      // What is asked for next says that the record is malformed.
      state.pointee.input.cursor = state.pointee.input.end
    }
  }

  /// Goes back to the field after the last one that was reached in order.
  func resume() {
    guard state.pointee.frame.scan != 0, let shape = state.pointee.frame.shape else { return }
    let scan = state.pointee.frame.scan - 1
    let record = state.pointee.scans[scan]
    if record.pointee.run >= 0 { endRun(scan, shape, isLost: false) }
    guard let field = record.pointee.resumeField else { return }
    state.pointee.frame.field = field
    if record.pointee.isLost {
      record.pointee.isLost = false
      recover(scan, to: field)
    }
    if let cursor = record.pointee.resumeCursor { state.pointee.input.cursor = cursor }
    record.pointee.resumeField = nil
    record.pointee.resumeCursor = nil
  }

  /// Notes which fields a run has taken.
  private func endRun(_ scan: Int, _ shape: UnsafeMutablePointer<DecoderShape>, isLost: Bool) {
    let fields = shape.pointee.fields
    let record = state.pointee.scans[scan]
    let end = state.pointee.frame.field
    let first = record.pointee.run + 1
    for index in first..<max(end - fields, first) {
      state.pointee.scans.setPlace(of: index, in: scan, to: nil)
    }
    record.pointee.run = -1
    if let runEnd = record.pointee.runEnd, end > fields + runEnd {
      record.pointee.takenTwice = fields[runEnd].keyNumber
    }
    if let resumeField = record.pointee.resumeField, end > resumeField {
      // It has gone on behind what had been passed over.
      record.pointee.resumeField = end
      record.pointee.resumeCursor = isLost ? nil : state.pointee.input.cursor
    }
    if end > fields { record.pointee.activeKey = (end - 1).pointee.keyNumber }
    state.pointee.frame.field = tables.nowhere
  }

  /// Sees to it that the field at the cursor does not match by itself where the next unkeyed value is one
  /// that was passed.
  func park() {
    guard state.pointee.frame.scan != 0 else { return }
    let record = state.pointee.scans[state.pointee.frame.scan - 1]
    guard record.pointee.resumeField == nil, record.pointee.unkeyedCount > 0 else {
      return
    }
    record.pointee.resumeField = state.pointee.frame.field
    record.pointee.resumeCursor = nil
    state.pointee.frame.field = tables.nowhere
  }

  /// Notes where the fields in front of `target` are and moves to it.
  func pass(
    upTo target: UnsafeMutablePointer<ShapeField>, _ shape: UnsafeMutablePointer<DecoderShape>
  ) throws {
    guard state.pointee.frame.field < target else { return }
    let scan = openScan(shape)
    let first = state.pointee.frame.field - shape.pointee.fields
    var place = state.pointee.scans.placePointer(of: first, in: scan)
    while state.pointee.frame.field < target {
      let field = state.pointee.frame.field
      let start = state.pointee.input.cursor
      try skip(field.pointee.kind)
      place.pointee = start
      place += 1
      if field.pointee.keyNumber == 0 { state.pointee.scans[scan].pointee.unkeyedCount += 1 }
      state.pointee.frame.field = field + 1
    }
  }

  func openScan(_ shape: UnsafeMutablePointer<DecoderShape>) -> Int {
    if state.pointee.frame.scan == 0 {
      state.pointee.frame.scan = state.pointee.scans.open(fieldCount: shape.pointee.fieldCount)
    }
    return state.pointee.frame.scan - 1
  }

  /// Forgets the scan of the record that is being decoded, and those inside it.
  func closeScan() {
    let scan = state.pointee.frame.scan - 1
    if state.pointee.scans[scan].pointee.tail != 0 {
      tables.tails.removeSubrange((state.pointee.scans[scan].pointee.tail - 1)...)
    }
    state.pointee.scans.close(scan)
    state.pointee.frame.scan = 0
  }

  /// Moves behind a record whose fields have not all been decoded, or not in order.
  @usableFromInline
  @inline(never)
  func finishRecord() throws {
    guard let shape = state.pointee.frame.shape else { return }
    resume()
    let end = shape.pointee.fields + shape.pointee.fieldCount
    while state.pointee.frame.field < end {
      try skip(state.pointee.frame.field.pointee.kind)
      state.pointee.frame.field += 1
    }
    let scan = state.pointee.frame.scan
    if shape.pointee.isOpen, scan == 0 || state.pointee.scans[scan - 1].pointee.tail == 0 {
      state.pointee.input.cursor = try readTailHeader().end
    }
    if scan != 0 {
      let takenTwice = state.pointee.scans[scan - 1].pointee.takenTwice
      closeScan()
      if takenTwice != 0 { throw keyTakenTwice(takenTwice) }
    }
  }

  @inline(never)
  private func keyTakenTwice(_ keyNumber: UInt32) -> GCodableError {
    GCodableError(
      .keyNotFound, "key \"\(tables.keys[Int(keyNumber) - 1])\" was decoded twice for one value",
      byteOffset: streamOffset)
  }
}
