import CGraphArchive
import _GraphFiles
import _GraphSupport

/// Writes structs with a list of fields: called by the macro's `encode(to:)` and similar code.
extension _GraphFieldList {
  /// Encodes the properties of a value, each under its key, alongside anything else encoded for the record.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func encode<Value: GEncodable>(_ value: borrowing Value, to encoder: GEncoder) throws {
    guard let list = encoder.encoderType(Value.self).pointee.fieldList else { return }
    try unsafe withUnsafePointer(to: value) { try unsafe encoder.encodeFields(at: $0, list) { _ in } }
  }

  /// Writes a value according to its kind.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func write<Value: GEncodable>(_ value: borrowing Value, _ encoder: GEncoder) throws {
    let type = encoder.encoderType(Value.self)
    guard type.pointee.plan == .record else { return try encoder.writeDynamic(copy value, type) }
    try unsafe withUnsafePointer(to: value) { try unsafe encoder.writeRecord(at: $0, type) }
  }

  /// Writes a value as a record.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func writePlain<Value: GEncodable>(_ value: borrowing Value, _ encoder: GEncoder) throws {
    let type = encoder.encoderType(Value.self)
    try unsafe withUnsafePointer(to: value) { try unsafe encoder.writeRecord(at: $0, type) }
  }
}

/// The fields of a struct, as one encoder writes them.
struct EncoderFields {
  let list: TypeFields
  let fields: PinnedRow<EncodedField>
  /// Room for all fields that are numbers.
  let numberByteCount: Int
  /// The end node of a record written field by field; nil before the first one.
  var end: Pinned<ShapeTransition>?

  init(_ list: TypeFields, _ tables: EncoderTables) {
    self.list = list
    numberByteCount = unsafe 9 * list.fields.count  // As a varint has at most.
    fields = unsafe PinnedRow(count: list.fields.count) { index in
      let field = unsafe list.fields[index]
      return unsafe EncodedField(
        operation: field.operation, keyNumber: tables.keys.number(named: field.key) + 1, offset: field.offset,
        node: tables.shapes.end, write: field.write)
    }
  }
}

@safe  // As `ListedField`.
struct EncodedField {
  let operation: ListedField.Operation
  /// Number in the key table plus one.
  let keyNumber: UInt32
  let offset: Int
  /// The record's node in its shape after this field, once a record has been written.
  var node: Pinned<ShapeTransition>
  let write: (UnsafeRawPointer, GEncoder) throws -> Void
}

extension GEncoder {
  /// Writes the structs of an array, as `writeElements` does; false if they may have an identity.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func writeRecords<Element: GEncodable>(_ elements: UnsafeBufferPointer<Element>) throws -> Bool {
    let type = encoderType(Element.self)
    guard type.pointee.plan == .record else { return false }
    try reserve()
    state.pointee.out.putByte(GraphKind.record.rawValue)
    state.pointee.out.putVarint(UInt64(elements.count))
    guard let first = unsafe UnsafeRawPointer(elements.baseAddress) else { return true }
    try nested(in: Element.self) {
      for index in 0..<elements.count {
        try unsafe writeRecord(at: first + index * MemoryLayout<Element>.stride, type)
      }
    }
    return true
  }

  /// Writes a struct in place: the number of its shape, then its fields.
  ///
  /// - Parameters:
  ///   - start: of the struct, whose type has a list of fields.
  ///   - type: its type.
  @usableFromInline
  func writeRecord(at start: UnsafeRawPointer, _ type: Pinned<EncoderType>) throws {
    guard let list = type.pointee.fieldList else { preconditionFailure("the type has a list of fields") }
    try reserve()
    if gca_stack_pointer() < state.pointee.stackLimit || state.pointee.depth >= state.pointee.maximumDepth {
      return try onNewStack(type.pointee.swiftType) { try unsafe writeRecord(at: start, type) }
    }
    state.pointee.depth += 1
    let outer = state.pointee.node
    state.pointee.node = type.pointee.root
    do {
      if let end = list.pointee.end {
        // An earlier graph made the type and its fields known; the shape may have no number in this graph yet.
        let isPredicted = end == type.pointee.predictedEnd
        let place = state.pointee.out.count
        let shape = isPredicted ? type.pointee.predictedShape : state.pointee.expectedShape(type)
        state.pointee.out.putVarint(UInt64(shape))
        try unsafe putFields(at: start, list)
        if !isPredicted {
          state.pointee.node = end
          try endUnexpected(type, start: place, shape: shape)
        }
      } else {
        try unsafe writeFirst(at: start, type, list)
      }
    } catch { throw failed(error, in: type.pointee.swiftType, leavingTo: outer) }
    state.pointee.node = outer
    state.pointee.depth &-= 1  // It was raised above.
  }

  /// Writes the fields of a record whose shape is known.
  @inline(__always)
  private func putFields(at start: UnsafeRawPointer, _ list: Pinned<EncoderFields>) throws {
    let fields = list.pointee.fields
    let numberByteCount = list.pointee.numberByteCount
    try reserve(byteCount: numberByteCount)
    for index in 0..<fields.count {
      let field = fields.pinned(index)
      let place = unsafe start + field.pointee.offset
      switch field.pointee.operation {
      case .int: unsafe state.pointee.out.putVarint(gca_zigzag(place.load(as: Int64.self)))
      case .uint: unsafe state.pointee.out.putVarint(place.load(as: UInt64.self))
      case .int32: unsafe state.pointee.out.putVarint(gca_zigzag(Int64(place.load(as: Int32.self))))
      case .uint32: unsafe state.pointee.out.putVarint(UInt64(place.load(as: UInt32.self)))
      case .byte, .bool: unsafe state.pointee.out.putByte(place.load(as: UInt8.self))
      case .float: unsafe state.pointee.out.putUInt32(place.load(as: UInt32.self))
      case .double: unsafe state.pointee.out.putUInt64(place.load(as: UInt64.self))
      case .string:
        let string = unsafe place.assumingMemoryBound(to: String.self)
        if let small = unsafe SmallString(at: string, isUsable: state.pointee.smallStrings) {
          state.pointee.out.putVarint(UInt64(small.count))
          state.pointee.out.put(small)
        } else {
          try unsafe writeLargeString(string.pointee)
        }
        try reserve(byteCount: numberByteCount)
      case .other:
        state.pointee.node = field.pointee.node
        try unsafe field.pointee.write(place, self)
        try reserve(byteCount: numberByteCount)
      }
    }
  }

  /// Writes the first record of the type, or one whose predecessor had another shape.
  @inline(never)
  private func writeFirst(
    at start: UnsafeRawPointer, _ type: Pinned<EncoderType>, _ list: Pinned<EncoderFields>
  ) throws {
    let place = state.pointee.out.count
    let shape = state.pointee.expectedShape(type)
    state.pointee.out.putVarint(UInt64(shape))
    try unsafe encodeFields(at: start, list) { index in
      list.pointee.fields.pinned(index).pointee.node = state.pointee.node
    }
    let end = state.pointee.node
    if end != type.pointee.predictedEnd || shape != type.pointee.predictedShape {
      try endUnexpected(type, start: place, shape: shape)
    }
    // A careful encoder looks at each value's identity.
    list.pointee.end = state.pointee.isCareful || end == tables.shapes.overflow ? nil : end
  }

  /// Encodes each field under its key, as `encode(_:for:)` does.
  ///
  /// - Parameter noting: is called with the field's index when its node has been entered.
  fileprivate func encodeFields(
    at start: UnsafeRawPointer, _ list: Pinned<EncoderFields>, noting: (Int) -> Void
  ) throws {
    let (known, fields) = (list.pointee.list, list.pointee.fields)
    for index in 0..<fields.count {
      let field = fields.pinned(index)  // Not a copy, which would retain the functions of the field.
      let keyNumber = field.pointee.keyNumber
      try enter(
        FieldToken.of(keyNumber: keyNumber - 1), keyNumber: keyNumber, unsafe known.fields[index].kind(self))
      noting(index)
      do { try unsafe field.pointee.write(start + field.pointee.offset, self) } catch { throw noted(error) }
    }
  }
}
