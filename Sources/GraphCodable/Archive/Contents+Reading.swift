extension Contents {
  /// Reads contents that lie at `origin` and whose hash has been checked.
  ///
  /// - Throws: `malformed`, for bytes that match their hash but were not written by this package.
  init(parsing bytes: UnsafeRawBufferPointer, origin: UInt64) throws {
    var parser = ByteParser(bytes, origin: origin, subject: "the contents")
    let flags = ContentsFlags(rawValue: try parser.byte())
    guard flags.isSubset(of: .known), flags.contains(.objects) || flags.isDisjoint(with: .aboutObjects) else {
      throw parser.malformed("has flags \(flags.rawValue)")
    }
    let tablesStart = bytes.count - parser.left
    try parseTables(&parser, hasClasses: flags.contains(.classes))
    if flags.isEmpty { messageTables = Array(bytes[tablesStart..<(bytes.count - parser.left)]) }
    objectsAreInOrder = flags.contains(.objectsInOrder) || !flags.contains(.objects)
    if flags.contains(.objects) {
      objectCount = try parser.varint()
      storedObjectCount = objectsAreInOrder ? objectCount : try parser.varint()
      guard objectCount > 0, objectCount <= UInt64(ObjectList.maximumCount), storedObjectCount <= objectCount
      else {
        throw parser.malformed("says \(objectCount) objects, \(storedObjectCount) of them stored")
      }
      objectIndex =
        flags.contains(.objectIndexInSegment)
        ? .segment(try parser.entry())
        : .embedded(Array(try parser.bytes(parser.count(of: "bytes of the object index"))))
    }
    if flags.contains(.bulk) {
      for _ in 0..<(try parser.count(of: "bulk segments", atLeast: 10)) { bulk.append(try parser.entry()) }
    }
    graph =
      flags.contains(.graphInSegment)
      ? .segment(try parser.entry()) : .embedded(Array(try parser.bytes(parser.left)))
    try layOut(upTo: origin)
    guard objectCountsArePlausible else {
      throw parser.malformed("says \(objectCount) objects, for which the rest of the archive is too small")
    }
    guard parser.left == 0 else { throw parser.malformed("goes on for \(parser.left) bytes after its end") }
  }
}

extension Contents {
  private mutating func parseTables(_ parser: inout ByteParser, hasClasses: Bool) throws {
    for _ in 0..<(try parser.count(of: "keys")) { keys.append(try parser.string()) }
    guard Set(keys).count == keys.count else { throw parser.malformed("has a key twice") }
    if hasClasses {
      for _ in 0..<(try parser.count(of: "classes", atLeast: 3)) { classes.append(try parser.storedClass()) }
    }
    var lastKey: UInt32 = 0
    for _ in 0..<(try parser.count(of: "shapes", atLeast: 2)) {
      let shape = try parser.shape(keyCount: keys.count, classCount: classes.count, lastKey: lastKey)
      lastKey = shape.fields.reduce(lastKey) { max($0, $1.keyNumber) }
      shapes.append(shape)
    }
  }

  /// Whether stream and index can be those of so many objects, by their sizes alone: tables are made for all objects,
  /// and compressed, a byte of the archive could otherwise stand for hundreds of them.
  private var objectCountsArePlausible: Bool {
    let (stream, index) = (graph.rawByteCount, objectIndex.rawByteCount)
    // No object is empty, and the root is in front of them all; other objects have a conditional reference of two bytes.
    guard storedObjectCount == 0 || storedObjectCount < stream,
      objectCount - storedObjectCount <= stream / 2 + 1,
      objectCount / Self.maximumObjectsPerStoredByte <= graph.storedByteCount
    else { return false }
    // A varint for each, two where the order is stored; each has up to 9 bytes.
    let varintCount = storedObjectCount * (objectsAreInOrder ? 1 : 2)
    return (varintCount...(varintCount * 9)).contains(index)
  }

  /// What LZ4 allows.
  ///
  /// The number of each object stands in the stream, as 1 to 5 bytes that are those of no other number. Where they occur
  /// for the first time in a block, they begin with a literal, or a match ends among them. At most 5 numbers can begin
  /// with a literal and 10 before the end of a match, which takes 3 bytes.
  private static let maximumObjectsPerStoredByte: UInt64 = 8

  /// What all segments may have before compression: 2^56 bytes, more than a process can have in memory.
  private static var maximumRawByteCount: UInt64 { 1 << 56 }

  /// Finds where the segments are: one behind the other, from the header to the contents.
  private mutating func layOut(upTo contentsOffset: UInt64) throws {
    var offset = UInt64(ArchiveHeader.byteCount)
    var rawByteCount: UInt64 = 0
    func placed(_ entry: SegmentEntry) throws -> SegmentEntry {
      var entry = entry
      entry.offset = offset
      let (end, overflow) = offset.addingReportingOverflow(entry.byteCount)
      // A segment of no bytes would not have been written; one cannot expand more than its blocks can.
      guard !overflow, end <= contentsOffset, entry.rawByteCount > 0,
        entry.rawByteCount / Segment.maximumExpansion <= entry.byteCount,
        entry.rawByteCount <= Self.maximumRawByteCount - rawByteCount
      else {
        throw GCodableError(
          .malformed,
          "a segment of \(entry.byteCount) bytes, \(entry.rawByteCount) expanded, cannot be in the archive",
          byteOffset: offset)
      }
      offset = end
      rawByteCount += entry.rawByteCount
      return entry
    }
    if case .segment(let entry) = graph { graph = .segment(try placed(entry)) }
    bulk = try bulk.map(placed)
    if case .segment(let entry) = objectIndex { objectIndex = .segment(try placed(entry)) }
    guard offset == contentsOffset else {
      throw GCodableError(
        .malformed, "there are bytes in front of the contents that belong to nothing", byteOffset: offset)
    }
  }
}

extension ByteParser {
  fileprivate mutating func storedClass() throws -> Contents.StoredClass {
    let mangledName = try string()
    let qualifiedName = try string()
    guard let version = UInt32(exactly: try varint()) else {
      throw malformed("class \(qualifiedName) has a version of more than 32 bits")
    }
    return .init(mangledName: mangledName, qualifiedName: qualifiedName, version: version)
  }

  fileprivate mutating func entry() throws -> SegmentEntry {
    // The offset follows from the entries before, in the order of the archive.
    SegmentEntry(offset: 0, byteCount: try varint(), rawByteCount: try varint(), hash: try fixed64())
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
    let hasNewKeys = flags.contains(.newKeys)
    let fieldCount = try count(of: "fields", atLeast: hasNewKeys ? 1 : 2)
    shape.fields.reserveCapacity(fieldCount)
    for index in 0..<fieldCount {
      let keyNumber = hasNewKeys ? UInt64(lastKey) + UInt64(index) + 1 : try varint()
      let kind = GraphKind(rawValue: try byte())
      guard keyNumber <= UInt64(keyCount), kind.isKnown, kind.takesBytes else {
        throw malformed("has a field of key \(keyNumber) and \(kind)")
      }
      shape.fields.append(.init(keyNumber: UInt32(keyNumber), kind: kind))
    }
    let keyNumbers = shape.fields.map(\.keyNumber).filter { $0 != 0 }
    guard Set(keyNumbers).count == keyNumbers.count, shape.isClass || shape.classNumber == 0,
      !shape.isBoxed || (shape.fields.isEmpty && !shape.isOpen && !shape.isList)
    else { throw malformed("has a shape that no value can have") }
    return shape
  }
}
