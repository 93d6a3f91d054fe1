/// A shape of the archive, as the decoder follows it.
@usableFromInline
struct DecoderShape {
  /// The fields, and one more behind them whose token is `end`, or `unbound` if a tail follows.
  @usableFromInline let fields: UnsafeMutablePointer<ShapeField>
  /// Not a plain value: a class, or a boxed value.
  @usableFromInline let isSpecial: Bool
  let fieldCount: Int
  let classNumber: UInt32
  let isClass: Bool
  let isOpen: Bool
  let isBoxed: Bool
  /// The class, once it has been found; the resolver owns it.
  var resolvedClass: Unmanaged<ClassResolver.ResolvedClass>?

  init(_ shape: Contents.Shape) {
    fieldCount = shape.fields.count
    classNumber = shape.classNumber
    isClass = shape.isClass
    isOpen = shape.isOpen
    isBoxed = shape.isBoxed
    isSpecial = shape.isClass || shape.classNumber != 0 || shape.isBoxed
    fields = .allocate(capacity: fieldCount + 1)
    (fields + fieldCount).initialize(
      to: ShapeField(token: isOpen ? FieldToken.unbound : FieldToken.end, kind: .null))
    var unkeyedCount: UInt32 = 0
    for index in (0..<fieldCount).reversed() {
      let field = shape.fields[index]
      if field.keyNumber == 0 { unkeyedCount += 1 }
      (fields + index).initialize(
        to: ShapeField(
          token: field.keyNumber == 0 ? FieldToken.unkeyed : FieldToken.unbound, kind: field.kind,
          keyNumber: field.keyNumber, unkeyedCount: unkeyedCount))
    }
  }
}

/// A field of a shape.
@usableFromInline
struct ShapeField {
  /// The key that this field was last decoded with, without kind; see `FieldToken`.
  @usableFromInline var token: UInt64
  @usableFromInline let kind: GraphKind
  /// Number in the key table plus one; 0 for a field without a key.
  var keyNumber: UInt32 = 0
  /// Fields without a key from here on.
  var unkeyedCount: UInt32 = 0
}

/// The record that is being decoded.
@usableFromInline
struct RecordFrame {
  /// The field whose value is at the cursor; its token matches nothing while the cursor is elsewhere.
  @usableFromInline var field: UnsafeMutablePointer<ShapeField>
  @usableFromInline var shape: UnsafeMutablePointer<DecoderShape>?
  @usableFromInline var scanNumber: Int32 = 0
  /// How many values of the object lie around the fields, this record included.
  @usableFromInline var depth: Int32 = 0
  /// Where the value of the first field is; nil where there is no record.
  @usableFromInline var start: UnsafePointer<UInt8>?

  /// Place in `DecoderTables.scans` plus one of what is known beyond `field`; 0 for nothing.
  @inlinable var scan: Int {
    get { Int(scanNumber) }
    set { scanNumber = Int32(truncatingIfNeeded: newValue) }  // One for each record being decoded.
  }

  @inlinable
  init(field: UnsafeMutablePointer<ShapeField>) { self.field = field }

  @inlinable
  init(_ shape: UnsafeMutablePointer<DecoderShape>, start: UnsafePointer<UInt8>?, depth: Int32) {
    field = shape.pointee.fields
    self.depth = depth
    self.shape = shape
    self.start = start
  }
}

/// Fields that were passed over, and where to go on: for records decoded in another order than encoded.
struct RecordScan {
  /// Fields that were passed over or belong to the tail, in order.
  var fields: [Field] = []
  /// The first of `fields` that may be an unkeyed one not yet taken.
  var firstUnkeyed = 0
  /// Unkeyed ones among `fields` that are not yet taken.
  var unkeyedCount = 0
  /// Places in `fields` by key number.
  var byKey: [UInt32: Int] = [:]
  var tailIsIndexed = false
  /// The field to go on with; set while the frame's field matches nothing.
  var resumeField: UnsafeMutablePointer<ShapeField>?
  /// Where that field's value is; nil if the cursor will have got there by itself.
  var resumeCursor: UnsafePointer<UInt8>?
  /// The cursor is not where `resumeField` is: an error has left it elsewhere.
  var isLost = false
  /// Number of the key that is being decoded plus one; 0 for none.
  var activeKey: UInt32 = 0

  struct Field {
    let keyNumber: UInt32
    let kind: GraphKind
    let cursor: UnsafePointer<UInt8>
    var isTaken = false
  }

  mutating func append(_ keyNumber: UInt32, _ kind: GraphKind, _ cursor: UnsafePointer<UInt8>) {
    if keyNumber == 0 { unkeyedCount += 1 } else { byKey[keyNumber] = fields.count }
    fields.append(Field(keyNumber: keyNumber, kind: kind, cursor: cursor))
  }

  /// The place of a field that is not yet taken: the first one for key number 0.
  mutating func find(_ keyNumber: UInt32) -> Int? {
    if keyNumber != 0 { return byKey[keyNumber].flatMap { fields[$0].isTaken ? nil : $0 } }
    guard unkeyedCount > 0 else { return nil }
    while fields[firstUnkeyed].isTaken || fields[firstUnkeyed].keyNumber != 0 { firstUnkeyed += 1 }
    return firstUnkeyed
  }

  mutating func take(_ index: Int) {
    fields[index].isTaken = true
    if fields[index].keyNumber == 0 { unkeyedCount -= 1 }
  }
}
