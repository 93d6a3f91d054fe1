import _GraphFiles
import _GraphSupport

/// The stored properties of a struct, each with its key: `@GCodable` writes this instead of coding field by field.
///
/// A record is then coded by a loop over the list in the library, not by code in each user type: see Documentation/Decisions/0041
/// for the savings.
///
/// Not for use outside the package and what its macros write.
public struct _GraphFieldList {
  var fields: [ListedField] = []

  /// Adds a property.
  @inlinable
  @inline(__always)
  public mutating func add<Root, Value: GEncodable & GDecodable>(
    _ key: String, _ property: KeyPath<Root, Value>
  ) {
    add(key, MemoryLayout<Root>.offset(of: property), Value.self)
  }

  /// Adds a property that is nil if an archive lacks its key.
  @inlinable
  @inline(__always)
  public mutating func addOptional<Root, Wrapped: GEncodable & GDecodable>(
    _ key: String, _ property: KeyPath<Root, Wrapped?>
  ) {
    addOptional(key, MemoryLayout<Root>.offset(of: property), Wrapped.self)
  }

  /// Adds a property with a default value for archives that lack its key.
  ///
  /// - Throws: nothing; it is a throwing function so that the value may be an expression that throws.
  @inlinable
  @inline(__always)
  public mutating func add<Root, Value: GEncodable & GDecodable>(
    _ key: String, _ property: KeyPath<Root, Value>, missing value: @autoclosure @escaping () throws -> Value
  ) throws {
    add(key, MemoryLayout<Root>.offset(of: property), missing: value)
  }

  // Made per property type, not per struct: properties are read and written by code that knows their type.

  @inlinable
  @inline(never)
  mutating func add<Value: GEncodable & GDecodable>(_ key: String, _ offset: Int?, _ type: Value.Type) {
    append(key, offset, ListedField(type))
  }

  @inlinable
  @inline(never)
  mutating func addOptional<Wrapped: GEncodable & GDecodable>(
    _ key: String, _ offset: Int?, _ type: Wrapped.Type
  ) {
    var field = ListedField(Wrapped?.self)
    field.isNilWhereMissing = true
    // The memory of a property of this type.
    unsafe field.setMissing = { unsafe $0.initializeMemory(as: Wrapped?.self, to: nil) }
    append(key, offset, field)
  }

  @inlinable
  @inline(never)
  mutating func add<Value: GEncodable & GDecodable>(
    _ key: String, _ offset: Int?, missing value: @escaping () throws -> Value
  ) {
    var field = ListedField(Value.self)
    // The memory of a property of this type.
    unsafe field.setMissing = { unsafe $0.initializeMemory(as: Value.self, to: try value()) }
    append(key, offset, field)
  }

  @usableFromInline
  mutating func append(_ key: String, _ offset: Int?, _ field: ListedField) {
    // A mistake in the program, whatever is coded: the macro lists stored properties alone.
    guard let offset else { preconditionFailure("'\(key)' is not stored in its struct") }
    fields.append(field)
    fields[fields.count - 1].key = key
    fields[fields.count - 1].offset = offset
  }
}

/// A stored property of a struct: where it is, and how it is coded.
@safe  // Its functions get memory that holds a property of the type, or is for one.
@usableFromInline
struct ListedField {
  /// Numbers and strings are read and written without a call by pointer.
  enum Operation: UInt8 {
    case other, int, int32, uint, uint32, byte, float, double, bool, string
  }

  var key = ""
  /// Bytes from the start of the struct.
  var offset = 0
  let type: Any.Type
  let byteCount: Int
  let alignment: Int
  let operation: Operation
  @usableFromInline let kind: (GEncoder) -> GraphKind
  @usableFromInline let write: (UnsafeRawPointer, GEncoder) throws -> Void
  @usableFromInline let read: (UnsafeMutableRawPointer, GDecoder, GraphKind) throws -> Void
  @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void
  /// The property's value if an archive lacks its key; nil if that is an error.
  @usableFromInline var setMissing: ((UnsafeMutableRawPointer) throws -> Void)?
  /// Whether that is nil; then a field left out by `encodeIfPresent` is nil as well.
  @usableFromInline var isNilWhereMissing = false

  @inlinable
  init<Value: GEncodable & GDecodable>(_ type: Value.Type) {
    // The memory of a property of this type, in all of them.
    unsafe self.init(
      type, byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment,
      kind: { $0.nestedKind(Value.self) },
      write: { try $1.writeNested(unsafe $0.assumingMemoryBound(to: Value.self).pointee) },
      read: { unsafe $0.initializeMemory(as: Value.self, to: try Value._graphRead($1, $2)) },
      destroy: { unsafe $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) })
  }

  @usableFromInline
  init(
    _ type: Any.Type, byteCount: Int, alignment: Int, kind: @escaping (GEncoder) -> GraphKind,
    write: @escaping (UnsafeRawPointer, GEncoder) throws -> Void,
    read: @escaping (UnsafeMutableRawPointer, GDecoder, GraphKind) throws -> Void,
    destroy: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    self.type = type
    self.byteCount = byteCount
    self.alignment = alignment
    operation = Self.operations[ObjectIdentifier(type)] ?? .other
    self.kind = kind
    unsafe (self.write, self.read, self.destroy) = unsafe (write, read, destroy)
  }

  private static let operations: [ObjectIdentifier: Operation] = [
    ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int64.self): .int,
    ObjectIdentifier(UInt.self): .uint, ObjectIdentifier(UInt64.self): .uint,
    ObjectIdentifier(Int32.self): .int32, ObjectIdentifier(UInt32.self): .uint32,
    ObjectIdentifier(Int8.self): .byte, ObjectIdentifier(UInt8.self): .byte,
    ObjectIdentifier(Float.self): .float, ObjectIdentifier(Double.self): .double,
    ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(String.self): .string,
  ]
}
