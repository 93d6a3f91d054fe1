import _GraphCoding
import _GraphFiles
import _GraphSupport

/// Reads all of a graph without Swift types, and checks whatever can be checked without them.
///
/// Typed reading, parts and dump check what they read by the same primitives. So a graph that passes is refused by them
/// for its meaning alone, such as a missing key, and one that they refuse for its form does not pass.
package struct GraphCheck {
  private let reader: ArchiveReader
  private let decoder: GDecoder
  /// The object that is the only content of another, by the number of that.
  private var boxed: [UInt32: UInt32] = [:]
  private var attributes: AttributeCheck

  /// - Throws: as `ArchiveReader.bytes(of:)`, `malformed` for an object index that is none.
  package init(_ reader: ArchiveReader) throws {
    self.reader = reader
    let classes = ClassResolver(reader.contents.classes, chosen: [:])
    decoder = GDecoder(try DecoderTables(reader, classes: classes), userInfo: nil)
    attributes = try AttributeCheck(reader.contents)
  }

  /// - Throws: `malformed` with the offset in the graph stream; `damaged`.
  /// - Complexity: O(n) in the size of the graph stream, and of the arrays of `Bool`.
  package mutating func run() throws {
    try value(try stream { try $0.readOuterKind() })
    try parts()
    try decoder.checkRootEnd()
    for number in 0..<UInt32(decoder.tables.objectCount) where isStored(number) { try object(number) }
    try checkBoxes()
    try attributes.checkEnd()
  }

  private func stream<Result>(_ body: (inout GraphStream) throws -> Result) rethrows -> Result {
    try body(&decoder.state.pointee.stream)
  }

  private var cursor: GraphCursor {
    get { decoder.state.pointee.cursor }
    nonmutating _modify { yield &decoder.state.pointee.cursor }
  }

  private func isStored(_ number: UInt32) -> Bool { decoder.isStored(number) }

  private mutating func object(_ number: UInt32) throws {
    let shape = try cursor.enter(object: number)
    if !attributes.isEmpty { attributes.note(decoder.state.pointee.objects[Int(number)].offset) }
    var box = shape
    while box.pointee.isBoxed, let content = try cursor.next() {
      let event = try value(content.kind)
      if case .reference(let target, _) = event, isStored(target) { boxed[number] = target }
      // A box may stand in a box.
      guard case .record(let inner) = event else { break }
      box = inner
    }
    try parts()
  }

  /// The parts of what has been begun, until all of it has ended.
  private mutating func parts() throws {
    while cursor.levelCount > 0 {
      if let part = try cursor.next() { try value(part.kind) }
    }
  }

  @discardableResult
  private mutating func value(_ kind: GraphKind) throws -> GraphCursor.Event {
    let event = attributes.isEmpty ? try cursor.read(kind) : try noted(kind)
    switch event {
    case .reference(let number, .reference): try decoder.checkIsStored(number)
    case .leaf(.string(let bytes)):
      guard unsafe String(validatingUTF8Bytes: bytes) != nil else {
        throw decoder.invalidValue(String.self, "\(bytes.count) bytes are not valid UTF-8")
      }
    case .packed(let elements): try check(elements)
    case .nested(let array): try check(array)
    case .optionals(let optionals):
      try check(optionals.presence)
      if try canExpand(optionals.presence) { _ = try optionals.presence(decoder) }
      try check(optionals.array)
    default: break
    }
    return event
  }

  /// Reads a value, and crosses out its attributes.
  private mutating func noted(_ kind: GraphKind) throws -> GraphCursor.Event {
    let kind = try stream { try $0.readTagged(kind) }
    let start = decoder.streamOffset
    let event = try cursor.read(kind)
    if event.mayHaveAttributes { attributes.note(start) }
    return event
  }

  private func check(_ array: NestedArray) throws {
    try check(array.elements)
    if let texts = PackedTexts(array), try canExpand(array.elements) { try texts.check(decoder) }
  }

  /// Whether this version knows what the elements are stored by.
  private func canExpand(_ elements: PackedElements) throws -> Bool {
    try decoder.openSegment(of: elements)?.segment.unknown == nil
  }

  private func check(_ elements: PackedElements) throws {
    try decoder.noteMention(of: elements)
    guard !elements.boolRanges.isEmpty else { return }
    guard let open = try decoder.openSegment(of: elements) else {
      return try unsafe decoder.withBytes(0..<elements.byteCount, of: elements) { _ in }
    }
    guard open.segment.unknown == nil else { return }
    // Whole blocks, each expanded once, since an array may be larger than the memory. Forged ones may have a byte.
    let blockByteCount = open.segment.blockByteCount
    let pieceByteCount = max(Segment.maximumBlockByteCount / blockByteCount, 1) * blockByteCount
    for start in stride(from: 0, to: elements.byteCount, by: pieceByteCount) {
      let range = start..<min(start + pieceByteCount, elements.byteCount)
      try unsafe decoder.withBytes(range, of: elements, in: open) { _ in }
    }
  }

  /// Objects that are nothing but boxes of each other have no value.
  private func checkBoxes() throws {
    var isKnown: Set<UInt32> = []
    for start in boxed.keys where !isKnown.contains(start) {
      var (number, way) = (start, Set<UInt32>())
      while let next = boxed[number], !isKnown.contains(number) {
        guard way.insert(number).inserted else { throw decoder.malformed("objects are boxes of each other") }
        number = next
      }
      isKnown.formUnion(way)
    }
  }
}
