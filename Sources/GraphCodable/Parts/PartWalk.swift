import CGraphArchive

/// A walk along a path through the graph stream, by kinds and shapes alone.
///
/// It stands at a value: its kind is known, and the cursor of the decoder is behind that. Of the root and of each object
/// it comes to it expands no more blocks than it needs to go on: it moves as if the stream ended with the blocks that
/// are there, and where it comes to that end it goes back and tries again with more of them.
struct PartWalk {
  let decoder: GDecoder
  /// The value that it stands at.
  private(set) var value: Value
  /// Where the object ends that the value lies in, or the root.
  private var objectEnd: UInt64
  /// How far the stream has been expanded from the cursor on.
  private var expandedEnd: UInt64 = 0

  enum Value {
    case stored(GraphKind)
    case packed(PackedPart)
  }

  private var state: UnsafeMutablePointer<DecoderState> { decoder.state }

  /// Begins at the root.
  init(_ decoder: GDecoder) throws {
    self.decoder = decoder
    value = .stored(.null)
    objectEnd = decoder.tables.rootEnd
    state.pointee.input.cursor = state.pointee.input.base
    // Not 0, so that `skip` does not keep the end of each value.
    state.pointee.frame.depth = 1
    try move(to: 0, objectEnd: objectEnd)
    value = .stored(try readKind())
  }

  /// Stands at another value, which the cursor has been moved to.
  mutating func stand(at value: Value) { self.value = value }

  // MARK: The stream

  /// Where the walk stands, to come back to.
  struct Position {
    fileprivate let value: Value
    fileprivate let offset: UInt64
    fileprivate let objectEnd: UInt64
  }

  var position: Position {
    Position(value: value, offset: decoder.streamOffset, objectEnd: objectEnd)
  }

  mutating func move(to position: Position) throws {
    value = position.value
    try move(to: position.offset, objectEnd: position.objectEnd)
  }

  private mutating func move(to offset: UInt64, objectEnd: UInt64) throws {
    state.pointee.input.cursor = state.pointee.input.base + Int(offset)
    self.objectEnd = objectEnd
    try expand(offset..<min(offset + 1, objectEnd))
  }

  /// - Parameter wishedEnd: how far it may go on where the blocks are sound.
  private mutating func expand(_ range: Range<UInt64>, wishedEnd: UInt64 = 0) throws {
    let end = try decoder.tables.partial?.expand(range, wishedEnd: wishedEnd) ?? objectEnd
    expandedEnd = min(end, objectEnd)
    gca_reader_set_count(&state.pointee.input, Int(expandedEnd))
  }

  /// Runs `body`, which moves on inside the object, with as much of it as it needs.
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func read<Result>(_ body: (GDecoder) throws -> Result) throws -> Result {
    let start = decoder.streamOffset
    var byteCount: UInt64 = 0
    while true {
      do { return try body(decoder) } catch let error as GCodableError {
        guard error.code == .malformed, expandedEnd < objectEnd else { throw error }
      }
      // One block more, then twice as much each time: all attempts together take no longer than some of the last.
      state.pointee.input.cursor = state.pointee.input.base + Int(start)
      try expand(start..<(expandedEnd + 1), wishedEnd: min(objectEnd, start + byteCount))
      byteCount = 2 * (expandedEnd - start)
    }
  }

  private mutating func readKind() throws -> GraphKind { GraphKind(rawValue: try read { try $0.readByte() }) }

  /// Moves behind a value of a kind.
  mutating func skip(_ kind: GraphKind) throws { try read { try $0.skip(kind) } }

  // MARK: What a value holds

  /// A value without the optionals, references and boxes around it.
  struct Contents {
    var form: Form
    /// What it is stored as.
    var kind: GraphKind
    var objectNumber: UInt32?
    /// The number of its class plus one; 0 for none.
    var classNumber: UInt32 = 0
  }

  enum Form {
    /// Fields, the first of which is at the cursor.
    case fields(UnsafeMutablePointer<DecoderShape>)
    /// Elements of a kind, the first of which is at the cursor.
    case elements(GraphKind, count: Int)
    /// Pairs of a key and a value, the first of which is at the cursor.
    case pairs(GraphKind, GraphKind, count: Int)
    case packed(PackedArray)
    /// A struct in a packed array.
    case packedFields(PackedPart)
    /// A value without parts; the cursor is in front of it.
    case single
    /// A number, or a vector of them, in a packed array.
    case packedSingle(PackedPart)
    /// nil, a field that was left out, or a reference to what is not in the archive.
    case nothing
  }

  /// Finds out what the value holds, and moves into it.
  mutating func contents() throws -> Contents {
    guard case .stored(let first) = value else { return packedContents }
    var contents = Contents(form: .nothing, kind: first)
    var jumpCount: UInt64 = 0
    while true {
      switch contents.kind {
      case .tagged: contents.kind = try readKind()
      case .null, .absent: return contents
      case .reference, .conditional:
        guard try enterObject(&contents, &jumpCount) else { return contents }
        contents.kind = .record
      case .record:
        let shape = try read { try $0.readShape() }
        if shape.pointee.isClass { contents.classNumber = shape.pointee.classNumber }
        guard shape.pointee.isBoxed else {
          contents.form = .fields(shape)
          return contents
        }
        contents.kind = try readKind()
      case .array, .set, .dictionary:
        contents.form = try readContainer(contents.kind)
        return contents
      case .packed, .packedStructs:
        let kind = contents.kind
        contents.form = .packed(try read { try $0.readPackedArray(kind) })
        return contents
      default:
        guard contents.kind.isKnown else { throw decoder.malformed("\(contents.kind) is not known") }
        contents.form = .single
        return contents
      }
    }
  }

  private var packedContents: Contents {
    guard case .packed(let part) = value else { return Contents(form: .nothing, kind: .null) }
    return part.isStruct
      ? Contents(form: .packedFields(part), kind: .record)
      : Contents(form: .packedSingle(part), kind: .fixed)
  }

  /// Moves to the object whose number is at the cursor; false where it is not in the archive.
  private mutating func enterObject(_ contents: inout Contents, _ jumpCount: inout UInt64) throws -> Bool {
    let number = try read { try $0.takeVarint() }
    guard number < state.pointee.objectCount else {
      throw decoder.malformed("object \(number) is not in the table")
    }
    jumpCount += 1
    guard jumpCount <= state.pointee.objectCount else {
      throw decoder.malformed("objects are boxes of each other")
    }
    let object = UInt32(number)
    if contents.objectNumber == nil { contents.objectNumber = object }
    let offset = state.pointee.objects[Int(object)].offset
    guard offset != ObjectSlot.notStored else { return false }
    try move(to: offset, objectEnd: decoder.tables.end(ofObject: object))
    return true
  }

  private mutating func readContainer(_ kind: GraphKind) throws -> Form {
    let first = try readKind()
    guard kind == .dictionary else { return .elements(first, count: try readCount(of: first)) }
    let second = try readKind()
    return .pairs(first, second, count: try readCount(of: first.takesBytes ? second : first, perElement: 2))
  }

  /// As `GDecoder.readCount`, for a container of which not all needs to be expanded.
  private mutating func readCount(of kind: GraphKind, perElement: Int = 1) throws -> Int {
    let count = try read { try $0.readVarint() }
    return try decoder.checkedCount(
      count, of: kind, perElement: perElement, left: objectEnd - decoder.streamOffset)
  }
}

extension GDecoder {
  /// Runs `body` with a walk that begins at the root.
  func withWalk<Result>(_ body: (inout PartWalk) throws -> Result) throws -> Result {
    state.pointee.takeStack()  // The thread may be another one than last time.
    // All of the stream is there for others.
    defer {
      gca_reader_set_count(&state.pointee.input, tables.streamBytes.count)
      state.pointee.frame.depth = 0
    }
    var walk = try PartWalk(self)
    return try body(&walk)
  }
}
