import GraphCodable

/// A reader of archives that knows only Documentation/Format.md, and uses nothing but hash and LZ4 from the
/// library.
///
/// It reads everything, as a reader that verifies does.
struct PlainArchive {
  let bytes: Bytes
  private(set) var contents: PlainContents
  private(set) var json: JSON = .null

  /// - Parameter made: blocks that are made of others, by their offsets; their bytes are zeros among the others.
  /// - Throws: `Refusal`.
  init(_ bytes: Bytes, made: [Int: PlainMadeBlock] = [:]) throws {
    self.bytes = bytes
    let contentsStart = try Self.header(bytes)
    contents = try PlainContents(bytes, from: contentsStart)
    try contents.take(made)
    for segment in contents.segments { try segment.checkPlace(in: bytes) }
    let (stream, index): (Bytes, Bytes)
    do {
      stream = try contents.graph.map { try $0.expanded(bytes) } ?? contents.embeddedStream
      index = try contents.objectIndex.map { try $0.expanded(bytes) } ?? contents.embeddedIndex
    } catch is Unknown {
      // Their hashes are right, and so must be those of the others.
      for segment in contents.segments { do { _ = try segment.expanded(bytes) } catch is Unknown {} }
      return
    }
    var reader = try PlainStream(contents, stream: stream, index: index, archive: bytes)
    let (root, objects) = try reader.graph()
    try PlainExtensions(contents.extensionPlaces, in: bytes).check(&reader)
    // Segments that no array mentions are read, too.
    for segment in contents.bulk { do { _ = try segment.expanded(bytes) } catch is Unknown {} }
    json = .object(contents.json + [("root", root)] + (objects.isEmpty ? [] : [("objects", .list(objects))]))
  }

  /// Checks the header.
  ///
  /// - Returns: where the contents begin.
  private static func header(_ bytes: Bytes) throws -> Int {
    guard bytes.starts(with: "gcodable".utf8) else { throw Refusal(rule: "H1", place: 0) }
    guard bytes.count >= 40 else { throw Refusal(rule: "H2", place: bytes.count) }
    var header = PlainBytes(bytes, from: 8, rule: "H2")
    let (version, features) = (try header.number(UInt16.self), try header.number(UInt16.self))
    let contentsByteCount = try header.number(UInt32.self)
    let byteCount = try header.number(UInt64.self)
    let contentsHash = try header.number(UInt64.self)
    try header.check(header.number(UInt64.self) == hashNumber(Bytes(bytes[..<32])), "H3")
    guard version == 1 else { throw Refusal(rule: "H4", place: 8) }
    guard features & 0xFF == 0 else { throw Refusal(rule: "H5", place: 10) }
    guard byteCount == UInt64(bytes.count) else { throw Refusal(rule: "H6", place: 16) }
    guard contentsByteCount > 0, UInt64(contentsByteCount) <= byteCount - 40 else {
      throw Refusal(rule: "H7", place: 12)
    }
    let start = bytes.count - Int(contentsByteCount)
    guard hashNumber(Bytes(bytes[start...])) == contentsHash else { throw Refusal(rule: "C1", place: start) }
    return start
  }
}
