/// Flags of the contents, in their first byte.
package struct ContentsFlags: OptionSet {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let segments = Self(rawValue: 1)
  static let objects = Self(rawValue: 2)
  static let objectsInOrder = Self(rawValue: 4)
  static let classes = Self(rawValue: 8)
  package static let userVersion = Self(rawValue: 16)
  static let layouts = Self(rawValue: 32)
  static let metadata = Self(rawValue: 64)
  static let extensions = Self(rawValue: 128)
}

/// Flags of a shape, in its first byte.
struct ShapeFlags: OptionSet {
  let rawValue: UInt8

  static let isClass = Self(rawValue: 1)
  static let isOpen = Self(rawValue: 2)
  static let isBoxed = Self(rawValue: 4)
  static let classNumber = Self(rawValue: 8)
  /// All fields have keys: those after the highest one of earlier shapes.
  static let newKeys = Self(rawValue: 16)
  static let isList = Self(rawValue: 32)
  static let typeName = Self(rawValue: 64)
  static let known: Self = [.isClass, .isOpen, .isBoxed, .classNumber, .newKeys, .isList, .typeName]
}

extension Contents {
  package var bytes: [UInt8] { bytes(tables: TableBytes(self)) }

  /// The tables of keys, classes, layouts and shapes, in the form of the contents.
  package struct TableBytes {
    package let bytes: [UInt8]
    package let flags: ContentsFlags

    package init(_ contents: Contents) {
      bytes = contents.tableBytes
      var flags: ContentsFlags = []
      if !contents.classes.isEmpty { flags.insert(.classes) }
      if !contents.layouts.isEmpty { flags.insert(.layouts) }
      self.flags = flags
    }
  }

  /// The bytes of the contents with other tables of keys, classes, layouts and shapes than its own.
  func bytes(tables: TableBytes) -> [UInt8] {
    var builder = ByteBuilder()
    let segments = segments
    builder.byte(flags(hasSegments: !segments.isEmpty).union(tables.flags).rawValue)
    if !segments.isEmpty {
      builder.varint(UInt64(segments.count))
      for placed in segments { builder.append(placed.segment.header) }
    }
    if userVersion != 0 { builder.varint(UInt64(userVersion)) }
    if !metadata.isEmpty { builder.metadata(metadata) }
    if !extensions.isEmpty { builder.extensions(extensions) }
    builder.append(tables.bytes)
    if objectCount > 0 {
      builder.varint(objectCount)
      if !objectsAreInOrder { builder.varint(storedObjectCount) }
      if case .embedded(let bytes) = objectIndex {
        builder.varint(UInt64(bytes.count))
        builder.append(bytes)
      }
    }
    if case .embedded(let bytes) = graph { builder.append(bytes) }
    return builder.bytes
  }

  private func flags(hasSegments: Bool) -> ContentsFlags {
    var flags: ContentsFlags = []
    if hasSegments { flags.insert(.segments) }
    if objectCount > 0 { flags.insert(.objects) }
    if objectCount > 0, objectsAreInOrder { flags.insert(.objectsInOrder) }
    if userVersion != 0 { flags.insert(.userVersion) }
    if !metadata.isEmpty { flags.insert(.metadata) }
    if !extensions.isEmpty { flags.insert(.extensions) }
    return flags
  }

  private var tableBytes: [UInt8] {
    var builder = ByteBuilder()
    builder.tables(self, since: .init())
    return builder.bytes
  }

  /// What a frame of a stream of messages has of the tables: all but the entries that were sent before.
  func additions(since counts: MessageTables.Counts) -> [UInt8] {
    var flags: ContentsFlags = []
    if classes.count > counts.classes { flags.insert(.classes) }
    if layouts.count > counts.layouts { flags.insert(.layouts) }
    var builder = ByteBuilder([flags.rawValue])
    builder.tables(self, since: counts)
    return builder.bytes
  }

  /// The highest number of a key in the shapes; see `ShapeFlags.newKeys`.
  var lastKeyOfShapes: UInt32 { Self.lastKey(shapes[...]) }

  fileprivate static func lastKey(_ shapes: ArraySlice<Shape>) -> UInt32 {
    shapes.reduce(0) { $1.fields.reduce($0) { max($0, $1.keyNumber) } }
  }
}

extension ByteBuilder {
  /// The tables of keys, classes, layouts and shapes, but for the first entries.
  fileprivate mutating func tables(_ contents: Contents, since counts: MessageTables.Counts) {
    let (keys, classes) = (contents.keys[counts.keys...], contents.classes[counts.classes...])
    let (layouts, shapes) = (contents.layouts[counts.layouts...], contents.shapes[counts.shapes...])
    varint(UInt64(keys.count))
    for key in keys { string(key) }
    if !classes.isEmpty {
      varint(UInt64(classes.count))
      for stored in classes {
        string(stored.mangledName)
        string(stored.qualifiedName)
        varint(UInt64(stored.version))
      }
    }
    if !layouts.isEmpty {
      varint(UInt64(layouts.count))
      for stored in layouts { layout(stored) }
    }
    varint(UInt64(shapes.count))
    var lastKey = Contents.lastKey(contents.shapes[..<counts.shapes])
    for stored in shapes { shape(stored, lastKey: &lastKey) }
  }

  fileprivate mutating func layout(_ layout: Contents.Layout) {
    varint(UInt64(layout.fields.count))
    for field in layout.fields {
      varint(UInt64(field.keyNumber))
      varint(UInt64(field.format.rawValue))
    }
  }

  /// - Parameter lastKey: the highest key number of the shapes before.
  fileprivate mutating func shape(_ shape: Contents.Shape, lastKey: inout UInt32) {
    var flags: ShapeFlags = []
    if shape.isClass { flags.insert(.isClass) }
    if shape.isOpen { flags.insert(.isOpen) }
    if shape.isBoxed { flags.insert(.isBoxed) }
    if shape.isList { flags.insert(.isList) }
    if shape.classNumber != 0 { flags.insert(.classNumber) }
    if !shape.typeName.isEmpty { flags.insert(.typeName) }
    let first = lastKey + 1
    if !shape.fields.isEmpty,
      shape.fields.map(\.keyNumber).elementsEqual(first..<(first + UInt32(shape.fields.count)))
    {
      flags.insert(.newKeys)
    }
    byte(flags.rawValue)
    if shape.classNumber != 0 { varint(UInt64(shape.classNumber)) }
    if !shape.typeName.isEmpty { string(shape.typeName) }
    varint(UInt64(shape.fields.count))
    for field in shape.fields {
      if !flags.contains(.newKeys) { varint(UInt64(field.keyNumber)) }
      byte(field.kind.rawValue)
      lastKey = max(lastKey, field.keyNumber)
    }
  }
}
