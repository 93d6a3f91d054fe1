import _GraphCoding
import _GraphFiles
import _GraphSupport

/// A walk along a path through the graph stream, without any Swift type.
///
/// It stands at a value whose kind is known. Of the root and of each object it comes to, the stream expands no more
/// blocks than the walk needs to go on.
struct PartWalk {
  let decoder: GDecoder
  /// The value that it stands at.
  private(set) var value: Value

  enum Value {
    case stored(GraphKind)
    case packed(PackedPart)
    case row(ArrayPart)
    /// An optional without a value.
    case missing
  }

  private var state: Pinned<DecoderState> { decoder.state }

  /// Begins at the root.
  init(_ decoder: GDecoder) throws {
    self.decoder = decoder
    try decoder.state.pointee.stream.walk(from: 0, to: decoder.tables.rootEnd)
    value = .stored(try decoder.state.pointee.stream.readOuterKind())
  }

  /// Stands at another value, which the cursor has been moved to.
  mutating func stand(at value: Value) { self.value = value }

  /// Where the walk stands, to come back to.
  struct Position {
    fileprivate let value: Value
    fileprivate let mark: GraphCursor.Mark
  }

  var position: Position { Position(value: value, mark: state.pointee.cursor.mark) }

  @inline(never)
  mutating func move(to position: Position) throws {
    value = position.value
    try state.pointee.cursor.move(to: position.mark)
  }

  /// The next part of the value whose parts come next; nil behind the last one.
  func nextPart() throws -> GraphCursor.Part? {
    state.pointee.stream.expansionByteCount = 0
    return try state.pointee.cursor.next()
  }

  /// Moves to the overflow fields of a record, whose other fields have been skipped.
  func overflowFieldCount() throws -> Int { try state.pointee.cursor.beginOverflow() }

  /// Moves past the current value.
  func pass() throws {
    if case .stored(let kind) = value { try state.pointee.cursor.skip(kind) }
  }

  /// What the user says of a value that the walk has moved into.
  ///
  /// - Throws: `malformed` where attributes cannot be read.
  func attributes(of contents: Contents) throws -> GAttributes {
    contents.offset == 0 ? GAttributes() : try decoder.tables.attributes()[contents.offset]
  }

  /// Whether it stands at the array of an entry of a directory.
  mutating func isAtArray(_ entry: ArrayDirectory.Entry) throws -> Bool {
    let contents = try contents()
    guard contents.kind.rawValue == entry.value[0], contents.offset == entry.offset else { return false }
    let range = Int(entry.offset)..<(Int(entry.offset) + entry.value.count - 1)
    return unsafe decoder.streamOffset == UInt64(range.upperBound)
      && decoder.tables.streamBytes[range].elementsEqual(entry.value.dropFirst())
  }

  // MARK: What a value holds

  /// A value without the optionals, references and boxes around it.
  struct Contents {
    var form: Form
    /// What it is stored as.
    var kind: GraphKind
    var objectNumber: UInt32?
    /// Whether the first reference on the way is conditional.
    var isConditional = false
    /// The number of its class plus one; 0 for none.
    var classNumber: UInt32 = 0
    /// Where it begins in the stream, behind its kind; 0 where it is a part of an array.
    var offset: UInt64 = 0
  }

  enum Form {
    /// Fields, which come next.
    case fields(Pinned<DecoderShape>)
    /// Elements of a kind, which come next.
    case elements(GraphKind, count: Int)
    /// Pairs of a key and a value, which come next.
    case pairs(GraphKind, GraphKind, count: Int)
    case packed(PackedElements)
    /// Arrays of a nested array, or those of their elements that a path has led to.
    case rows(ArrayPart)
    /// A string among others.
    case text(ArrayPart)
    /// Packed elements of which some are missing.
    case optionals(PackedOptionals, PackedOptionals.Presence)
    /// A struct in a packed array.
    case packedFields(PackedPart)
    case single(GraphLeaf)
    /// A number, or a vector of them, in a packed array.
    case packedSingle(PackedPart)
    /// nil, a field that was left out, or a reference to what is not in the archive.
    case nothing
  }

  /// Finds out what the value holds, and moves into it.
  mutating func contents() throws -> Contents {
    if case .row(let part) = value {
      return Contents(form: part.isString ? .text(part) : .rows(part), kind: part.kind)
    }
    guard case .stored(let first) = value else { return packedContents }
    var contents = Contents(form: .nothing, kind: first)
    var jumpCount: UInt64 = 0
    while true {
      contents.kind = try state.pointee.stream.readTagged(contents.kind)
      var record: Pinned<DecoderShape>?
      contents.offset = decoder.streamOffset
      switch try state.pointee.cursor.read(contents.kind) {
      case .null:
        contents.offset = 0  // It takes no bytes: another value begins there.
        return contents
      case .reference(let number, let kind):
        if kind == .reference { try decoder.checkIsStored(number) }
        jumpCount += 1
        guard jumpCount <= state.pointee.stream.objectCount else {
          throw decoder.malformed("objects are boxes of each other")
        }
        if contents.objectNumber == nil {
          (contents.objectNumber, contents.isConditional) = (number, kind == .conditional)
        }
        guard state.pointee.objects[Int(number)].offset != ObjectSlot.notStored else { return contents }
        record = try state.pointee.cursor.enter(object: number)
        contents.offset = state.pointee.objects[Int(number)].offset
        contents.kind = .record
      case .record(let shape): record = shape
      case .list(let kind, let count): contents.form = .elements(kind, count: count)
      case .pairs(let first, let second, let count): contents.form = .pairs(first, second, count: count)
      case .packed(let elements):
        try decoder.noteMention(of: elements)
        contents.form = .packed(elements)
      case .nested(let array):
        try decoder.noteMention(of: array.elements)
        contents.form = .rows(ArrayPart(array))
      case .optionals(let optionals):
        try decoder.noteMention(of: optionals.presence)
        try decoder.noteMention(of: optionals.array.elements)
        contents.form = .optionals(optionals, try optionals.presence(decoder))
      case .leaf(let leaf): contents.form = .single(leaf)
      }
      guard let shape = record else { return contents }
      if shape.pointee.isClass { contents.classNumber = shape.pointee.classNumber }
      guard shape.pointee.isBoxed, let boxed = try state.pointee.cursor.next() else {
        contents.form = .fields(shape)
        return contents
      }
      contents.kind = boxed.kind
    }
  }

  private var packedContents: Contents {
    guard case .packed(let part) = value else { return Contents(form: .nothing, kind: .null) }
    return part.isStruct
      ? Contents(form: .packedFields(part), kind: .record)
      : Contents(form: .packedSingle(part), kind: .fixed)
  }

  /// Reads the string or integer that the value is; nil where it is something else.
  ///
  /// A record of a string or integer alone, as of an enum with raw values, counts as that.
  mutating func name() throws -> GraphPath.Step? {
    guard case .stored(let kind) = value else { return nil }
    let position = position
    if kind.isName || kind == .record {
      switch try state.pointee.cursor.read(kind) {
      case .leaf(let leaf): if let name = try name(of: leaf) { return name }
      case .record(let shape):
        if let inner = shape.pointee.wrappedKind, inner.isName, let part = try state.pointee.cursor.next(),
          case .leaf(let leaf) = try state.pointee.cursor.read(part.kind), let name = try name(of: leaf),
          try state.pointee.cursor.next() == nil
        {
          return name
        }
      default: break
      }
    }
    try move(to: position)
    return nil
  }

  private func name(of leaf: GraphLeaf) throws -> GraphPath.Step? {
    if case .string(let bytes) = leaf, leaf.name == nil {
      throw decoder.invalidValue(String.self, "\(bytes.count) bytes are not valid UTF-8")
    }
    return leaf.name
  }
}

extension GDecoder {
  /// Runs `body` with a walk that begins at the root.
  func withWalk<Result>(_ body: (inout PartWalk) throws -> Result) throws -> Result {
    let base = state.pointee.cursor.levelCount
    defer {
      state.pointee.cursor.leave(to: base)
      state.pointee.stream.endWalk()
    }
    var walk = try PartWalk(self)
    return try body(&walk)
  }
}
