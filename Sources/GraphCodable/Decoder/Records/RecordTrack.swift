/// Where a record stands whose fields are not decoded in the order in which they were encoded.
///
/// A subclass decodes its own fields before it calls `super.init(from:)`, and has encoded them behind those of
/// its superclass: so this is no rare case, and costs some nanoseconds a field.
///
/// The *front* is the first field that has not been reached in order. In front of it are fields that were decoded, and
/// fields that were skipped, whose places are known.
struct RecordTrack: BitwiseCopyable {
  var state = State.inOrder
  /// Where the places of the shape's fields begin in `TrackStack.places`.
  let firstPlace: Int
  /// How many fields without a key have been skipped and not been decoded since.
  var skippedUnkeyedCount = 0
  /// The number of the key that is being decoded, or was last, plus one; 0 for none.
  var activeKey: UInt32 = 0
  /// The number of a key that was decoded twice, plus one; 0 for none.
  var repeatedKey: UInt32 = 0
  /// Whether overflow fields could not be counted, which is an error at the end of the record at the latest.
  var hasUncounted = false
  /// Place in `DecoderTables.overflow` plus one, when the overflow fields are known; 0 for none.
  var overflow = 0

  enum State: BitwiseCopyable {
    /// The cursor is at the front, which is the frame's field.
    case inOrder
    /// The cursor is at a field that was skipped, or behind it; it goes back to the front.
    case detour(Detour)
    /// The cursor is at the front, whose field must not match: a field without a key that was skipped comes first.
    case suspended(front: UnsafeMutablePointer<ShapeField>)
    /// An error has left the cursor elsewhere.
    case lost(front: UnsafeMutablePointer<ShapeField>)
  }

  struct Detour: BitwiseCopyable {
    let front: UnsafeMutablePointer<ShapeField>
    let cursor: UnsafePointer<UInt8>
    /// The skipped fields that may be decoded in order from where they are, behind the first one; empty for none.
    ///
    /// The one behind them has been decoded, or is the front: a record that goes on nevertheless is found out at its end.
    let run: FieldRange
  }
}

/// Some fields of a shape, one behind the other.
struct FieldRange: BitwiseCopyable {
  let first: Int
  let end: Int

  static var none: Self { Self(first: 0, end: 0) }
}

/// The tracks of the records that are being decoded, the innermost last.
struct TrackStack {
  private var tracks = Growable<RecordTrack>()
  /// For each field of their shapes: where it is, if it was skipped and not decoded since.
  private var places = Growable<UnsafePointer<UInt8>?>()

  func deallocate() {
    tracks.deallocate()
    places.deallocate()
  }

  var isEmpty: Bool { tracks.count == 0 }

  /// A track, where it is until another is opened.
  subscript(index: Int) -> UnsafeMutablePointer<RecordTrack> { tracks.place(index) }

  /// Makes a track of a record with a number of fields in its shape.
  ///
  /// - Returns: its place plus one.
  mutating func open(fieldCount: Int) -> Int {
    tracks.append(RecordTrack(firstPlace: places.count))
    places.append(repeating: nil, count: fieldCount)
    return tracks.count
  }

  /// Closes a track and those inside it.
  mutating func close(_ index: Int) {
    places.removeLast(places.count - tracks[index].firstPlace)
    tracks.removeLast(tracks.count - index)
  }

  /// Where the places of a record's fields are, until another track is opened.
  func places(of index: Int) -> UnsafeMutablePointer<UnsafePointer<UInt8>?> {
    places.place(tracks[index].firstPlace)
  }
}
