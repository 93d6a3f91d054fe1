import CGraphArchive

/// The tables at the end of an archive: all that is needed to read the graph stream without Swift types.
struct Contents {
  var keys: [String] = []
  var classes: [StoredClass] = []
  var shapes: [Shape] = []
  /// The graph stream, here where it is short, else in a segment of its own.
  var graph: Place = .embedded([])
  /// Objects that have numbers, including those that only conditional references lead to.
  var objectCount: UInt64 = 0
  /// Objects that are in the archive.
  var storedObjectCount: UInt64 = 0
  /// Whether object `n` is the n-th in the stream, so that the index holds offsets alone.
  var objectsAreInOrder = true
  /// See `ObjectIndex`.
  var objectIndex: Place = .embedded([])
  var bulk: [SegmentEntry] = []

  /// Bytes that are either here or in a segment.
  enum Place {
    case embedded([UInt8])
    case segment(SegmentEntry)

    /// Shorter ones stand in the contents: a segment of their own would cost more than it saves.
    static let maximumEmbeddedByteCount = 1024

    /// Bytes before compression.
    var rawByteCount: UInt64 {
      switch self {
      case .embedded(let bytes): UInt64(bytes.count)
      case .segment(let entry): entry.rawByteCount
      }
    }
  }

  /// Bytes of graph stream, object index and bulk segments before compression.
  ///
  /// No overflow: a raw byte count is at most 255 times the bytes of its segment, which are in the archive.
  var rawByteCount: UInt64 {
    bulk.reduce(graph.rawByteCount + objectIndex.rawByteCount) { $0 + $1.rawByteCount }
  }

  struct StoredClass: Equatable {
    var mangledName: String
    var qualifiedName: String
    var version: UInt32
  }

  /// The fields of a record, in order.
  struct Shape: Equatable {
    /// Number of the class plus one; 0 where none is stored.
    var classNumber: UInt32
    /// The value is a reference type.
    var isClass = false
    /// More fields follow the fixed ones, each with its key and kind.
    var isOpen = false
    /// Not fields but one value, its kind in front.
    var isBoxed = false
    var fields: [Field]

    struct Field: Equatable {
      /// Number of the key plus one; 0 for a field without a key.
      var keyNumber: UInt32
      var kind: GraphKind
    }

    var flags: UInt8 { (isClass ? 1 : 0) | (isOpen ? 2 : 0) | (isBoxed ? 4 : 0) }
  }
}

// MARK: - Writing

extension Contents {
  var bytes: [UInt8] {
    var builder = ByteBuilder()
    builder.place(graph)
    builder.varint(UInt64(keys.count))
    for key in keys { builder.string(key) }
    builder.varint(UInt64(classes.count))
    for stored in classes {
      builder.string(stored.mangledName)
      builder.string(stored.qualifiedName)
      builder.varint(UInt64(stored.version))
    }
    builder.varint(UInt64(shapes.count))
    for shape in shapes {
      builder.varint(UInt64(shape.classNumber))
      builder.byte(shape.flags)
      builder.varint(UInt64(shape.fields.count))
      for field in shape.fields {
        builder.varint(UInt64(field.keyNumber))
        builder.byte(field.kind.rawValue)
      }
    }
    builder.varint(objectCount)
    builder.varint(storedObjectCount)
    builder.byte(objectsAreInOrder ? 1 : 0)
    builder.place(objectIndex)
    builder.varint(UInt64(bulk.count))
    for entry in bulk { builder.entry(entry) }
    return builder.bytes
  }
}

extension ByteBuilder {
  fileprivate mutating func place(_ place: Contents.Place) {
    switch place {
    case .embedded(let bytes):
      byte(0)
      varint(UInt64(bytes.count))
      bytes.withUnsafeBytes { append($0) }
    case .segment(let entry):
      byte(1)
      self.entry(entry)
    }
  }

  fileprivate mutating func entry(_ entry: SegmentEntry) {
    varint(entry.byteCount)
    varint(entry.rawByteCount)
    fixed(entry.hash)
  }
}

// MARK: - Reading

extension Contents {
  /// Reads contents that lie at `origin` and whose hash has been checked.
  ///
  /// - Throws: `malformed`, for bytes that match their hash but were not written by this package.
  init(parsing bytes: UnsafeRawBufferPointer, origin: UInt64) throws {
    var parser = ByteParser(bytes, origin: origin, subject: "the contents")
    graph = try parser.place()
    for _ in 0..<(try parser.count(of: "keys")) { keys.append(try parser.string()) }
    guard Set(keys).count == keys.count else { throw parser.malformed("has a key twice") }
    for _ in 0..<(try parser.count(of: "classes", atLeast: 3)) {
      let mangledName = try parser.string()
      let qualifiedName = try parser.string()
      guard let version = UInt32(exactly: try parser.varint()) else {
        throw parser.malformed("class \(qualifiedName) has a version of more than 32 bits")
      }
      classes.append(
        StoredClass(mangledName: mangledName, qualifiedName: qualifiedName, version: version))
    }
    for _ in 0..<(try parser.count(of: "shapes", atLeast: 3)) {
      shapes.append(try parser.shape(keyCount: keys.count, classCount: classes.count))
    }
    objectCount = try parser.varint()
    storedObjectCount = try parser.varint()
    guard objectCount <= UInt64(ObjectList.maximumCount), storedObjectCount <= objectCount else {
      throw parser.malformed("says \(objectCount) objects, \(storedObjectCount) of them stored")
    }
    objectsAreInOrder = try parser.flag("object order")
    objectIndex = try parser.place()
    for _ in 0..<(try parser.count(of: "bulk segments", atLeast: 10)) { bulk.append(try parser.entry()) }
    try layOut(upTo: origin)
    guard parser.left == 0 else { throw parser.malformed("goes on for \(parser.left) bytes after its end") }
  }
}

extension Contents {
  /// Finds where the segments are: one behind the other, from the header to the contents.
  private mutating func layOut(upTo contentsOffset: UInt64) throws {
    var offset = UInt64(ArchiveHeader.byteCount)
    func placed(_ entry: SegmentEntry) throws -> SegmentEntry {
      var entry = entry
      entry.offset = offset
      let (end, overflow) = offset.addingReportingOverflow(entry.byteCount)
      // A segment of no bytes would not have been written; one cannot expand more than its blocks can.
      guard !overflow, end <= contentsOffset, entry.rawByteCount > 0,
        entry.rawByteCount / Segment.maximumExpansion <= entry.byteCount
      else {
        throw GCodableError(
          .malformed,
          "a segment of \(entry.byteCount) bytes, \(entry.rawByteCount) expanded, cannot be in the archive",
          byteOffset: offset)
      }
      offset = end
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
  fileprivate mutating func flag(_ name: String) throws -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw malformed("has \(byte) as its \(name)") }
    return byte == 1
  }

  fileprivate mutating func place() throws -> Contents.Place {
    if try flag("place") { return .segment(try entry()) }
    return .embedded(Array(try bytes(count(of: "embedded bytes"))))
  }

  fileprivate mutating func entry() throws -> SegmentEntry {
    // The offset follows from the entries before, in the order of the archive.
    SegmentEntry(offset: 0, byteCount: try varint(), rawByteCount: try varint(), hash: try fixed64())
  }

  fileprivate mutating func shape(keyCount: Int, classCount: Int) throws -> Contents.Shape {
    let classNumber = try varint()
    let flags = try byte()
    guard classNumber <= UInt64(classCount), flags < 8 else {
      throw malformed("has a shape of class \(classNumber) with flags \(flags)")
    }
    var shape = Contents.Shape(
      classNumber: UInt32(classNumber), isClass: flags & 1 != 0, isOpen: flags & 2 != 0,
      isBoxed: flags & 4 != 0, fields: [])
    let fieldCount = try count(of: "fields", atLeast: 2)
    shape.fields.reserveCapacity(fieldCount)
    for _ in 0..<fieldCount {
      let keyNumber = try varint()
      let kind = GraphKind(rawValue: try byte())
      guard keyNumber <= UInt64(keyCount), kind.isKnown, kind.takesBytes else {
        throw malformed("has a field of key \(keyNumber) and \(kind)")
      }
      shape.fields.append(.init(keyNumber: UInt32(keyNumber), kind: kind))
    }
    let keyNumbers = shape.fields.map(\.keyNumber).filter { $0 != 0 }
    guard Set(keyNumbers).count == keyNumbers.count, shape.isClass || shape.classNumber == 0,
      !shape.isBoxed || (shape.fields.isEmpty && !shape.isOpen)
    else { throw malformed("has a shape that no value can have") }
    return shape
  }
}
