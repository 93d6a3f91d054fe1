import CGraphArchive
import _GraphFiles
import _GraphSupport

/// What a decoder needs for `Codable` values: what it knows of their types, and where it is.
///
/// It and its decoder hold each other until the graph has been decoded. Should a model have kept a `Decoder` of it
/// for longer, that one throws.
///
/// While a `Codable` record is decoded, the frame's field and the cursor always belong together: a field that
/// was decoded stays where it is and can be decoded again, and an error leaves the cursor where it was.
///
/// For `@exclusivity(unchecked)`, see `EncoderTables`.
package final class CodableReader {
  let decoder: GDecoder
  let graph: Pinned<DecoderState>
  let state: Pinned<CodableReaderState>

  private var types: [ObjectIdentifier: AnyDecodableType] = [:]
  var keyTypes: [ObjectIdentifier: AnyKeyedContainers] = [:]
  @safe @exclusivity(unchecked) private var keyNumbers: [UInt64: UInt32] = [:]
  /// Records of values that have asked for nested containers, and these, in the order of their serial numbers.
  @safe @exclusivity(unchecked) var openRecords: [OpenRecord] = []
  /// The containers that have been left before their ends, by the fields that they were made of.
  @safe @exclusivity(unchecked) var unfinished: [OpenRecord.Field: Int] = [:]
  /// Values that have been made of objects, as other types than classes.
  var shared = SharedValues()
  @safe @exclusivity(unchecked) var knownPath = KnownPath()
  /// Shapes of values that are no records, by kind.
  private var bareShapes: [GraphKind: Pinned<DecoderShape>] = [:]
  /// What is to be checked when the decoder has let go of all objects.
  var finalChecks: [() throws -> Void] = []
  /// Whether elements of a set, or keys of a dictionary, are being hashed.
  @safe @exclusivity(unchecked) var isHashing = false
  /// Makes copies of objects that are being made: see `EarlyObjects.swift`.
  var provisional: GDecoder?
  /// Whether it belongs to such a decoder.
  @safe @exclusivity(unchecked) var isProvisional = false

  init(_ decoder: GDecoder) {
    self.decoder = decoder
    graph = decoder.state
    state = .make(CodableReaderState())
  }

  deinit {
    for shape in bareShapes.values { DecoderShape.free(shape) }
    unsafe state.pointee.path.deallocate()
    unsafe state.pointee.types.deallocate()
    unsafe state.pointee.keyTypes.deallocate()
    unsafe state.release()
  }

  /// Whether the graph is being decoded by it.
  var isCurrent: Bool { decoder.tables.codable === self }

  /// Ends decoding: no container is used any more.
  func end() { for keys in keyTypes.values { keys.forgetContainer() } }

  // MARK: Types

  /// What is known of a type.
  @inline(__always)
  package func type<Value: Decodable>(_ type: Value.Type) -> DecodableType<Value> {
    state.pointee.types.recent(type, as: DecodableType<Value>.self) ?? findType(type)
  }

  @inline(never)
  private func findType<Value: Decodable>(_ type: Value.Type) -> DecodableType<Value> {
    let found =
      state.pointee.types.find(type, among: types)
      ?? state.pointee.types.keep(makeType(type), for: type, among: &types)
    return unsafe unsafeDowncast(found, to: DecodableType<Value>.self)  // `makeType` has made it for `Value`.
  }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func makeType<Value: Decodable>(_ type: Value.Type) -> AnyDecodableType {
    if let container = type as? any DecodableContainer.Type { return container.decodableType(self) }
    return nativeType(type) ?? RecordDecodable<Value>(self)
  }

  /// A type that is `GCodable` too, as which it has been encoded; nil for others.
  func nativeType<Value: Decodable>(_ type: Value.Type) -> DecodableType<Value>? {
    func native<Native: Decodable & GDecodable>(_ type: Native.Type) -> AnyDecodableType {
      NativeDecodable<Native>(self)
    }
    guard let type = type as? any (Decodable & GDecodable).Type else { return nil }
    return unsafe unsafeDowncast(native(type), to: DecodableType<Value>.self)  // `Native` is `Value`.
  }

  // MARK: Records

  /// Reads a struct or enum; see `GDecoder.readRecord`.
  ///
  /// - Parameter isClass: whether the type is a class, an instance of which is made of a value.
  func readRecord<Value: Decodable>(_ type: Value.Type, isClass: Bool = false) throws -> Value {
    let outer = graph.pointee.frame
    if gca_stack_pointer() < graph.pointee.stackLimit || outer.depth >= graph.pointee.maximumDepth {
      return try decoder.onNewStack { try readRecord(type, isClass: isClass) }
    }
    let shape = try graph.pointee.stream.readShape()
    if shape.pointee.isSpecial { return try readSpecial(type, shape) }
    if isClass { return try readInstance(type, shape, outer) }
    return try readRecord(type, shape, outer)
  }

  /// Makes an instance of a class of a value that is none: of a record, or of a value without fields.
  private func readInstance<Value: Decodable>(
    _ type: Value.Type, _ shape: Pinned<DecoderShape>, _ outer: RecordFrame
  ) throws -> Value {
    try countingInstance(of: type) { try readRecord(type, shape, outer) }
  }

  /// Makes an instance of a class that the archive does not have as one.
  ///
  /// - Throws: `classNotFound` for a class that is not allowed; `limitExceeded`.
  func countingInstance<Value: Decodable>(of type: Value.Type, _ make: () throws -> Value) throws -> Value {
    let resolved = try decoder.tables.classes.resolve(asked: CodableAdapter<Value>.self)
    try decoder.takeRoom(forInstanceOf: resolved)
    do { return try make() } catch {
      decoder.giveBackRoom(byteCount: resolved.instanceByteCount)
      throw error
    }
  }

  /// Reads a value that is no record, as a record with it as its only part.
  func readBare<Value: Decodable>(
    _ type: Value.Type, _ kind: GraphKind, isClass: Bool = false
  ) throws -> Value {
    let outer = graph.pointee.frame
    if gca_stack_pointer() < graph.pointee.stackLimit || outer.depth >= graph.pointee.maximumDepth {
      return try decoder.onNewStack { try readBare(type, kind, isClass: isClass) }
    }
    if isClass { return try readInstance(type, bareShape(kind), outer) }
    return try readRecord(type, bareShape(kind), outer)
  }

  @inline(__always)
  private func readRecord<Value: Decodable>(
    _ type: Value.Type, _ shape: Pinned<DecoderShape>, _ outer: RecordFrame
  ) throws -> Value {
    graph.pointee.frame = RecordFrame(shape, start: graph.pointee.stream.input.cursor, depth: outer.depth + 1)
    let value: Value
    do {
      value = try makeOfFields(type, in: outer)
      if graph.pointee.frame.field.pointee.token != FieldToken.end || graph.pointee.frame.track != nil {
        try decoder.finishRecord()
      }
    } catch { throw decoder.leaving(error, type, to: outer) }
    graph.pointee.frame = outer
    return value
  }

  func bareShape(_ kind: GraphKind) -> Pinned<DecoderShape> {
    if let known = bareShapes[kind] { return known }
    let shape = DecoderShape.make(ofUnkeyed: [kind], count: 1, isList: false)
    bareShapes[kind] = shape
    return shape
  }

  func isBare(_ shape: Pinned<DecoderShape>) -> Bool {
    bareShapes[shape.pointee.fields[0].kind] == shape
  }

  /// Reads an instance of a class that stands in place, or refuses it.
  private func readSpecial<Value: Decodable>(
    _ type: Value.Type, _ shape: Pinned<DecoderShape>
  ) throws -> Value {
    guard shape.pointee.isClass, type is AnyClass else { try decoder.failWithClass(type, shape) }
    let instance = try decoder.readInstance(CodableAdapter<Value>.self, shape)
    guard let value = instance as? Value else {
      throw decoder.typeMismatch(type, "the archive has an instance of \(Swift.type(of: instance))")
    }
    return value
  }

  /// Makes a value of the record that the frame has been set to.
  ///
  /// - Parameter outer: the frame of the record around it, where that is known.
  func makeOfFields<Value: Decodable>(_ type: Value.Type, in outer: RecordFrame?) throws -> Value {
    let serial = enterRecord(outer)
    defer { leaveRecord(serial) }
    let value = try Value(from: RecordDecoder(reader: self, serial: serial))
    if let last = openRecords.last, last.base == serial {
      try enter(serial)
      try moveOverContainers()
    }
    return value
  }

  @inline(__always)
  private func enterRecord(_ outer: RecordFrame?) -> Int {
    state.pointee.lastRecord += 1
    let serial = state.pointee.lastRecord
    state.pointee.path.append(
      ReaderStep(
        serial: serial, outer: state.pointee.record, frame: outer,
        object: outer == nil ? graph.pointee.object : DecoderState.noObject))
    state.pointee.record = serial
    return serial
  }

  @inline(__always)
  private func leaveRecord(_ serial: Int) {
    if !openRecords.isEmpty { closeContainers(of: serial) }
    state.pointee.record = state.pointee.path.removeLast().outer
  }

  /// Runs `body`, which reads the elements of a container, with a place in the path for their indices.
  ///
  /// - Parameter keys: of the elements, where they have keys; its owner outlives the call.
  @inline(__always)
  func withElements<Result>(
    _ index: inout Int, keys: ElementKeys? = nil,
    _ body: (Pinned<Int>) throws -> Result
  ) throws -> Result {
    return try unsafe withUnsafeMutablePointer(to: &index) { place in
      // The path has it no longer than this call.
      let index = unsafe Pinned(at: place)
      let outer = state.pointee.record
      state.pointee.lastRecord += 1
      state.pointee.path.append(
        ReaderStep(
          serial: state.pointee.lastRecord, outer: outer, frame: graph.pointee.frame, index: index,
          keys: keys.map { Held($0) }))
      state.pointee.record = state.pointee.lastRecord
      defer {
        _ = state.pointee.path.removeLast()
        state.pointee.record = outer
      }
      return try body(index)
    }
  }

  // MARK: Keys

  /// The number of a key plus one; nil if no value of the archive has it.
  func keyNumber<Key: CodingKey>(_ key: Key, _ token: UInt64) -> UInt32? {
    if token != 0, let known = keyNumbers[token] { return known == 0 ? nil : known }
    let number = decoder.tables.keyNumber(named: key.stringValue)
    if token != 0 { keyNumbers[token] = number ?? 0 }
    if let number { decoder.tables.keyIntValues.note(key.intValue, number, token) }
    return number
  }

  /// A key of the archive as part of a path.
  ///
  /// - Parameter token: of the coding key with which the field was found; 0 where that is not known.
  func archiveKey(_ number: UInt32, _ token: UInt64) -> ArchiveKey {
    ArchiveKey(
      decoder.tables.keys[Int(number) - 1], intValue: decoder.tables.keyIntValues.value(number, token))
  }
}

/// The part of it that is used for every field.
struct CodableReaderState {
  /// The serial number of the record, or container, that is being decoded; 0 for none.
  var record = 0
  var lastRecord = 0
  var path = Growable<ReaderStep>()
  let types = TypeCache()
  let keyTypes = TypeCache()
}
