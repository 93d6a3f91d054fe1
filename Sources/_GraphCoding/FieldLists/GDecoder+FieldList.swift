import CGraphArchive
import _GraphFiles
import _GraphSupport

/// Reads structs with a list of fields: called by the macro's `init(from:)` and similar code.
extension _GraphFieldList {
  /// Decodes the properties of a value from the record being decoded.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func decode<Value: GEncodable & GDecodable>(from decoder: GDecoder) throws -> Value {
    try unsafe make { try unsafe decoder.findFields(into: $0, decoder.tables.fieldList(of: Value.self)) }
  }

  /// Reads a value of a kind at the cursor.
  @inlinable
  @inline(__always)
  public static func read<Value: GEncodable & GDecodable>(_ decoder: GDecoder, _ kind: GraphKind) throws
    -> Value
  {
    guard kind == .record else { return try decoder.readOther(Value.self, kind) }
    return try unsafe make { try unsafe decoder.readRecord(into: $0, Value.self) }
  }

  /// Makes a value in memory, where `fill` sets all properties, or leaves the memory empty if it throws.
  @inlinable
  @inline(__always)
  static func make<Value>(_ fill: (UnsafeMutableRawPointer) throws -> Void) throws -> Value {
    try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let place = unsafe memory.baseAddress.unsafelyUnwrapped  // There is room for one.
      try unsafe fill(UnsafeMutableRawPointer(place))
      return unsafe place.move()
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

  /// Reads the fields of a record whose shape was read as this struct before.
  @inline(__always)
  private func takeFields(
    into memory: UnsafeMutableRawPointer, _ list: Pinned<ShapeFields>, _ shape: Pinned<DecoderShape>
  ) throws {
    let fields = list.pointee.fields
    var index = 0
    do {
      while index < fields.count {
        let field = fields.pinned(index)
        let place = unsafe memory + field.pointee.offset
        switch field.pointee.operation {
        // Not `_graphRead`, which checks the kind again near the end of the stream.
        case .int:
          let number = gca_unzigzag(try state.pointee.stream.takeVarint())
          unsafe place.initializeMemory(as: Int64.self, to: number)
        case .uint: unsafe place.initializeMemory(as: UInt64.self, to: try state.pointee.stream.takeVarint())
        case .float: unsafe place.initializeMemory(as: Float.self, to: try Float._graphRead(self, .float32))
        case .double:
          unsafe place.initializeMemory(as: Double.self, to: try Double._graphRead(self, .float64))
        case .bool: unsafe place.initializeMemory(as: Bool.self, to: try readBool(.bool))
        case .string: unsafe place.initializeMemory(as: String.self, to: try readString(.string))
        case .int32: unsafe place.initializeMemory(as: Int32.self, to: try Int32._graphRead(self, .int32))
        case .uint32: unsafe place.initializeMemory(as: UInt32.self, to: try UInt32._graphRead(self, .uint32))
        case .other, .byte:
          state.pointee.frame.field = shape.pointee.fields.pinned(index + 1)
          try unsafe readOther(into: place, field)
        }
        index += 1
      }
    } catch {
      state.pointee.frame.field = shape.pointee.fields.pinned(index + 1)
      let error = lost(error)
      unsafe destroy(list, upTo: index, missingCount: 0, at: memory)
      throw error
    }
    if !list.pointee.missing.isEmpty { try unsafe setMissing(list, at: memory) }
  }

  /// Reads a field that has no operation, or skips one that the struct does not have.
  @inline(never)
  private func readOther(into place: UnsafeMutableRawPointer, _ field: Pinned<DecodedField>) throws {
    guard let read = unsafe field.pointee.read else { return try skip(field.pointee.kind) }
    if let setMissing = unsafe field.pointee.setMissing,
      state.pointee.stream.input.peek() == GraphKind.absent.rawValue
    {
      try skip(field.pointee.kind)
      try unsafe setMissing(place)
    } else {
      try unsafe read(place, self, field.pointee.kind)
    }
  }

  /// Sets the fields that the shape lacks, after all others.
  @inline(never)
  private func setMissing(_ list: Pinned<ShapeFields>, at memory: UnsafeMutableRawPointer) throws {
    for (count, index) in list.pointee.missing.enumerated() {
      let field = unsafe list.pointee.list.known.fields[index]
      do { try unsafe field.setMissing?(memory + field.offset) } catch {
        unsafe destroy(list, upTo: list.pointee.fields.count, missingCount: count, at: memory)
        throw error
      }
    }
  }

  /// Destroys what has been read of a struct.
  private func destroy(
    _ list: Pinned<ShapeFields>, upTo end: Int, missingCount: Int, at memory: UnsafeMutableRawPointer
  ) {
    let known = unsafe list.pointee.list.known.fields
    for index in 0..<end where list.pointee.fields[index].index >= 0 {
      let field = known[list.pointee.fields[index].index]
      unsafe field.destroy(memory + field.offset)
    }
    for index in list.pointee.missing.prefix(missingCount) {
      unsafe known[index].destroy(memory + known[index].offset)
    }
  }

  /// Reads the first record of a shape, or one that has to be read field by field.
  @inline(never)
  private func readFirst(
    into memory: UnsafeMutableRawPointer, _ type: any GEncodable.Type, _ shape: Pinned<DecoderShape>
  ) throws {
    let list = tables.fieldList(of: type)
    try unsafe findFields(into: memory, list)
    if state.pointee.frame.field.pointee.token != FieldToken.end || state.pointee.frame.track != nil {
      do { try finishRecord() } catch {
        unsafe destroy(list.known.fields[...], at: memory)
        throw error
      }
    }
    // A record inside may already have noted it. Forged archives may have many shapes.
    guard shape.pointee.fieldList(of: type) == nil, tables.notedFieldListCount < Self.maximumNotedCount else {
      return
    }
    if let noted = ShapeFields(type, list, shape) {
      tables.notedFieldListCount += 1
      shape.pointee.fieldList = .make(noted)
    }
  }

  private static let maximumNotedCount = 4096

  /// Decodes each field by its key, as `decode(for:)` and `decodeIfPresent(for:)` do.
  fileprivate func findFields(into memory: UnsafeMutableRawPointer, _ list: ArchiveFields) throws {
    let fields = unsafe list.known.fields
    for (index, field) in fields.enumerated() {
      let place = unsafe memory + field.offset
      do {
        let number = list.keyNumbers[index]
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

  private func destroy(_ fields: ArraySlice<ListedField>, at memory: UnsafeMutableRawPointer) {
    for field in fields { unsafe field.destroy(memory + field.offset) }
  }
}
