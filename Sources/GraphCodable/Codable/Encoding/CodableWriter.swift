import CGraphArchive

/// What an encoder needs for `Codable` values: what it knows of their types, and where it is.
///
/// It and its encoder hold each other until the graph has been walked. Should a model have kept an `Encoder` of it
/// for longer, that one throws.
final class CodableWriter {
  let encoder: GEncoder
  let graph: Stored<EncoderState>
  let state: Stored<CodableWriterState>

  private var types: [ObjectIdentifier: AnyEncodableType] = [:]
  var keyTypes: [ObjectIdentifier: AnyKeyedEncoders] = [:]
  private var keyNumbers: [UInt64: UInt32] = [:]
  /// Whether fields behind a nested container wait for its end.
  let waits: Bool
  /// Of the records being encoded, what is not written before they end, by their serial numbers.
  private(set) var rests: [Int: BufferedTree] = [:]

  init(_ encoder: GEncoder) {
    self.encoder = encoder
    graph = encoder.state
    waits = encoder.tables.containersWait
    state = .make(CodableWriterState())
  }

  deinit {
    state.pointee.path.deallocate()
    state.pointee.nested.deallocate()
    state.pointee.types.deallocate()
    state.pointee.keyTypes.deallocate()
    state.release()
  }

  // MARK: Types

  /// What is known of a type.
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

  /// A type that is `GCodable` too is encoded as such.
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
    return RecordEncodable<Value>(self)
  }

  // MARK: Records

  /// Writes a value in place; see `GEncoder.writeRecord`.
  func writeRecord<Value: Encodable>(_ value: Value, _ type: Stored<EncoderType>) throws {
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

  /// Has a value encode its fields into the record that has just been begun.
  ///
  /// - Parameter outer: the field that the record is the value of, where that is known.
  func encodeFields<Value: Encodable>(of value: Value, in outer: Stored<ShapeTransition>?)
    throws
  {
    let serial = enterRecord(in: outer)
    defer { leaveRecord(serial) }
    do {
      try value.encode(to: RecordEncoder(writer: self, serial: serial))
      if state.pointee.streaming != serial, try !resume(serial) { try writeRest(serial) }
    } catch { throw leaveNested(error, Value.self, to: serial) }
  }

  @inline(__always)
  func enterRecord(in outer: Stored<ShapeTransition>?, base: BufferedNode? = nil) -> Int {
    let outerRecord = state.pointee.record
    state.pointee.lastRecord += 1
    let serial = state.pointee.lastRecord
    let base = base.map { Held($0) }
    state.pointee.path.append(
      WriterStep(
        serial: serial, outer: outerRecord, outerStreaming: state.pointee.streaming, field: outer, base: base)
    )
    state.pointee.record = serial
    state.pointee.streaming = serial
    return serial
  }

  @inline(__always)
  func leaveRecord(_ serial: Int) {
    let step = state.pointee.path.removeLast()
    if !rests.isEmpty, let rest = rests.removeValue(forKey: serial) { rest.end() }
    state.pointee.record = step.outer
    state.pointee.streaming = step.outerStreaming
  }

  /// Runs `body`, which writes the elements of a container, with a place in the path for their indices.
  ///
  /// - Parameter keys: of the elements, where they have keys; its owner outlives the call.
  @inline(__always)
  func withElements(
    _ index: inout Int, keys: ElementKeys? = nil,
    _ body: (Stored<Int>) throws -> Void
  ) throws {
    try unsafe withUnsafeMutablePointer(to: &index) { place in
      // The path has it no longer than this call.
      let index = unsafe Stored(at: place)
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

  /// Moves to a field that is not the one expected.
  @inline(never)
  func enter<Key: CodingKey>(_ key: Key, _ kind: GraphKind) throws {
    if hasSingleValue { throw mixed() }
    let token = FieldToken.of(coding: key)
    let number: UInt32
    if token != 0, let known = keyNumbers[token] {
      number = known
    } else {
      number = encoder.tables.keyNumber(named: key.stringValue)
      encoder.tables.keyIntValues.note(key.intValue, number + 1, token)
      if token != 0 { keyNumbers[token] = number }
    }
    try encoder.enter(token == 0 ? FieldToken.of(keyNumber: number) : token, keyNumber: number + 1, kind)
  }

  /// Moves to a field with a key of no type of the user's; nil for none.
  func enter(named key: ArchiveKey?, _ kind: GraphKind) throws {
    if hasSingleValue { throw mixed() }
    guard let key else { return try encoder.enterUnkeyed(kind) }
    let number = encoder.tables.keyNumber(named: key.stringValue)
    encoder.tables.keyIntValues.note(key.intValue, number + 1, 0)
    try encoder.enter(FieldToken.of(keyNumber: number), keyNumber: number + 1, kind)
  }

  /// The key of a field.
  func archiveKey(of field: Stored<ShapeTransition>) -> ArchiveKey {
    let number = field.pointee.keyNumber
    return ArchiveKey(
      encoder.tables.keys[Int(number) - 1],
      intValue: encoder.tables.keyIntValues.value(number, FieldToken.withoutKind(field.pointee.token)))
  }

  // MARK: Rests

  /// What takes the fields of a record that are not written at once.
  ///
  /// A nested container may be filled at any time before the record ends. So, where containers wait, all fields of the
  /// record do from the first one on.
  ///
  /// - Returns: nil where the record is not the one being encoded.
  func rest(of serial: Int) -> BufferedNode? {
    guard serial == state.pointee.record else { return nil }
    if let known = rests[serial] { return known.root }
    let rest = BufferedTree(
      self, serial: serial, writtenCount: elementCount, isEmpty: isAtStart)
    rests[serial] = rest
    state.pointee.streaming = 0
    return rest.root
  }

  /// Notes that a record is a list: an unkeyed container has been asked for, though it may stay empty.
  ///
  /// - Returns: how many elements there are.
  func beginList(_ serial: Int) -> Int {
    if state.pointee.streaming != serial {
      if waits { return rest(of: serial)?.beginList() ?? 0 }
      guard (try? resume(serial)) == true else { return 0 }
    }
    guard !hasSingleValue else {
      _ = mixed()  // It is thrown by all that comes next.
      return 0
    }
    encoder.enterList()
    return elementCount
  }

  /// Writes what was put off; what is encoded meanwhile comes behind.
  private func writeRest(_ serial: Int) throws {
    guard let rest = rests[serial] else { return }
    try rest.root.writeFields(self)
  }

  /// The error of using what belongs to a record that is not being encoded.
  func notCurrent(_ value: Any) -> any Error {
    let error = EncodingError.invalidValue(
      value,
      .init(
        codingPath: path(of: state.pointee.record),
        debugDescription:
          "An encoder or container is used that belongs to another value than the one being encoded, or to one that "
          + "is done."))
    // The encoder may be at another graph by now.
    return encoder.tables.codable === self ? encoder.noted(error) : error
  }
}

/// The part of it that is used for every field.
struct CodableWriterState {
  /// The serial number of the record whose fields are being written; 0 for none, or where they wait.
  var streaming = 0
  /// The serial number of the record, or container, that is being encoded; 0 for none.
  var record = 0
  var lastRecord = 0
  /// The serial number of none, not even of the place around the root.
  static let noRecord = -1
  var path = Growable<WriterStep>()
  /// Those of the records in `path` that stand in place of fields of the same value.
  var nested = Growable<NestedRecord>()
  let types = TypeCache()
  let keyTypes = TypeCache()
}
