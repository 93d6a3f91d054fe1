/// A shape of the archive, as the decoder follows it.
@usableFromInline
struct DecoderShape {
  /// The fields, and one more behind them whose token is `end`, or `unbound` if overflow fields follow.
  @usableFromInline let fields: UnsafeMutablePointer<ShapeField>
  /// Not a plain value: a class, or a boxed value.
  @usableFromInline let isSpecial: Bool
  let fieldCount: Int
  let classNumber: UInt32
  let isClass: Bool
  let isOpen: Bool
  let isBoxed: Bool
  /// The fields without keys are the elements of a list, not a single value, if there is one.
  let isList: Bool
  /// The class, once it has been found; the resolver owns it.
  var resolvedClass: Unmanaged<ClassResolver.ResolvedClass>?

  init(_ shape: Contents.Shape) {
    fieldCount = shape.fields.count
    classNumber = shape.classNumber
    isClass = shape.isClass
    isOpen = shape.isOpen
    isBoxed = shape.isBoxed
    isList = shape.isList
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
          token: field.keyNumber == 0 ? FieldToken.unkeyed : FieldToken.unbound, kind: field.kind.plain,
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
struct RecordFrame: BitwiseCopyable {
  /// The field whose value is at the cursor; its token matches nothing while the cursor is elsewhere.
  @usableFromInline var field: UnsafeMutablePointer<ShapeField>
  @usableFromInline var shape: UnsafeMutablePointer<DecoderShape>?
  /// How many values of the object lie around the fields, this record included.
  @usableFromInline var depth: Int32 = 0
  /// What is known beyond `field`; nil as long as the record is decoded in order.
  @usableFromInline var track: UnsafeMutablePointer<RecordTrack>?
  /// Where the value of the first field is; nil where there is no record.
  @usableFromInline var start: UnsafePointer<UInt8>?

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
