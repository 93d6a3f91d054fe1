import _GraphSupport

// Nested containers and super encoders whose fields are written at once.
//
// Most types fill a nested container before they go on with the one around it, as enums with payloads do. So its record begins
// when it is requested, and ends when another container of the value is used, or the value ends. If a type goes back to one that
// has ended, the graph is encoded again, and then all fields after a nested container wait.

/// A record that replaces a field of another one of the same value, while it is being written.
struct NestedRecord: BitwiseCopyable {
  let serial: Int
  /// The serial number of the record around it.
  let outer: Int
  let type: Pinned<EncoderType>
  /// Where the number of its shape is.
  let start: Int
  let shape: UInt32
}

extension CodableWriter {
  /// Begins a record in place of the field that was entered.
  func beginNested(_ type: Pinned<EncoderType>) throws -> Int {
    try encoder.reserve()
    guard graph.pointee.depth < graph.pointee.maximumDepth else {
      throw encoder.failed(Nesting.tooDeep(graph.pointee.maximumDepth))
    }
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

  /// Ends the records inside one of the value being encoded.
  ///
  /// - Returns: false if fields wait, or another value is being encoded.
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

  /// The error for going back to a record that has ended, which makes the graph be encoded again.
  var needsWaiting: any Error {
    guard isCurrent else { return notCurrent("nothing") }
    if let failure = encoder.tables.failure { return failure }
    encodeAnew()
    return encoder.failed(GCodableError(.internalInconsistency, "the graph has to be encoded anew"))
  }

  /// Requests that the graph be encoded again, with waiting fields.
  func encodeAnew() {
    // The encoder may be encoding another graph by now.
    if isCurrent { encoder.tables.needsWaiting = true }
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

  /// Leaves the records inside one that was left by an error.
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
