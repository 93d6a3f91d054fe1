import _GraphFiles
import _GraphSupport

/// How the fields of a shape become a struct: each in the order of the archive, then those that it lacks.
struct ShapeFields {
  /// The struct's.
  let metadata: ObjectIdentifier
  let list: ArchiveFields
  /// One for each field of the shape.
  let fields: PinnedRow<DecodedField>
  /// Fields of the struct that the shape lacks, by their indices.
  let missing: [Int]
  /// Belongs to another struct: in a forged archive, a record may contain one of the same shape that is read as another struct.
  let next: Pinned<ShapeFields>?

  /// nil for a shape that has to be read field by field each time.
  init?(_ type: any GEncodable.Type, _ list: ArchiveFields, _ shape: Pinned<DecoderShape>) {
    // The encoder makes none with more fields, and 56 bytes for each would cost too much in a forged archive.
    guard !shape.pointee.isOpen, shape.pointee.fieldCount <= Int(ShapeTransition.maximumFieldCount) else {
      return nil
    }
    var indices = list.indices
    fields = PinnedRow(count: shape.pointee.fieldCount) { index in
      let stored = shape.pointee.fields[index]
      return DecodedField(
        stored.kind, indices.removeValue(forKey: stored.keyNumber).map { unsafe ($0, list.known.fields[$0]) })
    }
    missing = indices.values.sortedOutOfLine(by: <) + list.unknown
    metadata = ObjectIdentifier(type)
    self.list = list
    next = shape.pointee.fieldList
    guard missing.allSatisfy({ unsafe list.known.fields[$0].setMissing != nil }) else {
      unsafe fields.release()
      return nil
    }
  }
}

/// A field of an archive's shape, for a struct.
@safe  // As `ListedField`.
struct DecodedField {
  /// How it is read; `other` also for kinds that the operation cannot read.
  let operation: ListedField.Operation
  let kind: GraphKind
  /// That of the struct's field; -1 for a skipped field.
  let index: Int
  let offset: Int
  let read: ((UnsafeMutableRawPointer, GDecoder, GraphKind) throws -> Void)?
  /// The struct's field if `encodeIfPresent` left it out; nil if reading it decides.
  let setMissing: ((UnsafeMutableRawPointer) throws -> Void)?

  fileprivate init(_ kind: GraphKind, _ known: (index: Int, field: ListedField)?) {
    self.kind = kind
    index = known?.index ?? -1
    offset = known?.field.offset ?? 0
    unsafe read = known?.field.read
    let operation = known?.field.operation ?? .other
    self.operation = operation.kind == kind ? operation : .other
    let mayBeLeftOut = kind == .tagged && known?.field.isNilWhereMissing == false
    unsafe setMissing = mayBeLeftOut ? known?.field.setMissing : nil
  }
}

extension ListedField.Operation {
  /// The kind that the operation reads; nil if the type of the property checks the value.
  fileprivate var kind: GraphKind? {
    switch self {
    case .int: .int64
    case .uint: .uint64
    case .float: .float32
    case .double: .float64
    case .bool: .bool
    case .string: .string
    case .int32: .int32
    case .uint32: .uint32
    case .other, .byte: nil
    }
  }
}

/// The fields of a struct with the archive's numbers for their keys.
final class ArchiveFields {
  let known: TypeFields
  /// The number of each field's key plus one; nil for one missing from all values of the archive.
  let keyNumbers: [UInt32?]
  /// The indices of the fields by these numbers.
  let indices: [UInt32: Int]
  /// The indices of the fields whose keys no value has.
  let unknown: [Int]

  init(_ known: TypeFields, _ tables: DecoderTables) {
    self.known = known
    let keyNumbers = unsafe known.fields.map { tables.keyNumber(named: $0.key) }
    self.keyNumbers = keyNumbers
    indices = Dictionary(
      keyNumbers.enumerated().compactMap { index, number in number.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
    unknown = keyNumbers.indices.filter { keyNumbers[$0] == nil }
  }
}

extension DecoderTables {
  /// The fields of a struct, looked up once for each archive.
  func fieldList(of type: any GEncodable.Type) -> ArchiveFields {
    if let list = fieldLists[ObjectIdentifier(type)] { return list }
    let list = ArchiveFields(TypeFields.of(type), self)
    fieldLists[ObjectIdentifier(type)] = list
    return list
  }
}

extension DecoderShape {
  /// How the fields become a struct, if that is known.
  @inline(__always)
  func fieldList(of type: any GEncodable.Type) -> Pinned<ShapeFields>? {
    var list = fieldList
    while let known = list, known.pointee.metadata != ObjectIdentifier(type) { list = known.pointee.next }
    return list
  }

  func releaseFieldLists() {
    var list = fieldList
    while let known = list {
      list = known.pointee.next
      unsafe known.pointee.fields.release()
      unsafe known.release()
    }
  }
}
