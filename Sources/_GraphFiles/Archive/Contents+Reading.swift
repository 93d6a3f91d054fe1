import _GraphSupport

extension Contents {
  /// Reads contents that lie at `origin` and whose hash has been checked.
  ///
  /// - Throws: `malformed`, for bytes that match their hash but were not written by this package.
  package init(parsing bytes: UnsafeRawBufferPointer, origin: UInt64) throws {
    var parser = unsafe ByteParser(bytes, origin: origin, subject: "the contents")
    let flags = ContentsFlags(rawValue: try parser.byte())
    guard flags.contains(.objects) || !flags.contains(.objectsInOrder) else {
      throw parser.malformed("has flags \(flags.rawValue)")
    }
    var segments = SegmentList()
    if flags.contains(.segments) {
      segments = try SegmentList(&parser, upTo: origin)
    } else {
      try SegmentList.checkEnd(UInt64(ArchiveHeader.byteCount), contentsOffset: origin)
    }
    bulk = segments.bulk
    if flags.contains(.userVersion) { userVersion = try parser.userVersion() }
    if flags.contains(.metadata) { metadata = try Metadata(&parser) }
    if flags.contains(.extensions) { extensions = try ContentsExtensions(&parser) }
    try parseTables(&parser, flags)
    objectsAreInOrder = flags.contains(.objectsInOrder) || !flags.contains(.objects)
    if flags.contains(.objects) {
      objectCount = try parser.varint()
      storedObjectCount = objectsAreInOrder ? objectCount : try parser.varint()
      guard objectCount > 0, storedObjectCount <= objectCount else {
        throw parser.malformed("says \(objectCount) objects, \(storedObjectCount) of them stored")
      }
      objectIndex =
        try unsafe segments.objectIndex.map(BytesOrSegment.segment)
        ?? .embedded(Array(try parser.bytes(parser.count(of: "bytes of the object index"))))
    } else if segments.objectIndex != nil {
      throw parser.malformed("has an object index, but no objects")
    }
    let streamStart = bytes.count - parser.left
    if let segment = segments.graph {
      graph = .segment(segment)
      guard parser.left == 0 else { throw parser.malformed("goes on for \(parser.left) bytes after its end") }
    } else {
      graph = unsafe .embedded(Array(bytes[streamStart...]))
      guard parser.left > 0 else { throw parser.malformed("has no graph stream") }
    }
    guard objectCountsArePlausible else {
      throw parser.malformed("says \(objectCount) objects, which cannot be in the archive")
    }
    guard objectCount <= UInt64(Contents.maximumObjectCount) else {
      throw GCodableError(
        .limitExceeded,
        "the archive has \(objectCount) objects; this package reads up to \(Contents.maximumObjectCount)",
        byteOffset: origin)
    }
    if flags.isSubset(of: .userVersion) { messageTables = unsafe Array(bytes[..<streamStart]) }
  }

  /// Adds what a frame of a stream of messages has: flags, user version, metadata, extensions and tables, up to the end.
  mutating func addTables(_ parser: inout ByteParser) throws {
    let flags = ContentsFlags(rawValue: try parser.byte())
    guard flags.isDisjoint(with: [.segments, .objects, .objectsInOrder]) else {
      throw parser.malformed("has flags \(flags.rawValue), which no tables have")
    }
    if flags.contains(.userVersion) { userVersion = try parser.userVersion() }
    if flags.contains(.metadata) { metadata = try Metadata(&parser) }
    if flags.contains(.extensions) { _ = try ContentsExtensions(&parser) }
    try parseTables(&parser, flags)
    guard parser.left == 0 else { throw parser.malformed("goes on for \(parser.left) bytes after its end") }
  }

  private mutating func parseTables(_ parser: inout ByteParser, _ flags: ContentsFlags) throws {
    for _ in 0..<(try parser.count(of: "keys")) { keys.append(try parser.name("key")) }
    guard Set(keys.map(ByteString.init)).count == keys.count else {
      throw parser.malformed("has a key twice")
    }
    if flags.contains(.classes) {
      for _ in 0..<(try parser.count(of: "classes", atLeast: 3)) { classes.append(try parser.storedClass()) }
    }
    if flags.contains(.layouts) {
      for _ in 0..<(try parser.count(of: "layouts", atLeast: 3)) {
        layouts.append(try parser.layout(keyCount: keys.count))
      }
    }
    var lastKey = lastKeyOfShapes
    for _ in 0..<(try parser.count(of: "shapes", atLeast: 2)) {
      let shape = try parser.shape(keyCount: keys.count, classCount: classes.count, lastKey: lastKey)
      lastKey = shape.fields.reduce(lastKey) { max($0, $1.keyNumber) }
      shapes.append(shape)
    }
  }

  /// Whether stream and index can be those of this number of objects, by their sizes alone: tables are made for all objects,
  /// and compressed, a byte of the archive could otherwise stand for hundreds of them.
  private var objectCountsArePlausible: Bool {
    objectsArePlausible(graph.rawByteCount, objectIndex.rawByteCount)
      && objectsAreInPlace(of: graph.storedByteCount)
  }

  /// The same for a message of a stream, which is stored as it is.
  package func objectCountsArePlausible(stream: Int, index: Int) -> Bool {
    objectCount <= UInt64(Self.maximumObjectCount) && storedObjectCount <= objectCount
      && objectsArePlausible(UInt64(stream), UInt64(index)) && objectsAreInPlace(of: UInt64(stream))
  }

  private func objectsArePlausible(_ stream: UInt64, _ index: UInt64) -> Bool {
    // No object is empty, and the root is in front of them all; other objects have a conditional reference of two bytes.
    guard storedObjectCount == 0 || storedObjectCount < stream,
      objectCount - storedObjectCount <= stream / 2 + 1
    else { return false }
    // A varint for each, two where the order is stored; each has up to 9 bytes.
    let varintCount = storedObjectCount * (objectsAreInOrder ? 1 : 2)
    return (varintCount...(varintCount * 9)).contains(index)
  }

  /// Whether so many stored bytes can be the stream's.
  func objectsAreInPlace(of storedByteCount: UInt64) -> Bool {
    (objectCount + Self.maximumObjectsPerStoredByte - 1) / Self.maximumObjectsPerStoredByte <= storedByteCount
  }

  /// What LZ4 allows.
  ///
  /// The number of each object stands in the stream, as 1 to 5 bytes that are those of no other number. Where they occur
  /// for the first time in a block, they begin with a literal, or a match ends among them. At most 5 numbers can begin
  /// with a literal and 10 before the end of a match, which takes 3 bytes.
  private static let maximumObjectsPerStoredByte: UInt64 = 8
}

/// The segments of an archive by what they hold.
private struct SegmentList {
  var graph: PlacedSegment?
  var bulk: [PlacedSegment] = []
  var objectIndex: PlacedSegment?

  init() {}

  /// Reads the headers of all segments, and finds where these are: in their order, each behind the one before, and the
  /// contents behind the last.
  init(_ parser: inout ByteParser, upTo contentsOffset: UInt64) throws {
    var (end, rawByteCount) = (UInt64(ArchiveHeader.byteCount), UInt64(0))
    for _ in 0..<(try parser.count(of: "segments", atLeast: Segment.fixedByteCount + 20)) {
      let segment = try parser.segment()
      let offset = segment.front.start(behind: end)
      // No overflow: a segment has less than 2^57 bytes, and all before are in the archive.
      let placed = PlacedSegment(segment: segment, offset: offset, paddingByteCount: Int(offset - end))
      rawByteCount += segment.rawByteCount
      guard placed.end <= contentsOffset, rawByteCount <= Segment.maximumRawByteCount else {
        throw GCodableError(
          .malformed, "a segment of \(segment.byteCount) bytes cannot be in the archive", byteOffset: offset)
      }
      guard append(placed) else { throw parser.malformed("has a segment (\(segment.kind)) out of order") }
      end = placed.end
    }
    try Self.checkEnd(end, contentsOffset: contentsOffset)
  }

  /// - Throws: `malformed` where the contents do not begin behind the last segment, or the header.
  static func checkEnd(_ end: UInt64, contentsOffset: UInt64) throws {
    guard end == contentsOffset else {
      throw GCodableError(
        .malformed, "there are bytes in front of the contents that belong to nothing", byteOffset: end)
    }
  }

  /// Adds a segment, unless it is out of order: graph stream, bulk, object index.
  private mutating func append(_ placed: PlacedSegment) -> Bool {
    guard objectIndex == nil else { return false }
    switch placed.segment.kind {
    case .graph:
      guard graph == nil, bulk.isEmpty else { return false }
      graph = placed
    case .bulk: bulk.append(placed)
    case .objectIndex: objectIndex = placed
    }
    return true
  }
}

extension ByteParser {
  fileprivate mutating func userVersion() throws -> UInt16 {
    guard let version = UInt16(exactly: try varint()), version > 0 else {
      throw malformed("has a user version out of range")
    }
    return version
  }

  /// A name, which is hashed and compared.
  ///
  /// - Throws: `malformed` where it has too many combining marks in a row.
  package mutating func name(_ what: String) throws -> String {
    let name = try string()
    guard !CombiningMarks.exceed(CombiningMarks.maximumNameCount, in: name) else {
      throw malformed(
        "has a name of a \(what) with more than \(CombiningMarks.maximumNameCount) combining marks in a row")
    }
    return name
  }

  fileprivate mutating func storedClass() throws -> Contents.StoredClass {
    let mangledName = try name("class")
    let qualifiedName = try name("class")
    guard let version = UInt32(exactly: try varint()) else {
      throw malformed("class \(Quotation(qualifiedName)) has a version of more than 32 bits")
    }
    return .init(mangledName: mangledName, qualifiedName: qualifiedName, version: version)
  }

  fileprivate mutating func layout(keyCount: Int) throws -> Contents.Layout {
    var fields: [Contents.Layout.Field] = []
    for _ in 0..<(try count(of: "fields of a packed struct", atLeast: 2)) {
      let (keyNumber, format) = (try varint(), try packedFormat())
      guard keyNumber <= UInt64(keyCount) else { throw malformed("has a packed field of key \(keyNumber)") }
      fields.append(.init(keyNumber: UInt32(keyNumber), format: format))
    }
    let layout = Contents.Layout(fields: fields)
    let keyNumbers = fields.map(\.keyNumber).filter { $0 != 0 }
    guard !fields.isEmpty, Set(keyNumbers).count == keyNumbers.count,
      layout.elementByteCount <= Segment.maximumElementByteCount
    else { throw malformed("has a layout that no struct can have") }
    return layout
  }

  private mutating func packedFormat() throws -> PackedFormat {
    let number = try varint()
    guard let format = PackedFormat(number: number) else {
      throw malformed("has packed format \(number), which is none")
    }
    return format
  }

  fileprivate mutating func shape(
    keyCount: Int, classCount: Int, lastKey: UInt32
  ) throws -> Contents.Shape {
    let flags = ShapeFlags(rawValue: try byte())
    let classNumber = flags.contains(.classNumber) ? try varint() : 0
    guard flags.isSubset(of: .known), classNumber <= UInt64(classCount),
      flags.contains(.classNumber) == (classNumber != 0)
    else { throw malformed("has a shape of class \(classNumber) with flags \(flags.rawValue)") }
    var shape = Contents.Shape(
      classNumber: UInt32(classNumber), isClass: flags.contains(.isClass), isOpen: flags.contains(.isOpen),
      isBoxed: flags.contains(.isBoxed), isList: flags.contains(.isList), fields: [])
    if flags.contains(.typeName) { shape.typeName = try string() }
    let hasNewKeys = flags.contains(.newKeys)
    let fieldCount = try count(of: "fields", atLeast: hasNewKeys ? 1 : 2)
    shape.fields.reserveCapacity(fieldCount)
    for index in 0..<fieldCount {
      let keyNumber = hasNewKeys ? UInt64(lastKey) + UInt64(index) + 1 : try varint()
      let kind = GraphKind(rawValue: try byte())
      guard keyNumber <= UInt64(keyCount), kind.plain.takesBytes else {
        throw malformed("has a field of key \(keyNumber) and \(kind)")
      }
      shape.fields.append(.init(keyNumber: UInt32(keyNumber), kind: kind))
    }
    let keyNumbers = shape.fields.map(\.keyNumber).filter { $0 != 0 }
    guard Set(keyNumbers).count == keyNumbers.count, shape.isClass || shape.classNumber == 0,
      flags.contains(.typeName) == !shape.typeName.isEmpty, shape.typeName.isEmpty || !shape.isClass,
      !shape.isBoxed || (shape.fields.isEmpty && !shape.isOpen && !shape.isList)
    else { throw malformed("has a shape that no value can have") }
    return shape
  }
}
