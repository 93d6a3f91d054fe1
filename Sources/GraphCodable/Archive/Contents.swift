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
  /// The tables as they were read, where there is nothing else but a short graph stream: see `GDecoder.reuse`.
  var messageTables: [UInt8] = []

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

    /// Bytes in the archive.
    var storedByteCount: UInt64 {
      switch self {
      case .embedded(let bytes): UInt64(bytes.count)
      case .segment(let entry): entry.byteCount
      }
    }
  }

  /// Bytes of graph stream, object index and bulk segments before compression.
  ///
  /// No overflow: `layOut` has refused more than `maximumRawByteCount`.
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
    /// The fields without keys are the elements of a list, however many there are.
    var isList = false
    var fields: [Field]

    struct Field: Equatable {
      /// Number of the key plus one; 0 for a field without a key.
      var keyNumber: UInt32
      var kind: GraphKind
    }
  }
}

/// What the contents have, in their first byte.
struct ContentsFlags: OptionSet {
  let rawValue: UInt8

  static let graphInSegment = Self(rawValue: 1)
  static let objects = Self(rawValue: 2)
  static let objectsInOrder = Self(rawValue: 4)
  static let objectIndexInSegment = Self(rawValue: 8)
  static let bulk = Self(rawValue: 16)
  static let classes = Self(rawValue: 32)
  /// These say how the objects are stored.
  static let aboutObjects: Self = [.objectsInOrder, .objectIndexInSegment]
  static let known: Self = [
    .graphInSegment, .objects, .objectsInOrder, .objectIndexInSegment, .bulk, .classes,
  ]
}

/// What a shape is, in its first byte.
struct ShapeFlags: OptionSet {
  let rawValue: UInt8

  static let isClass = Self(rawValue: 1)
  static let isOpen = Self(rawValue: 2)
  static let isBoxed = Self(rawValue: 4)
  static let classNumber = Self(rawValue: 8)
  /// All fields have keys, those behind the last one that a shape before has.
  static let newKeys = Self(rawValue: 16)
  static let isList = Self(rawValue: 32)
  static let known: Self = [.isClass, .isOpen, .isBoxed, .classNumber, .newKeys, .isList]
}

extension Contents {
  var bytes: [UInt8] { bytes(tables: tableBytes, hasClasses: !classes.isEmpty) }

  /// The bytes of the contents with other tables of keys, classes and shapes than its own.
  func bytes(tables: [UInt8], hasClasses: Bool) -> [UInt8] {
    var builder = ByteBuilder()
    var flags = flags
    if hasClasses { flags.insert(.classes) }
    builder.byte(flags.rawValue)
    builder.append(tables)
    if objectCount > 0 {
      builder.varint(objectCount)
      if !objectsAreInOrder { builder.varint(storedObjectCount) }
      switch objectIndex {
      case .embedded(let bytes):
        builder.varint(UInt64(bytes.count))
        builder.append(bytes)
      case .segment(let entry): builder.entry(entry)
      }
    }
    if !bulk.isEmpty {
      builder.varint(UInt64(bulk.count))
      for entry in bulk { builder.entry(entry) }
    }
    switch graph {
    case .embedded(let bytes): builder.append(bytes)
    case .segment(let entry): builder.entry(entry)
    }
    return builder.bytes
  }

  private var flags: ContentsFlags {
    var flags: ContentsFlags = []
    if case .segment = graph { flags.insert(.graphInSegment) }
    if case .segment = objectIndex { flags.insert(.objectIndexInSegment) }
    if objectCount > 0 { flags.insert(.objects) }
    if objectCount > 0, objectsAreInOrder { flags.insert(.objectsInOrder) }
    if !bulk.isEmpty { flags.insert(.bulk) }
    return flags
  }

  /// The tables of keys, classes and shapes.
  var tableBytes: [UInt8] {
    var builder = ByteBuilder()
    builder.varint(UInt64(keys.count))
    for key in keys { builder.string(key) }
    if !classes.isEmpty {
      builder.varint(UInt64(classes.count))
      for stored in classes {
        builder.string(stored.mangledName)
        builder.string(stored.qualifiedName)
        builder.varint(UInt64(stored.version))
      }
    }
    builder.varint(UInt64(shapes.count))
    var lastKey: UInt32 = 0
    for shape in shapes { builder.shape(shape, lastKey: &lastKey) }
    return builder.bytes
  }
}

extension ByteBuilder {
  /// - Parameter lastKey: the highest key number of the shapes before.
  fileprivate mutating func shape(_ shape: Contents.Shape, lastKey: inout UInt32) {
    var flags: ShapeFlags = []
    if shape.isClass { flags.insert(.isClass) }
    if shape.isOpen { flags.insert(.isOpen) }
    if shape.isBoxed { flags.insert(.isBoxed) }
    if shape.isList { flags.insert(.isList) }
    if shape.classNumber != 0 { flags.insert(.classNumber) }
    let first = lastKey + 1
    if !shape.fields.isEmpty,
      shape.fields.map(\.keyNumber).elementsEqual(first..<(first + UInt32(shape.fields.count)))
    {
      flags.insert(.newKeys)
    }
    byte(flags.rawValue)
    if shape.classNumber != 0 { varint(UInt64(shape.classNumber)) }
    varint(UInt64(shape.fields.count))
    for field in shape.fields {
      if !flags.contains(.newKeys) { varint(UInt64(field.keyNumber)) }
      byte(field.kind.rawValue)
      lastKey = max(lastKey, field.keyNumber)
    }
  }

  fileprivate mutating func entry(_ entry: SegmentEntry) {
    varint(entry.byteCount)
    varint(entry.rawByteCount)
    fixed(entry.hash)
  }
}
