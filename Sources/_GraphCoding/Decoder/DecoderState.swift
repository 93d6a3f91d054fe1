import CGraphArchive
import _GraphFiles
import _GraphSupport

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
