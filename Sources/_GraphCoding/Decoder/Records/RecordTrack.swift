import _GraphSupport

/// The state of a record whose fields are not decoded in the order in which they were encoded.
///
/// A subclass decodes its own fields before it calls `super.init(from:)`, and has encoded them after those of its superclass, so
/// this is common, and costs some nanoseconds per field.
///
/// The *front* is the first field that has not been reached in order. Before it are fields that were decoded, and fields that
/// were skipped, whose positions are known.
@usableFromInline
struct RecordTrack {
  var state = State.inOrder
  /// How many fields without a key were skipped and not decoded since.
  var skippedUnkeyedCount = 0
  /// No field without a key before this one was skipped and not decoded since.
  var firstSkippedUnkeyed = 0
  /// A field that the cursor has been put at after an error, and where it is.
  var recovered: (field: Pinned<ShapeField>, cursor: StreamPosition)?
  /// The number of the key being decoded, or decoded last, plus one; 0 for none.
  var activeKey: UInt32 = 0
  /// The number of a key that was decoded twice, plus one; 0 for none.
  var repeatedKey: UInt32 = 0
  /// Whether overflow fields could not be counted, which is an error at the end of the record at the latest.
  var hasUncounted = false
  /// The overflow fields, once they have been found.
  var overflow: OverflowFields?
  /// For each field of the shape: its position, if it was skipped and not decoded since.
  fileprivate(set) var places: PinnedRow<StreamPosition?>
  /// The next unused track.
  fileprivate var next: Pinned<Self>?

  enum State: BitwiseCopyable {
    /// The cursor is at the front, which is the frame's field.
    case inOrder
    /// The cursor is at a field that was skipped, or after it; it goes back to the front.
    case detour(Detour)
    /// The cursor is at the front, whose field must not match: a field without a key that was skipped comes first.
    case suspended(front: Pinned<ShapeField>)
    /// An error has left the cursor elsewhere.
    case lost(front: Pinned<ShapeField>)
  }

  struct Detour: BitwiseCopyable {
    let front: Pinned<ShapeField>
    let cursor: StreamPosition
    /// The skipped fields after the first that may be decoded in order from their positions; empty for none.
    ///
    /// The field after them was decoded, or is the front: a record that continues anyway is detected at its end.
    let run: FieldRange
  }
}

/// Some consecutive fields of a shape.
struct FieldRange: BitwiseCopyable {
  let first: Int32
  let end: Int32

  init(_ range: Range<Int>) {
    first = Int32(truncatingIfNeeded: range.lowerBound)
    end = Int32(truncatingIfNeeded: range.upperBound)
  }

  static var none: Self { Self(0..<0) }
}

/// The tracks of a decoder, used again and again.
struct TrackPool {
  private var free: Pinned<RecordTrack>?
  private var openCount = 0

  /// Frees the tracks, all of which must be closed.
  mutating func deallocate() {
    while let track = free {
      free = track.pointee.next
      unsafe track.pointee.places.release()
      unsafe track.release()
    }
  }

  var isIdle: Bool { openCount == 0 }

  /// Makes a track of a record with a number of places, none of which is known.
  mutating func open(placeCount: Int) -> Pinned<RecordTrack> {
    openCount += 1
    let track = free ?? Self.makeTrack()
    free = track.pointee.next
    if track.pointee.places.count < placeCount { Self.grow(track, to: placeCount) }
    let places = track.pointee.places
    for index in 0..<placeCount { places[index] = nil }
    return track
  }

  mutating func close(_ track: Pinned<RecordTrack>) {
    openCount -= 1
    track.pointee.state = .inOrder
    track.pointee.skippedUnkeyedCount = 0
    track.pointee.firstSkippedUnkeyed = 0
    track.pointee.recovered = nil
    track.pointee.activeKey = 0
    track.pointee.repeatedKey = 0
    track.pointee.hasUncounted = false
    if track.pointee.overflow != nil { track.pointee.overflow = nil }
    track.pointee.next = free
    free = track
  }

  @inline(never)
  private static func makeTrack() -> Pinned<RecordTrack> {
    .make(RecordTrack(places: PinnedRow(repeating: nil, count: 16)))
  }

  @inline(never)
  private static func grow(_ track: Pinned<RecordTrack>, to capacity: Int) {
    unsafe track.pointee.places.release()
    track.pointee.places = PinnedRow(repeating: nil, count: capacity)
  }
}
