// Nested containers and super encoders whose fields are written at once.
//
// Most types fill a nested container before they go on with the one around it, as enums with payloads do. So its record
// is begun where it is asked for, and ends when another container of the value is used, or the value ends. A type that
// goes back to one that has ended makes the graph be encoded anew, and then all fields behind a nested container wait.

/// A record in place of a field of another one of the same value, while it is being written.
struct NestedRecord: BitwiseCopyable {
  let serial: Int
  /// The serial number of the record around it.
  let outer: Int
  let type: Stored<EncoderType>
  /// Where the number of its shape is.
  let start: Int
  let shape: UInt32
}

extension RecordEncoder {
  /// Whether fields of the record are written at once, now that those of records inside it are.
  ///
  /// - Throws: where these fields cannot be written any more, or another value is being encoded.
  @inline(__always)
  func streams() throws -> Bool { try isStreaming || writer.resume(serial) }

  /// Begins a record in place of the field that `enter` moves to.
  ///
  /// - Parameter form: has the shapes of such records.
  /// - Returns: nil where it has to wait. Should something be wrong, all that is encoded later throws.
  func nested<Form: GEncodable>(_ form: Form.Type, _ enter: () throws -> Void) -> RecordEncoder? {
    do {
      guard try !writer.waits && streams() else { return nil }
      try enter()
      return RecordEncoder(writer: writer, serial: try writer.beginNested(form))
    } catch {
      // Perhaps a container that is asked for again.
      if (error as? GCodableError)?.code == .duplicateKey { writer.encodeAnew() }
      return RecordEncoder(writer: writer, serial: CodableWriterState.noRecord)
    }
  }
}

extension CodableWriter {
  /// Begins a record in place of the field that was entered.
  fileprivate func beginNested<Form: GEncodable>(_ form: Form.Type) throws -> Int {
    try encoder.reserve()
    guard graph.pointee.depth < graph.pointee.maximumDepth else {
      throw encoder.failed(Nesting.tooDeep(graph.pointee.maximumDepth))
    }
    let type = encoder.encoderType(form)
    let start = graph.pointee.out.count
    let shape = graph.pointee.expectedShape(type)
    graph.pointee.out.putVarint(UInt64(shape))
    let outer = state.pointee.record
    let serial = enterRecord(in: graph.pointee.node)
    state.pointee.nested.append(
      NestedRecord(serial: serial, outer: outer, type: type, start: start, shape: shape))
    graph.pointee.node = type.pointee.root
    graph.pointee.depth += 1
    return serial
  }

  /// Ends the records inside one of the value that is being encoded.
  ///
  /// - Returns: false where fields wait, or another value is being encoded.
  @inline(never)
  func resume(_ serial: Int) throws -> Bool {
    if waits { return false }
    guard serial != CodableWriterState.noRecord else { throw needsWaiting }
    var (record, place) = (state.pointee.record, state.pointee.nested.count)
    while record != serial {
      place -= 1
      guard place >= 0, state.pointee.nested[place].serial == record else { throw needsWaiting }
      record = state.pointee.nested[place].outer
    }
    while state.pointee.record != serial { try endNested() }
    return true
  }

  /// The error of going back to a record that has ended, with which the graph is encoded anew.
  var needsWaiting: any Error {
    guard encoder.tables.codable === self else { return notCurrent("nothing") }
    if let failure = encoder.tables.failure { return failure }
    encodeAnew()
    return encoder.failed(GCodableError(.internalInconsistency, "the graph has to be encoded anew"))
  }

  /// Has the graph be encoded anew, with fields that wait.
  fileprivate func encodeAnew() {
    // The encoder may be at another graph by now.
    if encoder.tables.codable === self { encoder.tables.needsWaiting = true }
  }

  private func endNested() throws {
    let nested = state.pointee.nested.removeLast()
    if graph.pointee.node != nested.type.pointee.predictedEnd
      || nested.shape != nested.type.pointee.predictedShape
    {
      try encoder.endUnexpected(nested.type, start: nested.start, shape: nested.shape)
    }
    leaveNested()
  }

  /// Leaves the records inside one that an error has left.
  func leaveNested(_ error: any Error, _ type: Any.Type, to serial: Int) -> any Error {
    var error = error
    while state.pointee.record != serial, state.pointee.nested.count > 0 {
      state.pointee.nested.removeLast(1)
      if let field = state.pointee.path[state.pointee.path.count - 1].field {
        error = encoder.failed(error, in: type, leavingTo: field)
      }
      leaveNested()
    }
    return error
  }

  private func leaveNested() {
    let step = state.pointee.path.removeLast()
    if let field = step.field { graph.pointee.node = field }
    graph.pointee.depth -= 1
    state.pointee.record = step.outer
    state.pointee.streaming = step.outerStreaming
  }
}
