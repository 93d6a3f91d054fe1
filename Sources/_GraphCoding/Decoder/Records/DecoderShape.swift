import _GraphFiles
import _GraphSupport

/// A shape of the archive, in the decoder's form.
@usableFromInline
package struct DecoderShape {
  /// The fields, and one more after them whose token is `end`, or `unbound` if overflow fields follow.
  @usableFromInline package let fields: PinnedRow<ShapeField>
  /// Not a plain value: a class, or a boxed value.
  @usableFromInline let isSpecial: Bool
  package let classNumber: UInt32
  package let isClass: Bool
  package let isOpen: Bool
  package let isBoxed: Bool
  /// The fields without keys are the elements of a list, not a single value, if there is one.
  package let isList: Bool
  /// The class, once it has been found; the resolver owns it.
  var resolvedClass: Held<ClassResolver.ResolvedClass>?
  /// How the fields become the structs that the shape was read as, latest first; the decoder's tables own them.
  var fieldList: Pinned<ShapeFields>?

  init(_ shape: Contents.Shape) {
    classNumber = shape.classNumber
    isClass = shape.isClass
    isOpen = shape.isOpen
    isBoxed = shape.isBoxed
    isList = shape.isList
    isSpecial = shape.isClass || shape.classNumber != 0 || shape.isBoxed
    let isOpen = shape.isOpen
    var unkeyedLeft = UInt32(shape.fields.count { $0.keyNumber == 0 })
    fields = PinnedRow(count: shape.fields.count + 1) { index in
      guard index < shape.fields.count else {
        return ShapeField(token: isOpen ? FieldToken.unbound : FieldToken.end, kind: .null)
      }
      let field = shape.fields[index]
      defer { if field.keyNumber == 0 { unkeyedLeft -= 1 } }
      return ShapeField(
        token: field.keyNumber == 0 ? FieldToken.unkeyed : FieldToken.unbound, kind: field.kind.plain,
        keyNumber: field.keyNumber, unkeyedCount: unkeyedLeft)
    }
  }

  package var fieldCount: Int { fields.count - 1 }

  /// The field after the last one.
  var end: Pinned<ShapeField> { fields.pinned(fieldCount) }
}

extension Pinned<ShapeField> {
  /// The next field; this one must not be the end.
  @inlinable var next: Self {
    @inline(__always) get { unsafe Self(at: address + 1) }
  }

  /// The previous field; this one must not be the first.
  var previous: Self { unsafe Self(at: address - 1) }
}

/// A field of a shape.
@usableFromInline
package struct ShapeField {
  /// The key that this field was last decoded with, without kind; see `FieldToken`.
  @usableFromInline var token: UInt64
  @usableFromInline package let kind: GraphKind
  /// Number in the key table plus one; 0 for a field without a key.
  package var keyNumber: UInt32 = 0
  /// The number of fields without a key from here on.
  var unkeyedCount: UInt32 = 0
}

/// The record that is being decoded.
@usableFromInline
package struct RecordFrame: BitwiseCopyable {
  /// The field whose value is at the cursor; its token matches nothing while the cursor is elsewhere.
  @usableFromInline var field: Pinned<ShapeField>
  @usableFromInline var shape: Pinned<DecoderShape>?
  /// How many values of the object lie around the fields, this record included.
  @usableFromInline package var depth: Int32 = 0
  /// Anything known beyond `field`; nil as long as the record is decoded in order.
  @usableFromInline var track: Pinned<RecordTrack>?
  /// Where the value of the first field is; nil if there is no record.
  @usableFromInline var start: StreamPosition?

  @inlinable
  init(field: Pinned<ShapeField>) { self.field = field }

  @inlinable
  init(_ shape: Pinned<DecoderShape>, start: StreamPosition?, depth: Int32) {
    field = shape.pointee.fields.pinned(0)
    self.depth = depth
    self.shape = shape
    self.start = start
  }
}
