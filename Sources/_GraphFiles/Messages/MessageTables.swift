import _GraphSupport

/// The tables of a stream of messages: what the contents of an archive have in front of the graph stream.
///
/// They only grow, by one revision at a time, until a frame with all tables begins anew: messages of the revisions from `since` to
/// `revision` can be read with them.
package struct MessageTables {
  package var identifier: UInt64 = 0
  /// Where the frame with all of the tables begins in the stream.
  package var position: UInt64 = 0
  package var since: UInt32 = 0
  package var revision: UInt32 = 0
  /// User version, metadata, keys, classes, layouts and shapes; nothing else.
  package var contents = Contents()

  /// Bytes of the frames that they were made of.
  package var byteCount: UInt64 = 0

  package init() {}

  /// Whether a message can be read.
  package func cover(_ revision: UInt32) -> Bool { since <= revision && revision <= self.revision }

  // MARK: Writing

  /// The body of a frame with all tables.
  package var body: [UInt8] {
    var builder = ByteBuilder()
    builder.fixed(identifier)
    builder.fixed(position)
    builder.varint(UInt64(since))
    var bytes = contents
    bytes.graph = .embedded([])
    builder.append(bytes.bytes)
    return builder.bytes
  }

  /// The body of a frame with the entries that `other`, of a later revision, has beyond these.
  package static func additions(_ contents: Contents, since counts: Counts) -> [UInt8] {
    contents.additions(since: counts)
  }

  package struct Counts: Equatable {
    package var keys = 0
    package var classes = 0
    package var layouts = 0
    package var shapes = 0

    package init(keys: Int = 0, classes: Int = 0, layouts: Int = 0, shapes: Int = 0) {
      (self.keys, self.classes, self.layouts, self.shapes) = (keys, classes, layouts, shapes)
    }
  }

  // MARK: Reading

  /// The identifier in the body of a frame with all tables; nil where the body is too short.
  package static func identifier(in body: UnsafeRawBufferPointer) -> UInt64? {
    guard body.count > 16 else { return nil }
    return unsafe UInt64(littleEndian: body.loadUnaligned(as: UInt64.self))
  }

  /// Where the body of a frame with all tables says that the frame begins; nil where it is too short.
  package static func position(in body: UnsafeRawBufferPointer) -> UInt64? {
    guard body.count > 16 else { return nil }
    return unsafe UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Reads the body of a frame with all tables.
  ///
  /// - Parameter origin: where the body lies, for errors.
  package init(_ frame: MessageFrame, _ body: UnsafeRawBufferPointer, origin: UInt64) throws {
    var parser = unsafe ByteParser(body, origin: origin, subject: "the tables")
    identifier = try parser.fixed64()
    position = try parser.fixed64()
    guard let since = UInt32(exactly: try parser.varint()), since <= frame.revision else {
      throw parser.malformed("has messages of a later revision than its own")
    }
    (self.since, revision) = (since, frame.revision)
    try contents.addTables(&parser)
  }

  /// Reads the body of a frame with additions, which is the next one.
  ///
  /// - Throws: `malformed`; the tables are then those of before.
  package mutating func add(_ frame: MessageFrame, _ body: UnsafeRawBufferPointer, origin: UInt64) throws {
    var parser = unsafe ByteParser(body, origin: origin, subject: "the additions to the tables")
    var grown = contents
    try grown.addTables(&parser)
    (contents, revision) = (grown, frame.revision)
  }
}
