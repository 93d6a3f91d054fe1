import _GraphCoding
import _GraphFiles
import _GraphSupport

/// Finds the objects of an archive whose object index is damaged, by walking through the graph stream from its start.
///
/// The objects stand behind the root without gaps, in the order in which the walk first refers to them. So places and
/// numbers show as far as the stream can be read without a gap.
struct ObjectSearch {
  private let decoder: GDecoder
  private let contents: Contents
  private var offsets: [UInt64] = []
  /// Numbers of objects that are referred to, in the order in which they first are.
  private var numbers: [UInt32] = []
  private var isKnown: Set<UInt32> = []

  /// - Throws: `damaged` or `malformed` where the graph stream has no beginning, `noMemory`, `file`.
  init(_ reader: ArchiveReader) throws {
    contents = reader.contents
    decoder = try reader.withoutObjects().walkingDecoder()
  }

  /// The contents with an index of the objects that have been found.
  mutating func found() throws -> Contents {
    do { try walk() } catch let error as GCodableError where [.damaged, .malformed].contains(error.code) {}
    if contents.objectsAreInOrder { numbers = (0..<UInt32(clamping: contents.objectCount)).map(\.self) }
    return contents.replacingIndex(Array(zip(numbers, offsets)))
  }

  private mutating func walk() throws {
    let state = decoder.state
    let end = UInt64(decoder.tables.streamBytes.count)
    defer {
      state.pointee.cursor.leave(to: 0)
      state.pointee.stream.endWalk()
    }
    try state.pointee.stream.walk(from: 0, to: end)
    try value(try state.pointee.stream.readOuterKind())
    while state.pointee.stream.offset < end, offsets.count < contents.storedObjectCount {
      guard contents.objectsAreInOrder || offsets.count < numbers.count else { return }
      offsets.append(state.pointee.stream.offset)
      try value(.record)
    }
  }

  private mutating func value(_ kind: GraphKind) throws {
    let state = decoder.state
    let base = state.pointee.cursor.levelCount
    note(try state.pointee.cursor.read(kind))
    while state.pointee.cursor.levelCount > base {
      state.pointee.stream.expansionByteCount = 0
      if let part = try state.pointee.cursor.next() { note(try state.pointee.cursor.read(part.kind)) }
    }
  }

  private mutating func note(_ event: GraphCursor.Event) {
    guard case .reference(let number, .reference) = event, isKnown.insert(number).inserted else { return }
    numbers.append(number)
  }
}

extension ArchiveReader {
  /// The same archive with other contents.
  func with(_ contents: Contents) -> ArchiveReader {
    var reader = ArchiveReader(source, header, contents, threadCount: threadCount)
    reader.trustsContents = true
    return reader
  }

  /// The same archive as if none of its objects were stored.
  fileprivate func withoutObjects() -> ArchiveReader { with(contents.replacingIndex([])) }
}

extension Contents {
  /// The contents with an index of these objects, in the order of the stream.
  func replacingIndex(_ objects: [(number: UInt32, offset: UInt64)]) -> Contents {
    var contents = self
    guard objectCount > 0 else {
      (contents.objectIndex, contents.storedObjectCount) = (.embedded([]), 0)
      contents.objectsAreInOrder = true
      return contents
    }
    contents.storedObjectCount = UInt64(objects.count)
    contents.objectsAreInOrder =
      objects.count == Int(objectCount) && zip(objects, 0...).allSatisfy { $0.number == UInt32($1) }
    var (builder, last) = (ByteBuilder(), UInt64(0))
    for object in objects {
      builder.varint(object.offset - last)
      last = object.offset
    }
    if !contents.objectsAreInOrder { for object in objects { builder.varint(UInt64(object.number)) } }
    contents.objectIndex = .embedded(builder.bytes)
    return contents
  }
}
