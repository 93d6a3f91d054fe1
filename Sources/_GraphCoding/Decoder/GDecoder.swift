import CGraphArchive
import _GraphFiles
import _GraphSupport

/// What `init(from:)` decodes from.
///
/// Keyed parts may be decoded in any order, each once; unkeyed parts in the order in which they were encoded. Decoding a
/// reference makes the object, as an instance of its real class, unless it has been made already. Of two objects that
/// need each other in `init(from:)`, one must use `deferDecode`.
///
/// The decoder is valid only during the call of `init(from:)` that it was passed to, on that thread.
public final class GDecoder {
  /// Everything that decoding a field touches, behind one pointer; see `GEncoder.state`.
  @usableFromInline package let state: Pinned<DecoderState>
  package let tables: DecoderTables

  /// The `userInfo` of the `GraphDecoder`.
  public var userInfo: [CodingUserInfoKey: Any] { storedUserInfo ?? [:] }
  /// nil for an empty one; unchecked as in `GraphDecoder`.
  @safe @exclusivity(unchecked) private var storedUserInfo: [CodingUserInfoKey: Any]?

  package init(
    _ tables: DecoderTables, userInfo: [CodingUserInfoKey: Any]?, limits: GraphDecoder.Limits = .init()
  ) {
    self.tables = tables
    storedUserInfo = userInfo
    state = .make { DecoderState(tables, limits, at: $0) }
  }

  // MARK: Reuse

  private static let idle = IdlePool<GDecoder>()

  /// A decoder that has decoded an archive with the same tables, ready for this one; nil if there is none.
  ///
  /// - Parameter contents: those of the archive, whose hash has been checked; they outlive the decoding.
  static func reused(for contents: UnsafeRawBufferPointer, limits: GraphDecoder.Limits) -> GDecoder? {
    guard contents.count > 8, let decoder = unsafe idle.take(mark(of: contents)),
      unsafe decoder.takeStream(of: contents, limits)
    else { return nil }
    return decoder
  }

  // Not inlined: where a decoder is passed on, the compiler would retain its tables for each look at them.
  @inline(never)
  private func takeStream(of contents: UnsafeRawBufferPointer, _ limits: GraphDecoder.Limits) -> Bool {
    guard unsafe tables.takeStream(of: contents) else { return false }
    let byteCount = tables.rawByteCount
    state.pointee.takeStream(byteCount, storedAs: byteCount, objectCount: 0, limits)
    return true
  }

  func take(userInfo: [CodingUserInfoKey: Any]?) { storedUserInfo = userInfo }

  /// Returns a decoder that has decoded its graph to the pool.
  @usableFromInline
  static func reuse(_ decoder: consuming GDecoder) {
    // An `init(from:)` may have kept it, which is wrong, but must not do harm to others.
    guard let mark = decoder.forgetGraph(), isKnownUniquelyReferenced(&decoder) else { return }
    idle.put(decoder, mark)
  }

  /// Gives back the bytes of the archive, and returns the mark of its tables; nil if the decoder cannot be used again.
  @inline(never)
  private func forgetGraph() -> UInt? {
    forgetInput()
    guard tables.canBeReused, state.pointee.tracks.isIdle, state.pointee.cursor.isIdle else { return nil }
    if storedUserInfo != nil { storedUserInfo = nil }
    return unsafe tables.reader.contents.messageTables.withUnsafeBytes { unsafe Self.mark(of: $0) }
  }

  /// Gives back the bytes of the archive to their owner: a decoder that was kept has no bytes any more.
  @inline(__always)
  package func forgetInput() {
    tables.forgetStream()
    state.pointee.stream.input = StreamReader()
  }

  /// The error, after which the decoder is not used any more.
  @usableFromInline
  func forgettingInput(after error: any Error) -> any Error {
    forgetInput()
    return error
  }

  /// Tells tables apart, by their first bytes, as a rule.
  private static func mark(of tables: UnsafeRawBufferPointer) -> UInt {
    unsafe UInt(truncatingIfNeeded: tables.loadUnaligned(as: UInt64.self))
  }

  deinit {
    state.pointee.deferred = DeferredFields()
    if state.pointee.built.count > 0 {
      Nesting.withRoom(toRelease: state.pointee.maximumDepth) { tables.releaseObjects(state.pointee.built) }
    }
    unsafe state.pointee.built.deallocate()
    state.pointee.tracks.deallocate()
    unsafe state.pointee.cursor.deallocate()
    unsafe state.pointee.casts.release()
    unsafe state.release()
  }
}

/// The part of the decoder that is used for every field.
@usableFromInline
package struct DecoderState {
  @usableFromInline package var stream: GraphStream
  /// Moves over values without making them.
  package var cursor: GraphCursor
  @usableFromInline package var frame: RecordFrame
  @usableFromInline package private(set) var objects: PinnedRow<ObjectSlot>
  /// Below this, values continue on another stack.
  @usableFromInline var stackLimit: UInt = 0
  /// See `GraphDecoder.Limits.depth`.
  @usableFromInline var maximumDepth: Int32 = 0
  /// See `SmallString.isUsable`.
  @usableFromInline let smallStrings = SmallString.isUsable
  /// Of the stack that the last small message was decoded on, and about where.
  var stackBottom: UInt = 0
  var stackStart: UInt = 0
  /// Objects are built children first once the stack is below this.
  var descentLimit: UInt = 0
  /// Those of the records being decoded that are not decoded in order.
  var tracks = TrackPool()
  /// What waits until all objects stand.
  var deferred = DeferredFields()
  /// How many objects' `init(from:)` are running.
  var depth = 0
  /// The innermost of these; `noObject` for none.
  var object = DecoderState.noObject
  /// The place in the class table of the instance that is being decoded; -1 for none.
  var classIndex = -1
  /// Numbers of the objects that have been made, each after those that its `init(from:)` has asked for.
  var built = Growable<UInt32>()
  /// Casts that have succeeded, by the low bits of the object's class.
  @usableFromInline let casts: PinnedRow<KnownCast>
  /// Memory that all values may still take, and the part of it that elements may; see `GraphDecoder.Limits.elementByteRatio`.
  @usableFromInline var roomByteCount = 0
  @usableFromInline var elementRoomByteCount = 0
  /// See `GraphDecoder.Limits.combiningMarkCount`.
  var combiningMarkCount = 0
  /// Strings with long runs of combining marks that have been read, and those of objects that have not been counted as hashed.
  @usableFromInline var markedText = MarkedText()
  @usableFromInline var markedTextInObjects = MarkedText()
  /// How many elements data units may still claim beyond one for each of their bytes.
  var emptyElementCount = UnitAllowance.emptyElementCount
  /// Whether the error thrown last is about the record that is being decoded, and not about one of its fields.
  var isRecordAtFault = false
  /// How many errors of cycles have been thrown.
  var cycleCount = 0
  /// How many descents of prebuilding are going on.
  var descentDepth = 0
  /// The place in `built` of the first object that was prebuilt and has caught the error of a cycle.
  var firstTainted: Int?
  /// How many objects have been made and discarded.
  var discardedCount = 0
  /// Some object could not be made: see `DecoderTables.failures`.
  var hasFailures = false
  /// Whether the stream is expanded as it is needed: see `DecoderTables.partial`.
  let isPartial: Bool

  static let noObject = UInt32.max

  /// - Parameter place: where the state will be.
  init(_ tables: DecoderTables, _ limits: GraphDecoder.Limits, at place: Pinned<Self>) {
    stream = GraphStream(tables)
    // The stream is the first property.
    let streamPlace = unsafe UnsafeMutableRawPointer(place.address).assumingMemoryBound(to: GraphStream.self)
    cursor = unsafe GraphCursor(Pinned(at: streamPlace))
    frame = RecordFrame(field: tables.nowhere)
    objects = tables.objects
    isPartial = tables.partial != nil
    casts = PinnedRow(repeating: KnownCast(from: 0, to: 0), count: KnownCast.count)
    takeStream(
      tables.rawByteCount, storedAs: tables.storedByteCount, objectCount: tables.objectCount, limits)
  }

  /// Begins to decode the stream that the tables have.
  @inline(__always)
  mutating func takeStream(
    _ byteCount: UInt64, storedAs storedByteCount: UInt64, objectCount: Int, _ limits: GraphDecoder.Limits
  ) {
    stream.rewind()
    maximumDepth = limits.depthInUse
    (elementRoomByteCount, roomByteCount) = limits.room(
      of: byteCount, storedAs: storedByteCount, objectCount: objectCount)
    combiningMarkCount = max(limits.combiningMarkCount, 0)
    (markedText, markedTextInObjects) = (MarkedText(), MarkedText())
    cursor.stepsLeft = limits.stepCount(of: byteCount, storedAs: storedByteCount)
    emptyElementCount = UnitAllowance.emptyElementCount
    takeStack()
  }

  /// Begins to decode the message that the tables have.
  mutating func takeMessage(_ tables: DecoderTables, _ limits: GraphDecoder.Limits, hasObjects: Bool) {
    if hasObjects {
      stream.takeObjects()
      objects = tables.objects
    }
    takeStream(
      tables.rawByteCount, storedAs: tables.rawByteCount, objectCount: tables.objectCount, limits)
  }

  /// Begins to decode a small message without objects that the tables have.
  @inline(__always)
  mutating func takeMessage(_ tables: DecoderTables, _ allowance: MessageAllowance) {
    stream.rewind()
    maximumDepth = allowance.maximumDepth
    (elementRoomByteCount, roomByteCount) = allowance.room
    combiningMarkCount = allowance.combiningMarkCount
    (markedText, markedTextInObjects) = (MarkedText(), MarkedText())
    cursor.stepsLeft = allowance.stepCount
    emptyElementCount = UnitAllowance.emptyElementCount
    // The same stack as for the message before, about as deep: its limits were computed for that.
    let bottom = UInt(gca_stack_bottom())
    let here = UInt(gca_stack_pointer())
    if bottom == stackBottom, here <= stackStart, stackStart &- here < 1024 { return }
    (stackBottom, stackStart) = (bottom, here &+ 512)
    takeStack()
  }

  /// Forgets the objects of a message, which have been released, and what was noted about them.
  mutating func forgetObjects(_ tables: DecoderTables) {
    built.removeLast(built.count)
    stream.takeObjects()
    objects = tables.objects
    (cycleCount, firstTainted, discardedCount, hasFailures) = (0, nil, 0, false)
  }

  /// Stack that is kept free for values to be released.
  var reservedByteCount: UInt { Nesting.reservedByteCount(forDepth: maximumDepth) }

  /// Makes the calling thread's stack, from here on, the one to decode on.
  @inline(__always)
  mutating func takeStack() {
    let limit = Nesting.stackLimit(reserving: reservedByteCount)
    let here = UInt(gca_stack_pointer())
    stackLimit = limit
    descentLimit = limit == 0 || here < limit ? 0 : limit + (here - limit) / 2
  }
}

// MARK: - Fields

extension GDecoder {
  /// Decodes the value under a key.
  ///
  /// Each key can be decoded only once.
  ///
  /// - Parameters:
  ///   - type: the type to decode, usually inferred from the result.
  ///   - key: the key, for which `contains` is true.
  /// - Throws: `GCodableError` with code `keyNotFound`, `valueNotFound`, `typeMismatch`, `invalidValue`,
  ///   `cycle`, `classNotFound` or `malformed`; whatever the type's own `init(from:)` throws.
  @inlinable
  @inline(__always)
  public func decode<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key
  ) throws -> Value where Key.RawValue == String {
    let field = state.pointee.frame.field
    guard let token = FieldToken.of(key), field.pointee.token == token else {
      return try decodeUnexpected(type, for: key)
    }
    state.pointee.frame.field = field.next
    do { return try read(type, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the next value without a key.
  ///
  /// `unkeyedCount` is the number of those that are left.
  ///
  /// - Throws: as `decode(_:for:)`, `valueNotFound` if none is left.
  @inlinable
  @inline(__always)
  public func decode<Value: GDecodable>(_ type: Value.Type = Value.self) throws -> Value {
    let field = state.pointee.frame.field
    guard field.pointee.token == FieldToken.unkeyed else { return try decodeUnexpected(type) }
    state.pointee.frame.field = field.next
    do { return try read(type, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the value under a key; nil if the key is missing or its value is nil.
  ///
  /// - Throws: as `decode(_:for:)`, except for missing keys and values.
  @inlinable
  public func decodeIfPresent<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key
  ) throws -> Value? where Key.RawValue == String {
    let field = state.pointee.frame.field
    // While fields are taken out of order, the next one may have been taken.
    guard let token = FieldToken.of(key), field.pointee.token == token, state.pointee.frame.track == nil
    else {
      guard try seek(key) else { return nil }
      return try decodeUnexpected(Value?.self, for: key)
    }
    state.pointee.frame.field = field.next
    do { return try Value?._graphRead(self, field.pointee.kind) } catch { throw lost(error) }
  }

  /// Decodes the value under a key once all objects have been made, and passes it to `setter`.
  ///
  /// Use it for references that lead back to the object. Each setter runs once, in the order of the calls of
  /// `deferDecode`, before the decoder returns the root to its caller. Fields deferred by objects that only deferred
  /// fields lead to come last. If the object's `init(from:)` throws, its setters do not run.
  ///
  /// - Throws: `keyNotFound`; errors of decoding the value, and of its setter, reach the caller of
  ///   `GraphDecoder.decode`.
  @inlinable
  public func deferDecode<Value: GDecodable, Key: RawRepresentable>(
    _ type: Value.Type = Value.self, for key: Key, _ setter: @escaping (Value) throws -> Void
  ) throws where Key.RawValue == String {
    let field = state.pointee.frame.field
    if let token = FieldToken.of(key), field.pointee.token == token | FieldToken.deferred {
      state.pointee.frame.field = field.next
      try deferRead(type, field.pointee.kind, setter)
    } else {
      guard let kind = try positionDeferred(key) else { throw keyNotFound(key.rawValue, type) }
      try deferRead(type, kind, setter)
    }
  }

  /// Decodes the next value without a key once all objects have been made, and passes it to `setter`.
  ///
  /// - Throws: as `deferDecode(_:for:_:)`.
  @inlinable
  public func deferDecode<Value: GDecodable>(
    _ type: Value.Type = Value.self, _ setter: @escaping (Value) throws -> Void
  ) throws {
    guard let kind = try positionUnkeyed(FieldToken.unkeyed | FieldToken.deferred) else {
      throw noUnkeyedLeft(type)
    }
    try deferRead(type, kind, setter)
  }

  /// Whether a value was encoded under a key and has not been decoded yet.
  ///
  /// - Throws: `malformed` when the archive is.
  public func contains<Key: RawRepresentable>(_ key: Key) throws -> Bool where Key.RawValue == String {
    try seek(key)
  }

  /// The number of values without a key that have not been decoded yet.
  ///
  /// - Complexity: O(1), except where fields were decoded in another order than encoded.
  public var unkeyedCount: Int { countUnkeyed() }
}

// MARK: - Values in place

extension GDecoder {
  /// Reads a value of a kind at the cursor.
  ///
  /// The optimizer leaves the conformances of some number types closed, as of Swift 6.3; where the type is known,
  /// these comparisons are none.
  @inlinable
  @inline(__always)
  func read<Value: GDecodable>(_ type: Value.Type, _ kind: GraphKind) throws -> Value {
    if type == Int.self { return unsafe unsafeBitCast(try readInt(kind), to: type) }  // The same type.
    if type == Int64.self { return unsafe unsafeBitCast(try readInt64(kind), to: type) }  // The same type.
    if type == UInt.self { return unsafe unsafeBitCast(try readUInt(kind), to: type) }  // The same type.
    if type == UInt64.self { return unsafe unsafeBitCast(try readUInt64(kind), to: type) }  // The same type.
    return try Value._graphRead(self, kind)
  }

  /// Reads a struct or enum: its shape number, then its fields.
  @inlinable
  func readRecord<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    let outer = state.pointee.frame
    if gca_stack_pointer() < state.pointee.stackLimit || outer.depth >= state.pointee.maximumDepth {
      return try readDeepRecord(type)
    }
    let shape = try state.pointee.stream.readShape()
    if shape.pointee.isSpecial { try failWithClass(type, shape) }
    state.pointee.frame = RecordFrame(shape, start: state.pointee.stream.input.cursor, depth: outer.depth + 1)
    let value: Value
    do {
      value = try Value(from: self)
      if state.pointee.frame.field.pointee.token != FieldToken.end || state.pointee.frame.track != nil {
        try finishRecord()
      }
    } catch { throw leaving(error, type, to: outer) }
    state.pointee.frame = outer
    return value
  }

  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func readDeepRecord<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    try onNewStack { try readRecord(type) }
  }

  /// Reads a reference: the number of an object, which is made now unless it has been.
  @inlinable
  func readReference<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    let number = try state.pointee.stream.readObjectNumber()
    let slot = state.pointee.objects.pinned(Int(number))
    if _canBeClass(Value.self) == 1 {
      if slot.pointee.instance == nil { try build(number, type) }
      if let instance = slot.pointee.instance {
        // Of exactly the class that is asked for, or of one that was cast to it before; both are classes.
        let cast = KnownCast(from: slot.pointee.metadata, to: UInt(bitPattern: ObjectIdentifier(type)))
        if cast.from == cast.to || state.pointee.casts[cast.place] == cast {
          return unsafe unsafeBitCast(instance.object, to: Value.self)
        }
      }
    }
    return try readObject(type, number)
  }
}

/// A class whose instances are known to be of a type: a dynamic cast costs 50 to 100 ns.
@usableFromInline
struct KnownCast: Equatable {
  /// Addresses of the metadata of both.
  @usableFromInline let from: UInt
  @usableFromInline let to: UInt

  @inlinable
  init(from: UInt, to: UInt) {
    self.from = from
    self.to = to
  }

  @inlinable
  static func == (one: Self, other: Self) -> Bool { one.from == other.from && one.to == other.to }

  @inlinable static var count: Int { 64 }

  /// Where the cast is kept, if it is.
  ///
  /// Metadata is aligned to 16 bytes at least.
  @inlinable var place: Int { Int(bitPattern: (from ^ to &* 3) >> 4) & (Self.count - 1) }
}

/// An object of the archive: where it is stored, and the object once it has been made.
@usableFromInline
package struct ObjectSlot {
  /// Retained by the slot.
  @usableFromInline var instance: Held<AnyObject>?
  /// Address of the metadata of the object's class, once it has been made.
  @usableFromInline var metadata: UInt = 0
  /// Where it begins in the graph stream; `notStored` for an object that only conditional references
  /// lead to.
  package var offset: UInt64
  var isBeingBuilt = false
  /// It was prebuilt, and has not been requested so far; `metadata` is 0 until then.
  var isUnrequested = false
  /// In addition, its type may differ from the one that will be requested.
  var isSpeculative = false

  package static let notStored = UInt64.max
}
