import CGraphArchive

/// How a struct with a list of fields is read: what the macro's `init(from:)` and its like call.
extension _GraphFieldList {
  /// Decodes the properties of a value from the record that is being decoded.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func decode<Value: GEncodable & GDecodable>(from decoder: GDecoder) throws -> Value {
    try unsafe make { try unsafe decoder.findFields(into: $0, unsafe KnownFieldList.of(Value.self).fields) }
  }

  /// Reads a value of a kind at the cursor.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func read<Value: GEncodable & GDecodable>(_ decoder: GDecoder, _ kind: GraphKind) throws -> Value {
    guard kind == .record else { return try decoder.readOther(Value.self, kind) }
    return try unsafe make { try unsafe decoder.readRecord(into: $0, Value.self) }
  }

  /// Makes a value in memory, which `fill` fills with all its properties, or leaves empty if it throws.
  @_semantics("optimize.sil.specialize.generic.never")
  private static func make<Value>(_ fill: (UnsafeMutableRawPointer) throws -> Void) throws -> Value {
    try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let place = unsafe memory.baseAddress.unsafelyUnwrapped  // There is room for one.
      try unsafe fill(UnsafeMutableRawPointer(place))
      return unsafe place.move()
    }
  }
}

/// The fields of a shape as those of a struct, which are the same in the same order.
struct DecodedFieldList {
  /// The struct's.
  let metadata: ObjectIdentifier
  let list: KnownFieldList
  let fields: StoredRow<DecodedField>
  /// That of another struct with the same fields, as a forged archive may ask for: a record may be read as the one within
  /// a record that is read as the other.
  let next: Stored<DecodedFieldList>?

  init(_ type: any GEncodable.Type, _ list: KnownFieldList, _ shape: Stored<DecoderShape>) {
    next = shape.pointee.fieldList
    metadata = ObjectIdentifier(type)
    self.list = list
    fields = unsafe StoredRow(count: list.fields.count) { index in
      let field = unsafe list.fields[index]
      let kind = shape.pointee.fields[index].kind
      let isUsual = field.operation.kinds.contains(kind)
      return unsafe DecodedField(
        operation: isUsual ? field.operation : .other, kind: kind, offset: field.offset, read: field.read)
    }
  }
}

extension DecoderShape {
  /// The fields as those of a struct, if they have been noted.
  @inline(__always)
  fileprivate func fieldList(of type: any GEncodable.Type) -> Stored<DecodedFieldList>? {
    var list = fieldList
    while let known = list, known.pointee.metadata != ObjectIdentifier(type) { list = known.pointee.next }
    return list
  }

  func releaseFieldLists() {
    var list = fieldList
    while let known = list {
      list = known.pointee.next
      known.pointee.fields.release()
      known.release()
    }
  }
}

@safe  // As `StoredField`.
struct DecodedField {
  /// `other` where the archive has a kind that the operation does not read.
  let operation: StoredField.Operation
  let kind: GraphKind
  let offset: Int
  let read: (UnsafeMutableRawPointer, GDecoder, GraphKind) throws -> Void
}

extension StoredField.Operation {
  /// What the operation reads.
  fileprivate var kinds: [GraphKind] {
    switch self {
    case .int: [.int64]
    case .uint: [.uint64]
    case .float: [.float32]
    case .double: [.float64]
    case .bool: [.bool]
    case .string: [.string]
    // Their checks are those of their types.
    case .other, .int32, .uint32, .byte: []
    }
  }
}

extension GDecoder {
  /// Reads a struct into memory: its shape number, then its fields.
  ///
  /// The memory stays empty if that throws.
  ///
  /// - Parameter type: the struct, which has a list of fields.
  @usableFromInline
  func readRecord(into memory: UnsafeMutableRawPointer, _ type: any GEncodable.Type) throws {
    let outer = state.pointee.frame
    if gca_stack_pointer() < state.pointee.stackLimit || outer.depth >= state.pointee.maximumDepth {
      return try onNewStack { try unsafe readRecord(into: memory, type) }
    }
    let shape = try state.pointee.stream.readShape()
    if shape.pointee.isSpecial { try failWithClass(type, shape) }
    state.pointee.frame = RecordFrame(shape, start: state.pointee.stream.input.cursor, depth: outer.depth + 1)
    do {
      if let known = shape.pointee.fieldList(of: type) {
        try unsafe takeFields(into: memory, known, shape)
      } else {
        try unsafe readFirst(into: memory, type, shape)
      }
    } catch { throw leaving(error, type, to: outer) }
    state.pointee.frame = outer
  }

  /// Reads the fields of a record whose shape has been read before as this struct.
  @inline(__always)
  private func takeFields(
    into memory: UnsafeMutableRawPointer, _ list: Stored<DecodedFieldList>, _ shape: Stored<DecoderShape>
  ) throws {
    let fields = list.pointee.fields
    var index = 0
    do {
      while index < fields.count {
        let field = fields.place(index)
        let place = unsafe memory + field.pointee.offset
        switch field.pointee.operation {
        case .int: unsafe place.initializeMemory(as: Int64.self, to: try readInt64(.int64))
        case .uint: unsafe place.initializeMemory(as: UInt64.self, to: try readUInt64(.uint64))
        case .float: unsafe place.initializeMemory(as: Float.self, to: try Float._graphRead(self, .float32))
        case .double: unsafe place.initializeMemory(as: Double.self, to: try Double._graphRead(self, .float64))
        case .bool: unsafe place.initializeMemory(as: Bool.self, to: try readBool(.bool))
        case .string: unsafe place.initializeMemory(as: String.self, to: try readString(.string))
        case .other, .int32, .uint32, .byte:
          state.pointee.frame.field = shape.pointee.fields.place(index + 1)
          try unsafe field.pointee.read(place, self, field.pointee.kind)
        }
        index += 1
      }
    } catch {
      state.pointee.frame.field = shape.pointee.fields.place(index + 1)
      let error = lost(error)
      unsafe destroy(list.pointee.list.fields[..<index], at: memory)
      throw error
    }
  }

  /// Reads the first record of a shape, or one whose fields are not those of the struct.
  @inline(never)
  private func readFirst(
    into memory: UnsafeMutableRawPointer, _ type: any GEncodable.Type, _ shape: Stored<DecoderShape>
  ) throws {
    let list = KnownFieldList.of(type)
    try unsafe findFields(into: memory, list.fields)
    if state.pointee.frame.field.pointee.token == FieldToken.end, state.pointee.frame.track == nil {
      return noteInOrder(type, list, shape)
    }
    do { try finishRecord() } catch {
      unsafe destroy(list.fields[...], at: memory)
      throw error
    }
  }

  /// Notes that the fields of a shape are those of a struct, if none of the struct's is missing.
  private func noteInOrder(
    _ type: any GEncodable.Type, _ list: KnownFieldList, _ shape: Stored<DecoderShape>
  ) {
    guard unsafe !shape.pointee.isOpen && shape.pointee.fieldCount == list.fields.count else { return }
    for (index, field) in unsafe list.fields.enumerated() {
      let stored = shape.pointee.fields[index]
      guard stored.keyNumber == tables.keyNumber(named: field.key) else { return }
      // Of these, one that was left out has to be looked for each time.
      guard unsafe stored.kind != .tagged || field.setMissing == nil || field.isNilWhereMissing else { return }
    }
    shape.pointee.fieldList = .make(DecodedFieldList(type, list, shape))
  }

  /// Decodes each field by its key, as `decode(for:)` and `decodeIfPresent(for:)` do.
  fileprivate func findFields(into memory: UnsafeMutableRawPointer, _ fields: [StoredField]) throws {
    for (index, field) in fields.enumerated() {
      let place = unsafe memory + field.offset
      do {
        let number = tables.keyNumber(named: field.key)
        if let setMissing = unsafe field.setMissing, try number.map(seek(keyNumber:)) != true {
          try unsafe setMissing(place)
        } else if let kind = try number.flatMap(position(keyNumber:)) {
          do { try unsafe field.read(place, self, kind) } catch { throw lost(error) }
        } else {
          throw keyNotFound(field.key, field.type)
        }
      } catch {
        unsafe destroy(fields[..<index], at: memory)
        throw error
      }
    }
  }

  private func destroy(_ fields: ArraySlice<StoredField>, at memory: UnsafeMutableRawPointer) {
    for field in fields { unsafe field.destroy(memory + field.offset) }
  }
}
