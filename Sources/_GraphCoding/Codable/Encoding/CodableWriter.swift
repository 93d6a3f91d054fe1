import CGraphArchive
import _GraphFiles
import _GraphSupport

/// What an encoder needs for `Codable` values: what it knows about their types, and where it is.
///
/// It and its encoder hold each other until the graph has been walked. An `Encoder` that a model keeps for longer
/// throws.
final class CodableWriter {
  let encoder: GEncoder
  let graph: Pinned<EncoderState>
  let state: Pinned<CodableWriterState>

  private var types: [ObjectIdentifier: AnyEncodableType] = [:]
  var keyTypes: [ObjectIdentifier: AnyKeyedEncoders] = [:]
  @safe @exclusivity(unchecked) private var keyNumbers: [UInt64: UInt32] = [:]
  /// Whether fields after a nested container wait for its end.
  let waits: Bool
  /// What the values being encoded do not write before they end, by the serial numbers of the records.
  @safe @exclusivity(unchecked) var waitingRecords: [Int: WaitingRecord] = [:]

  init(_ encoder: GEncoder) {
    self.encoder = encoder
    graph = encoder.state
    waits = encoder.tables.containersWait
    state = .make(CodableWriterState())
  }

  deinit {
    unsafe state.pointee.path.deallocate()
    unsafe state.pointee.nested.deallocate()
    unsafe state.pointee.types.deallocate()
    unsafe state.pointee.keyTypes.deallocate()
    unsafe state.release()
  }

  /// Whether it is walking the graph.
  var isCurrent: Bool { encoder.tables.codable === self }

  /// Ends the walk: containers can no longer be used.
  func end() { for keys in keyTypes.values { keys.forgetContainer() } }

  // MARK: Types

  /// What is known about a type.
  @inline(__always)
  func type<Value: Encodable>(_ type: Value.Type) -> EncodableType<Value> {
    state.pointee.types.recent(type, as: EncodableType<Value>.self) ?? findType(type)
  }

  @inline(never)
  private func findType<Value: Encodable>(_ type: Value.Type) -> EncodableType<Value> {
    let found =
      state.pointee.types.find(type, among: types)
      ?? state.pointee.types.keep(makeType(type), for: type, among: &types)
    return unsafe unsafeDowncast(found, to: EncodableType<Value>.self)  // `makeType` has made it for `Value`.
  }

  /// A type that is also `GCodable` is encoded as such.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func makeType<Value: Encodable>(_ type: Value.Type) -> AnyEncodableType {
    func native<Native: Encodable & GEncodable>(_ type: Native.Type) -> AnyEncodableType {
      NativeEncodable<Native>(self)
    }
    let container = type as? any EncodableContainer.Type
    if let container, container.holdsContainer { return container.encodableType(self) }
    if let type = type as? any (Encodable & GEncodable).Type { return native(type) }
    if let container { return container.encodableType(self) }
    return RecordEncodable<Value, CodableAdapter<Value>>(self)
  }

  // MARK: Records

  /// Writes a value in place; see `GEncoder.writeRecord`.
  func writeRecord<Value: Encodable>(_ value: Value, _ type: Pinned<EncoderType>) throws {
    try encoder.reserve()
    if gca_stack_pointer() < graph.pointee.stackLimit || graph.pointee.depth >= graph.pointee.maximumDepth {
      return try encoder.onNewStack(Value.self) { try writeRecord(value, type) }
    }
    graph.pointee.depth += 1
    let outer = graph.pointee.node
    let start = graph.pointee.out.count
    let shape = graph.pointee.expectedShape(type)
    graph.pointee.out.putVarint(UInt64(shape))
    graph.pointee.node = type.pointee.root
    do { try encodeFields(of: value, in: outer) } catch {
      throw encoder.failed(error, in: Value.self, leavingTo: outer)
    }
    if graph.pointee.node != type.pointee.predictedEnd || shape != type.pointee.predictedShape {
      try encoder.endUnexpected(type, start: start, shape: shape)
    }
    graph.pointee.node = outer
    graph.pointee.depth -= 1
  }

  /// Lets a value encode its fields into the record just begun.
  ///
  /// - Parameter outer: the field whose value the record is, if known.
  func encodeFields<Value: Encodable>(of value: Value, in outer: Pinned<ShapeTransition>?)
    throws
  {
    let serial = enterRecord(in: outer)
    defer {
      if !waitingRecords.isEmpty { forgetWaiting(serial) }
      leaveRecord()
    }
    do {
      try value.encode(to: RecordEncoder(writer: self, serial: serial))
      if state.pointee.streaming != serial, try !resume(serial), let record = waitingRecords[serial] {
        try writeFields(of: record)
      }
    } catch { throw leaveNested(error, Value.self, to: serial) }
  }

  @inline(__always)
  func enterRecord(in outer: Pinned<ShapeTransition>?) -> Int {
    state.pointee.lastRecord += 1
    enterRecord(state.pointee.lastRecord, in: outer)
    return state.pointee.lastRecord
  }

  @inline(__always)
  func enterRecord(_ serial: Int, in outer: Pinned<ShapeTransition>?) {
    state.pointee.path.append(
      WriterStep(
        serial: serial, outer: state.pointee.record, outerStreaming: state.pointee.streaming, field: outer))
    state.pointee.record = serial
    state.pointee.streaming = serial
  }

  @inline(__always)
  func leaveRecord() {
    let step = state.pointee.path.removeLast()
    state.pointee.record = step.outer
    state.pointee.streaming = step.outerStreaming
  }

  /// Runs `body`, which writes the elements of a container, with a place in the path for their indices.
  ///
  /// - Parameter keys: of the elements, if they have any; its owner outlives the call.
  @inline(__always)
  func withElements(
    _ index: inout Int, keys: ElementKeys? = nil,
    _ body: (Pinned<Int>) throws -> Void
  ) throws {
    try unsafe withUnsafeMutablePointer(to: &index) { place in
      // The path has it only during this call.
      let index = unsafe Pinned(at: place)
      let (outer, streaming) = (state.pointee.record, state.pointee.streaming)
      state.pointee.lastRecord += 1
      state.pointee.path.append(
        WriterStep(
          serial: state.pointee.lastRecord, outer: outer, outerStreaming: streaming,
          field: graph.pointee.node, index: index, keys: keys.map { Held($0) }))
      state.pointee.record = state.pointee.lastRecord
      state.pointee.streaming = 0
      defer {
        _ = state.pointee.path.removeLast()
        state.pointee.record = outer
        state.pointee.streaming = streaming
      }
      try body(index)
    }
  }

  // MARK: Fields

  /// Moves to an unexpected field.
  @inline(never)
  func enter<Key: CodingKey>(_ key: Key, _ kind: GraphKind) throws {
    if hasSingleValue { throw mixed() }
    let token = FieldToken.of(coding: key)
    let number: UInt32
    if token != 0, let known = keyNumbers[token] {
      number = known
    } else {
      number = encoder.tables.keys.number(named: key.stringValue)
      encoder.tables.keys.intValues.note(key.intValue, number + 1, token)
      if token != 0 { keyNumbers[token] = number }
    }
    try encoder.enter(token == 0 ? FieldToken.of(keyNumber: number) : token, keyNumber: number + 1, kind)
  }

  /// Moves to a field whose key belongs to no user type; nil for no key.
  func enter(named key: ArchiveKey?, _ kind: GraphKind) throws {
    if hasSingleValue { throw mixed() }
    guard let key else { return try encoder.enterUnkeyed(kind) }
    let number = encoder.tables.keys.number(named: key.stringValue)
    encoder.tables.keys.intValues.note(key.intValue, number + 1, 0)
    try encoder.enter(FieldToken.of(keyNumber: number), keyNumber: number + 1, kind)
  }

  /// The key of a field.
  func archiveKey(of field: Pinned<ShapeTransition>) -> ArchiveKey {
    let number = field.pointee.keyNumber
    return ArchiveKey(
      encoder.tables.keys.names[Int(number) - 1],
      intValue: encoder.tables.keys.intValues.value(number, FieldToken.withoutKind(field.pointee.token)))
  }

  // MARK: Lists

  /// Marks a record as a list: an unkeyed container was requested, though it may stay empty.
  ///
  /// - Returns: how many elements there are.
  func beginList(_ serial: Int) -> Int {
    if state.pointee.streaming != serial {
      if waits { return beginWaitingList(serial) }
      guard (try? resume(serial)) == true else { return 0 }
    }
    guard !hasSingleValue else {
      _ = mixed()  // All that follows throws it.
      return 0
    }
    encoder.enterList()
    return elementCount
  }

  /// The error for using a container of a record that is not being encoded.
  func notCurrent(_ value: Any) -> any Error {
    let error = EncodingError.invalidValue(
      value,
      .init(
        codingPath: path(of: state.pointee.record),
        debugDescription:
          "An encoder or container is used that belongs to another value than the one being encoded, or to one that "
          + "is done."))
    // The encoder may be encoding another graph by now.
    return isCurrent ? encoder.noted(error) : error
  }
}

/// The part used for every field.
struct CodableWriterState {
  /// The serial number of the record whose fields are being written; 0 if there is none, or if they wait.
  var streaming = 0
  /// The serial number of the record, or container, that is being encoded; 0 for none.
  var record = 0
  var lastRecord = 0
  /// A serial number that nothing has, not even the place around the root.
  static let noRecord = -1
  var path = Growable<WriterStep>()
  /// The serial numbers of records in `path` that replace fields of the same value.
  var nested = Growable<NestedRecord>()
  let types = TypeCache()
  let keyTypes = TypeCache()
}
