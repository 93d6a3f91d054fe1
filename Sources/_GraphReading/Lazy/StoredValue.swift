import _GraphCoding
import _GraphFiles
import _GraphSupport

/// Decodes values that were left in an archive: the archive, and the settings of its decoder.
///
/// `@unchecked`: nothing in it changes, and objects in `userInfo` for lazy values may be used by several threads.
final class LazySource: @unchecked Sendable {
  let archive: GraphArchive
  private let threadCount: Int
  private let limits: GraphDecoder.Limits
  private let classes: ClassRules
  private let userInfo: [CodingUserInfoKey: Any]

  init(_ archive: GraphArchive, _ settings: GraphDecoder) {
    self.archive = archive
    threadCount = settings.threadCount
    limits = settings.limits
    classes = settings.chosenClasses
    userInfo = settings.userInfo
  }

  /// A decoder with the settings of the one that has left values.
  fileprivate var settings: GraphDecoder {
    let settings = GraphDecoder()
    (settings.threadCount, settings.limits) = (threadCount, limits)
    (settings.chosenClasses, settings.userInfo) = (classes, userInfo)
    return settings
  }
}

/// A value that was left in an archive: what the graph stream has of it, without references.
///
/// `@unchecked`: nothing in it changes; of a packed array it has what lies in a segment alone.
final class StoredValue: @unchecked Sendable {
  fileprivate let source: LazySource
  fileprivate let kind: GraphKind
  /// Its kind, and what follows in the stream.
  private let bytes: [UInt8]
  /// The bulk segment that has all of it but its head; nil for values that are more than one large array.
  fileprivate let bulk: (elements: PackedElements, shape: ArrayShape, number: Int)?

  fileprivate init(
    _ source: LazySource, _ kind: GraphKind, _ bytes: [UInt8],
    _ bulk: (elements: PackedElements, shape: ArrayShape, number: Int)?
  ) {
    self.source = source
    self.kind = kind
    self.bytes = bytes
    self.bulk = bulk
  }

  /// Bytes in memory besides those of the stream: this, the lazy value with its lock, and what decodes it.
  fileprivate static let byteCount = 640

  /// Decodes the value.
  func decode<Value>(_ read: (GDecoder) throws -> Value) throws -> Value {
    try source.archive.decode(apart: bytes, using: source.settings, read)
  }
}

extension GDecoder {
  /// Moves behind a value, which is left in the archive to be decoded later.
  ///
  /// - Returns: nil, and the cursor stays, where it cannot be: where it refers to objects, or the archive is lent.
  func leave(_ kind: GraphKind) throws -> StoredValue? {
    guard kind.plain.takesBytes, let source = tables.lazySource as? LazySource else { return nil }
    let start = state.pointee.stream.input
    let base = state.pointee.cursor.levelCount
    defer { state.pointee.cursor.leave(to: base) }
    let first = try state.pointee.cursor.read(kind, outerDepth: state.pointee.frame.depth)
    guard try isApart(first) else {
      state.pointee.stream.input = start
      return nil
    }
    while state.pointee.cursor.levelCount > base {
      guard let part = try state.pointee.cursor.next() else { continue }
      guard try isApart(state.pointee.cursor.read(part.kind)) else {
        state.pointee.stream.input = start
        return nil
      }
    }
    try takeRoom(byteCount: StoredValue.byteCount)
    let bytes = unsafe [kind.rawValue] + Array(state.pointee.stream.input.bytesTaken(from: start.offset))
    return StoredValue(source, kind, bytes, bulk(first))
  }

  /// Whether what a value begins with is no reference; bulk segments are noted as mentioned.
  private func isApart(_ event: GraphCursor.Event) throws -> Bool {
    switch event {
    case .reference: return false
    case .packed(let elements): try noteMention(of: elements)
    case .nested(let array): try noteMention(of: array.elements)
    case .optionals(let optionals):
      try noteMention(of: optionals.presence)
      try noteMention(of: optionals.array.elements)
    default: break
    }
    return true
  }

  private func bulk(
    _ event: GraphCursor.Event
  ) -> (elements: PackedElements, shape: ArrayShape, number: Int)? {
    switch event {
    case .packed(let elements):
      guard case .segment(let number) = elements.place else { return nil }
      return (elements, ArrayShape([elements.count]), number)
    case .nested(let array):
      guard case .segment(let number) = array.elements.place else { return nil }
      return (array.elements, array.shape, number)
    default: return nil
    }
  }
}

extension GEncoder {
  /// Writes an array that was left in an archive, whose blocks are copied from there.
  ///
  /// - Returns: false where it is of another kind, or no large array, and nothing is written.
  func copy(_ stored: StoredValue, as kind: GraphKind) throws -> Bool {
    guard let bulk = stored.bulk, stored.kind == kind else { return false }
    let (archive, elements) = (stored.source.archive, bulk.elements)
    let placed = archive.contents.bulk[bulk.number]
    // To another precision than they are stored to, they are encoded anew.
    guard tables.precision == nil || tables.precision == placed.segment.precision else { return false }
    let copy = try SegmentCopy(archive.opened, placed)
    let head = elements.with(layoutNumber: elements.layout.map { layoutNumber($0, in: archive) })
      .head(of: bulk.shape, isNested: kind == .nestedPacked, segment: UInt64(tables.bulk.count))
    try reserve(byteCount: head.count)
    unsafe head.withUnsafeBytes { unsafe state.pointee.out.putBytes($0.baseAddress, count: $0.count) }
    tables.bulk.append(
      BulkArray(
        byteCount: elements.byteCount, elementByteCount: elements.elementByteCount, format: elements.format,
        owner: unsafe PackedBytes(UnsafeRawBufferPointer(start: nil, count: 0)), copy: copy))
    return true
  }

  /// The number of a layout that an archive has, whose keys have other numbers here.
  private func layoutNumber(_ layout: Contents.Layout, in archive: GraphArchive) -> UInt32 {
    tables.shapes.number(
      of:
        Contents.Layout(
          fields: layout.fields.map { field in
            guard field.keyNumber != 0 else { return field }
            let key = archive.contents.keys[Int(field.keyNumber) - 1]
            return .init(keyNumber: tables.keys.number(named: key) + 1, format: field.format)
          }))
  }
}
