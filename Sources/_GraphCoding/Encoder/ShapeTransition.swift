import _GraphFiles
import _GraphSupport

/// A field of a shape, as the encoder sees it: a node in the tree of all sequences of fields that values of
/// one type have been encoded with.
///
/// The path from the root to a node is a shape. `prediction` is the successor taken last time; while values of a
/// type look alike, encoding a field is one comparison and one step.
@usableFromInline
struct ShapeTransition {
  /// Key and kind, see `FieldToken`.
  @usableFromInline var token: UInt64
  /// The successor that is expected: a child, or the end node.
  ///
  /// Never dangling.
  @usableFromInline var prediction: Pinned<ShapeTransition>

  /// nil at a root.
  var parent: Pinned<ShapeTransition>?
  var firstChild: Pinned<ShapeTransition>?
  var sibling: Pinned<ShapeTransition>?
  /// The type whose tree this is; nil for the end node and the overflow node.
  var type: Pinned<EncoderType>?
  /// Number in the key table plus one; 0 for a field without a key.
  var keyNumber: UInt32 = 0
  /// Fields from the root to here.
  var fieldCount: UInt32 = 0
  /// The number of the shape that ends here; 0 when none has.
  var shape: UInt32 = 0
  /// The number of the shape whose fixed fields end here, with overflow fields for the rest; 0 for none.
  var openShape: UInt32 = 0
  var kind: GraphKind = .null
  /// A step that is not a field, or a node after it: values that end here are lists; see `GEncoder.enterList`.
  var isList = false

  /// Neither the root of a tree, nor the step with which a record becomes a list, nor one of the nodes of no type.
  var isField: Bool { fieldCount > 0 && token != FieldToken.list }

  /// How many fields without a key there are up to and including this one.
  var unkeyedCount: Int {
    let before = parent?.pointee.unkeyedCount ?? 0
    return isField && keyNumber == 0 ? before + 1 : before
  }

  /// Fields that one shape may have, and nodes that one type may have, before the rest are overflow fields.
  static let maximumFieldCount: UInt32 = 256
  static let maximumNodeCount: UInt32 = 1024
}

/// What the encoder knows about a Swift type, determined once and then found by the address of its metadata.
@usableFromInline
struct EncoderType {
  /// How values of the type are written.
  @usableFromInline
  enum Plan: UInt8 {
    /// In place, field by field.
    case record
    /// As the number of an object; identity is the address.
    case reference
    /// Some other identity, or none: decided value by value.
    case dynamicIdentity
  }

  /// Address of the type's metadata.
  @usableFromInline var metadata: UInt
  @usableFromInline var plan: Plan
  /// The kind in a field of this static type.
  @usableFromInline var kind: GraphKind
  @usableFromInline var root: Pinned<ShapeTransition>
  /// The node at which the last value ended; nil before the first one.
  @usableFromInline var predictedEnd: Pinned<ShapeTransition>?
  /// The number of the shape that ends there; 0 before the first one.
  @usableFromInline var predictedShape: UInt32 = 0

  /// Number in the class table plus one; 0 for values and for classes stored without inheritance.
  var classNumber: UInt32 = 0
  var nodeCount: UInt32 = 0
  /// Instances are reference types, whether their class is stored or not.
  var isClass = false
  /// Objects of the type are boxes of a single value that is not a record.
  var isBoxed = false
  /// A class that is stored under its name, whose instances have their address as identity: nothing else needs
  /// checking.
  var isPlainClass = false
  /// Instances may ask not to have their class stored.
  var hasGInheritance = false
  /// What the type can do; the encoder's tables own it.
  var facts: Held<TypeFacts>?
  /// The stored properties of a struct that is coded by a list of them; the encoder's tables own it.
  var fieldList: Pinned<EncoderFields>?

  /// The type, for errors.
  var swiftType: Any.Type {
    let address = unsafe UnsafeRawPointer(bitPattern: metadata)
    return unsafe unsafeBitCast(address, to: Any.Type.self)  // The metadata of a type that was met.
  }
}
