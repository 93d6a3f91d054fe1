/// The parts of the value that a walk stands at, one after the other.
struct PartList {
  let contents: PartWalk.Contents
  /// How many there are; of a record with a tail, those in front of it until the walk has come there.
  private(set) var count: Int
  /// The place of the part that is next.
  private var index = 0
  private var unkeyedCount = 0
  private var hasReadTail = false
  /// Where the key of the last part is, in a dictionary whose keys are neither strings nor integers.
  private(set) var keyPosition: PartWalk.Position?

  /// Moves the walk into the value that it stands at.
  init(_ walk: inout PartWalk) throws {
    contents = try walk.contents()
    count =
      switch contents.form {
      case .fields(let shape): shape.pointee.fieldCount
      case .elements(_, let count), .pairs(_, _, let count): count
      case .packed(let array): array.count
      case .packedFields(let part): part.formats.count
      case .single, .packedSingle, .nothing: 0
      }
  }

  /// Moves the walk to the next part, and gives the step that leads there; nil behind the last one.
  ///
  /// The walk has been moved behind the part before.
  @inline(never)
  mutating func next(_ walk: inout PartWalk) throws -> GraphPath.Step? {
    if case .fields(let shape) = contents.form { return try nextField(&walk, shape) }
    guard index < count else { return nil }
    defer { index += 1 }
    switch contents.form {
    case .elements(let kind, _): walk.stand(at: .stored(kind))
    case .packed(let array): walk.stand(at: .packed(PackedPart(array: array, index: index)))
    case .packedFields(let part):
      walk.stand(at: .packed(PackedPart(array: part.array, index: part.index, field: index)))
    case .pairs(let keyKind, let valueKind, _):
      walk.stand(at: .stored(keyKind))
      let step = try passKey(&walk, keyKind)
      walk.stand(at: .stored(valueKind))
      return step
    case .fields, .single, .packedSingle, .nothing: return nil
    }
    return .index(index)
  }

  /// Moves to the tail of a record that has one, so that `count` counts its fields, too.
  mutating func moveToTail(_ walk: inout PartWalk) throws {
    guard case .fields(let shape) = contents.form, shape.pointee.isOpen else { return }
    while index < shape.pointee.fieldCount, try next(&walk) != nil { try pass(&walk) }
    try readTail(&walk, shape)
  }

  /// Moves behind the part that the walk stands at.
  func pass(_ walk: inout PartWalk) throws {
    if case .stored(let kind) = walk.value { try walk.skip(kind) }
  }

  private mutating func nextField(
    _ walk: inout PartWalk, _ shape: UnsafeMutablePointer<DecoderShape>
  ) throws -> GraphPath.Step? {
    try readTail(&walk, shape)
    guard index < count else { return nil }
    defer { index += 1 }
    let keyNumber: UInt32
    if index < shape.pointee.fieldCount {
      let field = shape.pointee.fields[index]
      walk.stand(at: .stored(field.kind))
      keyNumber = field.keyNumber
    } else {
      let field = try walk.read { try $0.readTailField() }
      walk.stand(at: .stored(field.kind))
      keyNumber = field.keyNumber
    }
    guard keyNumber == 0 else { return .key(walk.decoder.tables.keys[Int(keyNumber) - 1]) }
    defer { unkeyedCount += 1 }
    return .index(unkeyedCount)
  }

  private mutating func readTail(
    _ walk: inout PartWalk, _ shape: UnsafeMutablePointer<DecoderShape>
  ) throws {
    guard shape.pointee.isOpen, index == shape.pointee.fieldCount, !hasReadTail else { return }
    hasReadTail = true
    count += Int(try walk.read { try $0.readTailHeader().fieldCount })
  }

  /// Moves behind the key of a pair, and gives the step that leads to its value.
  private mutating func passKey(_ walk: inout PartWalk, _ kind: GraphKind) throws -> GraphPath.Step {
    keyPosition = nil
    if kind == .record { return try passRecordKey(&walk) }
    switch kind {
    case .string: return .key(try walk.read { try String._graphRead($0, kind) })
    case .int8, .int16, .int32, .int64: return .index(Int(try walk.read { try Int64._graphRead($0, kind) }))
    case .uint8, .uint16, .uint32, .uint64:
      let key = try walk.read { try UInt64._graphRead($0, kind) }
      return Int(exactly: key).map { .index($0) } ?? .key("\(key)")
    default:
      keyPosition = walk.position
      try walk.skip(kind)
      return .index(index)
    }
  }

  /// As `passKey`, for a record: one of a string or integer alone, as of an enum with raw values, counts as that.
  private mutating func passRecordKey(_ walk: inout PartWalk) throws -> GraphPath.Step {
    let position = walk.position
    let shape = try walk.read { try $0.readShape() }
    if let kind = shape.pointee.wrappedKind, kind.isName { return try passKey(&walk, kind) }
    try walk.move(to: position)
    keyPosition = position
    try walk.skip(.record)
    return .index(index)
  }
}

extension PartList {
  /// Moves the walk to the part that a step leads to.
  ///
  /// - Throws: `keyNotFound`, `valueNotFound` or `typeMismatch` where there is none.
  mutating func move(_ walk: inout PartWalk, to step: GraphPath.Step) throws {
    guard mayHave(step) else { throw noSuchParts(step, walk) }
    if case .packed = contents.form, case .index(let index) = step {
      guard (0..<count).contains(index) else { throw notFound(step, walk) }
      self.index = index
    }
    while let next = try next(&walk) {
      if next == step { return }
      try pass(&walk)
    }
    throw notFound(step, walk)
  }

  /// Whether there could be such a step.
  private func mayHave(_ step: GraphPath.Step) -> Bool {
    switch (contents.form, step) {
    case (.fields, _), (.elements, .index), (.packed, .index), (.packedFields, .index), (.nothing, _): true
    case (.pairs(let keyKind, _, _), .key): keyKind.isName || keyKind == .record
    case (.pairs, .index(_)): true
    default: false
    }
  }

  @inline(never)
  private func noSuchParts(_ step: GraphPath.Step, _ walk: PartWalk) -> GCodableError {
    let part =
      switch step {
      case .key(let key): "key \"\(key)\""
      case .index(let index): "index \(index)"
      }
    return GCodableError(
      .typeMismatch,
      "the archive has a value of kind \(contents.kind), which has no parts to find by \(part)",
      byteOffset: walk.decoder.streamOffset)
  }

  @inline(never)
  private func notFound(_ step: GraphPath.Step, _ walk: PartWalk) -> GCodableError {
    @inline(never)
    func error(_ code: GCodableError.Code, _ message: String) -> GCodableError {
      GCodableError(code, message, byteOffset: walk.decoder.streamOffset)
    }
    switch (contents.form, step) {
    case (.nothing, _): return error(.valueNotFound, "there is nil where a value with parts is asked for")
    case (.pairs, .index(let key)) where keyPosition == nil:
      return error(.keyNotFound, "there is no value for key \(key)")
    case (_, .key(let key)): return error(.keyNotFound, "there is no value for key \"\(key)\"")
    case (.fields, .index(let index)):
      return error(.valueNotFound, "no value \(index) without a key: there are \(unkeyedCount)")
    case (_, .index(let index)):
      return error(.valueNotFound, "no element \(index): there are \(count)")
    }
  }
}

extension PartWalk {
  /// Moves along a path.
  ///
  /// - Throws: `keyNotFound` for a key that is not there, `valueNotFound` for an index that is too high, and for nil on
  ///   the way, `typeMismatch` for a value without such parts; each with the path as far as it went.
  mutating func move(along path: GraphPath) throws {
    for (index, step) in path.steps.enumerated() {
      do {
        var parts = try PartList(&self)
        try parts.move(&self, to: step)
      } catch {
        throw path.steps[..<index].leading(to: error)
      }
    }
  }
}

extension Collection<GraphPath.Step> where Self: BidirectionalCollection {
  /// An error with the steps in front of its path.
  @inline(never)
  func leading(to error: any Error) -> any Error {
    guard var graphError = error as? GCodableError else { return error }
    graphError.keyPath = map(\.errorText) + graphError.keyPath
    graphError.keyPath.shorten(to: GCodableError.maximumKeyPathCount)
    return graphError
  }
}

extension DecoderShape {
  /// The kind of the only field of a record that has no key, as single values have it; nil for other records.
  var wrappedKind: GraphKind? {
    fieldCount == 1 && fields.pointee.keyNumber == 0 && !isOpen && !isClass && !isList
      ? fields.pointee.kind : nil
  }
}

extension GDecoder {
  /// Reads the kind of a field in a tail, and the number of its key plus one.
  fileprivate func readTailField() throws -> (kind: GraphKind, keyNumber: UInt32) {
    let kind = GraphKind(rawValue: try readByte())
    let keyNumber = try readVarint()
    guard kind.isKnown, kind.takesBytes, keyNumber <= UInt64(tables.keys.count) else {
      throw malformed("a field has \(kind) and key \(keyNumber)")
    }
    return (kind, UInt32(keyNumber))
  }
}
