import CGraphArchive

/// Called with the number of an object, and the kind of the reference to it: conditional or not.
typealias ReferenceVisit = (UInt32, GraphKind) -> Void

/// Moving over values without making them: by kinds alone, so no Swift type is needed.
extension GDecoder {
  /// Moves behind a value of a kind.
  ///
  /// - Parameter visit: called for each object that the value refers to, except through fields that others like it have
  ///   deferred.
  func skip(_ kind: GraphKind, _ visit: ReferenceVisit? = nil) throws {
    switch kind {
    case .null, .absent: break
    case .tagged: try skipTagged(visit)
    case .record: try skipRecord(visit)
    case .reference, .conditional:
      let number = try takeVarint()
      guard number < state.pointee.objectCount else {
        throw malformed("object \(number) is not in the table")
      }
      visit?(UInt32(number), kind)
    case .array, .set: try skipElements([GraphKind(rawValue: try readByte())], visit)
    case .dictionary:
      try skipElements([GraphKind(rawValue: try readByte()), GraphKind(rawValue: try readByte())], visit)
    case .packed:
      let format = PackedFormat(rawValue: try readByte())
      guard format.byteCount > 0 else { throw malformed("packed format \(format.rawValue) is not known") }
      try skipPacked(format.byteCount)
    case .packedStructs: try skipPacked(try readFieldFormats().reduce(0) { $0 + $1.byteCount })
    case .fixed:
      let format = PackedFormat(rawValue: try readByte())
      guard format.byteCount > 0 else { throw malformed("packed format \(format.rawValue) is not known") }
      _ = try readBytes(UInt64(format.byteCount))
    case .binary, .string: _ = try readBytes(try readVarint())
    case .bool, .int8, .uint8: _ = try readBytes(1)
    case .int16, .int32, .int64, .uint16, .uint32, .uint64: _ = try takeVarint()
    case .float16: _ = try readBytes(2)
    case .float32: _ = try readBytes(4)
    case .float64: _ = try readBytes(8)
    default: throw malformed("\(kind) is not known")
    }
  }

  private func skipTagged(_ visit: ReferenceVisit?) throws {
    var kind = GraphKind.tagged
    while kind == .tagged { kind = GraphKind(rawValue: try readByte()) }
    try skip(kind, visit)
  }

  private func skipRecord(_ visit: ReferenceVisit?) throws {
    let shape = try readShape()
    try skipInside(visit) { try skipFields(shape, visit) }
  }

  /// Skips the inside of a record or container.
  ///
  /// Where values are decoded out of order, each may skip those inside it, which then skip those inside them. So of
  /// every so many levels the ends are kept, and found when the same is skipped again.
  private func skipInside(_ visit: ReferenceVisit?, _ body: () throws -> Void) throws {
    guard visit == nil, state.pointee.frame.depth % Self.skippedDepth == 0,
      let start = state.pointee.input.cursor
    else { return try nested(body) }
    // Of a stream that is there in part, it may be behind what is there now.
    if let end = tables.skippedEnds[start], end <= state.pointee.input.end {
      state.pointee.input.cursor = end
      return
    }
    try nested(body)
    guard let end = state.pointee.input.cursor, end - start >= Self.skippedByteCount else { return }
    tables.skippedEnds[start] = end
  }

  /// The ends of values are kept that lie a multiple of so many levels deep, and are so long: one for each such number
  /// of bytes at most, and none for values that are as flat as most.
  private static let skippedDepth: Int32 = 32
  private static let skippedByteCount = 64

  private func skipFields(
    _ shape: UnsafeMutablePointer<DecoderShape>, _ visit: ReferenceVisit?
  ) throws {
    if shape.pointee.isBoxed { return try skip(GraphKind(rawValue: try readByte()), visit) }
    for index in 0..<shape.pointee.fieldCount {
      let field = shape.pointee.fields[index]
      try skip(field.kind, visit == nil || tables.deferredKeys.contains(field, shape) ? nil : visit)
    }
    guard shape.pointee.isOpen else { return }
    let header = try readTailHeader()
    if visit == nil {
      state.pointee.input.cursor = header.end
      return
    }
    for _ in 0..<header.fieldCount {
      let kind = GraphKind(rawValue: try readByte())
      let keyNumber = UInt32(truncatingIfNeeded: try readVarint())
      try skip(kind, tables.deferredKeys.contains(keyNumber, shape) ? nil : visit)
    }
  }

  private func skipElements(_ kinds: [GraphKind], _ visit: ReferenceVisit?) throws {
    guard kinds.allSatisfy(\.takesBytes) else { throw malformed("the elements of a container take no bytes") }
    let count = try readCount(of: kinds[0], perElement: kinds.count)
    try skipInside(visit) {
      for _ in 0..<count {
        for kind in kinds { try skip(kind, visit) }
      }
    }
  }

  private func skipPacked(_ elementByteCount: Int) throws {
    let count = try readVarint()
    if count & 1 == 1 {
      _ = try readVarint()
    } else {
      guard
        case (let byteCount, false) = (count >> 1).multipliedReportingOverflow(by: UInt64(elementByteCount))
      else { throw malformed("an array of \(count >> 1) elements does not fit") }
      _ = try readBytes(byteCount)
    }
  }

  // MARK: Small reads

  @usableFromInline
  @inline(never)
  func readVarint() throws -> UInt64 {
    var value: UInt64 = 0
    guard gca_get_varint(&state.pointee.input, &value) else {
      throw malformed("the stream ends inside a number")
    }
    return value
  }

  /// `readVarint` where that is inlined.
  @inlinable
  @inline(__always)
  func takeVarint() throws -> UInt64 {
    gca_reader_is_fast(&state.pointee.input) ? gca_take_varint(&state.pointee.input) : try readVarint()
  }

  @inlinable
  @inline(__always)
  func readByte() throws -> UInt8 {
    guard gca_reader_has(&state.pointee.input, 1) else { throw endInsideValue() }
    return gca_take_u8(&state.pointee.input)
  }

  @usableFromInline
  @inline(never)
  func endInsideValue() -> GCodableError { malformed("the stream ends inside a value") }

  @usableFromInline
  func readBytes(_ count: UInt64) throws -> UnsafeRawBufferPointer {
    var start: UnsafePointer<UInt8>?
    guard let length = Int(exactly: count), gca_get_bytes(&state.pointee.input, length, &start) else {
      throw malformed("the stream ends inside \(count) bytes")
    }
    return UnsafeRawBufferPointer(start: start, count: length)
  }

  func readShape() throws -> UnsafeMutablePointer<DecoderShape> {
    let number = try takeVarint()
    guard number &- 1 < state.pointee.shapeCount else {
      throw malformed("shape \(number) is not in the table")
    }
    return state.pointee.shapes + Int(number - 1)
  }

  /// Reads the number of elements of a container; each takes at least a byte.
  @usableFromInline
  func readCount(of kind: GraphKind, perElement: Int = 1) throws -> Int {
    try checkedCount(
      readVarint(), of: kind, perElement: perElement, left: UInt64(gca_reader_left(&state.pointee.input)))
  }

  /// A number of elements that can stand in so many bytes.
  @inline(__always)
  func checkedCount(_ count: UInt64, of kind: GraphKind, perElement: Int, left: UInt64) throws -> Int {
    guard kind.takesBytes else { throw malformed("the elements of a container are of kind \(kind)") }
    guard count <= left / UInt64(perElement) else {
      throw malformed("a container of \(count) elements (\(kind)) has \(left) bytes")
    }
    return Int(count)
  }
}
