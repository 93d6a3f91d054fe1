import CGraphArchive
import GraphCodable

/// An archive part by part, which need not keep the rules of the format.
struct Draft {
  var magic = Bytes("gcodable".utf8)
  var version: UInt16 = 1
  var features: UInt16 = 0
  /// In the order of the file.
  var segments: [DraftSegment] = []
  /// nil for the flags of what is there.
  var flags: UInt8?
  var userVersion: UInt64?
  var metadata: [(key: Bytes, value: Bytes)] = []
  var extensions: [(number: UInt64, bytes: Bytes)] = []
  var keys: [Bytes] = []
  var classes: [(mangled: String, qualified: String, version: UInt64)] = []
  /// For each field the number of its key plus one, and its packed format.
  var layouts: [[(key: UInt64, format: UInt16)]] = []
  var shapes: [DraftShape] = []
  /// The root with its kind in front.
  var root: Bytes = [Kind.bool, 1]
  /// By number; nil for those that are not stored.
  var objects: [Bytes?] = []
  /// The numbers of the stored objects as they stand in the stream; nil for the order of their numbers.
  var order: [Int]?
  /// How the graph stream becomes a segment; nil where it is embedded.
  var streamForm: DraftSegment.Form?
  /// How the object index becomes a segment; nil where it is embedded.
  var indexForm: DraftSegment.Form?

  // What replaces the parts that follow from the others.
  var stream: Bytes?
  var index: Bytes?
  var objectCount: UInt64?
  var storedCount: UInt64?
  /// Changes the contents before they are hashed.
  var changeContents: (inout Bytes) -> Void = { _ in }
  /// Changes the first 32 bytes of the header before they are hashed.
  var changeHeader: (inout Bytes) -> Void = { _ in }
  /// Changes the archive after everything has been hashed.
  var changeArchive: (inout Bytes) -> Void = { _ in }
  /// Bytes between the last segment and the contents, which belong to nothing.
  var stray: Bytes = []

  init(_ root: Bytes = [Kind.bool, 1], _ change: (inout Draft) -> Void = { _ in }) {
    self.root = root
    change(&self)
  }

  // MARK: The graph

  /// The numbers of the stored objects, in the order of the stream.
  private var stored: [Int] { order ?? objects.indices.filter { objects[$0] != nil } }
  private var isInOrder: Bool { stored == Array(objects.indices) }

  private var wholeStream: Bytes {
    stream ?? stored.reduce(into: root) { $0 += objects[$1] ?? [] }
  }

  private var wholeIndex: Bytes {
    if let index { return index }
    var (result, end, last) = (Bytes(), root.count, 0)
    for number in stored {
      result += varint(UInt64(end - last))
      last = end
      end += objects[number]?.count ?? 0
    }
    if !isInOrder { for number in stored { result += varint(UInt64(number)) } }
    return result
  }

  private var hasObjects: Bool { !objects.isEmpty || objectCount != nil }

  // MARK: The archive

  var bytes: Bytes {
    var all = segments
    if let streamForm { all.insert(DraftSegment(kind: 0, wholeStream, streamForm), at: 0) }
    if let indexForm { all.append(DraftSegment(kind: 1, wholeIndex, indexForm)) }
    var archive = Bytes(repeating: 0, count: 40)
    for segment in all { segment.append(to: &archive) }
    archive += stray
    var contents = self.contents(all)
    changeContents(&contents)
    var header = join(
      magic, little(version), little(features), little(UInt32(contents.count)),
      little(UInt64(archive.count + contents.count)), hash(contents))
    changeHeader(&header)
    archive.replaceSubrange(0..<40, with: header + hash(header))
    archive += contents
    changeArchive(&archive)
    return archive
  }

  private func contents(_ segments: [DraftSegment]) -> Bytes {
    var bytes: Bytes = [flags ?? derivedFlags(segments)]
    if !segments.isEmpty {
      bytes += varint(UInt64(segments.count))
      for segment in segments { bytes += segment.copy }
    }
    if let userVersion { bytes += varint(userVersion) }
    if !metadata.isEmpty {
      bytes += varint(UInt64(metadata.count))
      for pair in metadata { bytes += counted(pair.key) + counted(pair.value) }
    }
    if !extensions.isEmpty {
      bytes += varint(UInt64(extensions.count))
      for item in extensions { bytes += varint(item.number) + counted(item.bytes) }
    }
    bytes += tables
    if hasObjects {
      bytes += varint(objectCount ?? UInt64(objects.count))
      if flags ?? derivedFlags(segments) & 4 == 0 { bytes += varint(storedCount ?? UInt64(stored.count)) }
      if !segments.contains(where: { $0.kind == 1 }) { bytes += counted(wholeIndex) }
    }
    return segments.contains { $0.kind == 0 } ? bytes : bytes + wholeStream
  }

  private var tables: Bytes {
    var bytes = varint(UInt64(keys.count))
    for key in keys { bytes += counted(key) }
    if !classes.isEmpty {
      bytes += varint(UInt64(classes.count))
      for item in classes { bytes += text(item.mangled) + text(item.qualified) + varint(item.version) }
    }
    if !layouts.isEmpty {
      bytes += varint(UInt64(layouts.count))
      for layout in layouts {
        bytes += varint(UInt64(layout.count))
        for field in layout { bytes += varint(field.key) + varint(UInt64(field.format)) }
      }
    }
    bytes += varint(UInt64(shapes.count))
    for shape in shapes { bytes += shape.bytes }
    return bytes
  }

  private func derivedFlags(_ segments: [DraftSegment]) -> UInt8 {
    let bits = [
      !segments.isEmpty, hasObjects, hasObjects && isInOrder && storedCount == nil, !classes.isEmpty,
      userVersion != nil, !layouts.isEmpty, !metadata.isEmpty, !extensions.isEmpty,
    ]
    return bits.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }
  }
}

/// A shape of a draft.
struct DraftShape {
  var flags: UInt8 = 0
  var classNumber: UInt64?
  var typeName: Bytes?
  /// For each field the number of its key plus one, unless the flags say that keys are new, and its kind.
  var fields: [(key: UInt64?, kind: UInt8)] = []
  /// In place of the number of fields.
  var count: UInt64?

  /// A record of fields with keys of certain numbers plus one.
  static func fields(_ fields: (UInt64, UInt8)..., flags: UInt8 = 0) -> Self {
    Self(flags: flags, fields: fields.map { ($0.0, $0.1) })
  }

  /// A record of fields without keys.
  static func unkeyed(_ kinds: UInt8..., flags: UInt8 = 0) -> Self {
    Self(flags: flags, fields: kinds.map { (0, $0) })
  }

  /// A record of fields with the next keys.
  static func new(_ kinds: UInt8..., flags: UInt8 = 0) -> Self {
    Self(flags: flags | 16, fields: kinds.map { (nil, $0) })
  }

  static let boxed = Self(flags: 4)

  var bytes: Bytes {
    var bytes: Bytes = [flags]
    if let classNumber { bytes += varint(classNumber) }
    if let typeName { bytes += counted(typeName) }
    bytes += varint(count ?? UInt64(fields.count))
    for field in fields { bytes += (field.key.map { varint($0) } ?? []) + [field.kind] }
    return bytes
  }
}

/// XXH3-64 of bytes, as an archive has it.
func hash(_ bytes: Bytes) -> Bytes { little(hashNumber(bytes)) }

func hashNumber(_ bytes: Bytes) -> UInt64 {
  bytes.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
}
