/// What is known of a record whose fields are not decoded in the order in which they were encoded.
///
/// A subclass decodes its own fields before it calls `super.init(from:)`, and has encoded them behind those of
/// its superclass: so this is no rare case, and costs some nanoseconds a field.
struct RecordScan: BitwiseCopyable {
  /// Where the places of the shape's fields begin in `ScanStack.places`.
  let firstPlace: Int
  /// How many unkeyed fields were passed over and not taken.
  var unkeyedCount = 0
  /// The field that was taken last, while those behind it may be taken in order from where they are; -1 for none.
  var run = -1
  /// The field at which that has to end, because it was taken before; found out at the end of the record.
  var runEnd: Int?
  /// Number of a key that was taken twice in this way, plus one; 0 for none.
  var takenTwice: UInt32 = 0
  /// The field to go on with; set while the frame's field is another one.
  var resumeField: UnsafeMutablePointer<ShapeField>?
  /// Where that field's value is; nil if the cursor will have got there by itself.
  var resumeCursor: UnsafePointer<UInt8>?
  /// The cursor is not where `resumeField` is: an error has left it elsewhere.
  var isLost = false
  /// Number of the key that is being decoded plus one; 0 for none.
  var activeKey: UInt32 = 0
  /// Place in `DecoderTables.tails` plus one, when the fields of the tail are known; 0 for none.
  var tail = 0
}

/// The scans of the records that are being decoded, the innermost last.
struct ScanStack {
  private var scans = Growable<RecordScan>()
  /// For each field of their shapes: where it is, if it was passed over and not taken.
  private var places = Growable<UnsafePointer<UInt8>?>()

  func deallocate() {
    scans.deallocate()
    places.deallocate()
  }

  var isEmpty: Bool { scans.count == 0 }

  /// A scan, where it is until another is opened.
  subscript(index: Int) -> UnsafeMutablePointer<RecordScan> { scans.place(index) }

  /// Makes a scan of a record with so many fields in its shape.
  ///
  /// - Returns: its place plus one.
  mutating func open(fieldCount: Int) -> Int {
    scans.append(RecordScan(firstPlace: places.count))
    places.append(repeating: nil, count: fieldCount)
    return scans.count
  }

  /// Closes a scan and those inside it.
  mutating func close(_ index: Int) {
    places.removeLast(places.count - scans[index].firstPlace)
    scans.removeLast(scans.count - index)
  }

  /// Where a field is that was passed over and not taken; nil for others.
  func place(of field: Int, in index: Int) -> UnsafePointer<UInt8>? {
    placePointer(of: field, in: index).pointee
  }

  /// Where that is noted, until another scan is opened; those of the fields behind it follow.
  func placePointer(of field: Int, in index: Int) -> UnsafeMutablePointer<UnsafePointer<UInt8>?> {
    places.place(scans[index].firstPlace + field)
  }

  /// The first field of a range that was taken; nil if there is none.
  func firstTaken(of fields: Range<Int>, in index: Int) -> Int? {
    for field in fields where place(of: field, in: index) == nil { return field }
    return nil
  }

  func setPlace(of field: Int, in index: Int, to cursor: UnsafePointer<UInt8>?) {
    placePointer(of: field, in: index).pointee = cursor
  }
}

/// The fields of a tail.
struct TailScan {
  /// Those that have not been taken, but for keys that are there twice.
  private var fields: [Field] = []
  private var byKey: [UInt32: Int] = [:]
  /// The places in `fields` of those without a key.
  private var unkeyedPlaces: [Int] = []
  /// The first of `fields` that may be an unkeyed one not yet taken.
  private var firstUnkeyed = 0
  /// Unkeyed ones that are not yet taken.
  private(set) var unkeyedCount = 0

  struct Field {
    let keyNumber: UInt32
    let kind: GraphKind
    let cursor: UnsafePointer<UInt8>
    var isTaken = false
  }

  mutating func append(_ keyNumber: UInt32, _ kind: GraphKind, _ cursor: UnsafePointer<UInt8>) {
    if keyNumber == 0 {
      unkeyedCount += 1
      unkeyedPlaces.append(fields.count)
    } else {
      byKey[keyNumber] = fields.count
    }
    fields.append(Field(keyNumber: keyNumber, kind: kind, cursor: cursor))
  }

  /// A field without a key by its place among these, taken or not.
  func unkeyed(_ index: Int) -> Field? {
    unkeyedPlaces.indices.contains(index) ? fields[unkeyedPlaces[index]] : nil
  }

  /// Whether there are fields with keys, taken or not.
  var hasKeys: Bool { !byKey.isEmpty }

  /// Keys of the fields that are not taken.
  var keyNumbersLeft: [UInt32] { fields.filter { !$0.isTaken }.map(\.keyNumber) }

  /// A field that is not yet taken: the first one for key number 0.
  mutating func find(_ keyNumber: UInt32) -> Field? { index(of: keyNumber).map { fields[$0] } }

  mutating func take(_ keyNumber: UInt32) -> Field? {
    guard let index = index(of: keyNumber) else { return nil }
    fields[index].isTaken = true
    if keyNumber == 0 { unkeyedCount -= 1 }
    return fields[index]
  }

  private mutating func index(of keyNumber: UInt32) -> Int? {
    if keyNumber != 0 { return byKey[keyNumber].flatMap { fields[$0].isTaken ? nil : $0 } }
    guard unkeyedCount > 0 else { return nil }
    while fields[firstUnkeyed].isTaken || fields[firstUnkeyed].keyNumber != 0 { firstUnkeyed += 1 }
    return firstUnkeyed
  }
}
