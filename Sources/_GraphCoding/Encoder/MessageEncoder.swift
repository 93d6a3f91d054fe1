import CGraphArchive
import Foundation
import _GraphFiles
import _GraphSupport

/// Encodes messages one behind the other into frames, with tables that both sides keep.
///
/// Frames are made in the encoder's own memory, from which `take` removes them. Everything accessed for each message is
/// `@exclusivity(unchecked)`, as in `EncoderTables`.
package final class MessageEncoder {
  /// When frames and tables are sent.
  package struct Intervals {
    /// A frame ends with the message that reaches this many bytes.
    package var frameByteCount = 8 << 10
    /// All tables are sent again after this many bytes.
    package var tablesByteCount = 1 << 20

    package init(frameByteCount: Int, tablesByteCount: Int) {
      // A frame's size is 32 bits.
      self.frameByteCount = min(max(frameByteCount, 1), 1 << 30)
      self.tablesByteCount = max(tablesByteCount, 0)
    }
  }

  private let settings: GraphEncoder
  private let intervals: Intervals
  package let identifier: UInt64
  @safe @exclusivity(unchecked) private var encoder: GEncoder
  /// What the tables had when they were sent last.
  @safe @exclusivity(unchecked) private var sent = MessageTables.Counts()
  /// The tables that the other side has; their entries are those of the encoder.
  @safe @exclusivity(unchecked) private var since: UInt32
  @safe @exclusivity(unchecked) private var revision: UInt32
  /// Whether the next tables are all of them, and whether entries came later than these.
  @safe @exclusivity(unchecked) private var beginsTables = true
  @safe @exclusivity(unchecked) private var hasAdditions = false
  /// Where the first byte in memory lies in the stream.
  @safe @exclusivity(unchecked) package private(set) var position: UInt64
  /// Where all tables were sent last, and how many bytes they had.
  @safe @exclusivity(unchecked) private var tablesPosition: UInt64 = 0
  @safe @exclusivity(unchecked) private var tablesByteCount = 0
  /// The number of the next message.
  @safe @exclusivity(unchecked) package private(set) var nextNumber: UInt64
  /// Where the frame begins to which messages are added; nil for none.
  @safe @exclusivity(unchecked) private var frameStart: Int?
  @safe @exclusivity(unchecked) private var messageCount: UInt32 = 0
  /// Whether messages of the frame say how many objects they have; once some do, all frames have it.
  @safe @exclusivity(unchecked) private var flags: MessageFrame.Flags = []
  @safe @exclusivity(unchecked) private var isWriting = false

  /// - Parameters:
  ///   - settings: those of the moment.
  ///   - position: where the next frame lies in the stream.
  ///   - nextNumber: that of the next message.
  ///   - revision: the last one of the stream.
  package init(
    _ settings: GraphEncoder, _ intervals: Intervals, identifier: UInt64, position: UInt64,
    nextNumber: UInt64,
    revision: UInt32
  ) throws {
    self.settings = settings
    self.intervals = intervals
    (self.identifier, self.position, self.nextNumber) = (identifier, position, nextNumber)
    (since, self.revision) = (revision &+ 1, revision)
    encoder = settings.newEncoder
    try prepare()
  }

  private func prepare() throws {
    encoder.tables.keys.areCumulative = true
    encoder.state.pointee.maximumDepth = settings.depthInUse
    if settings.precision != nil { try settings.setPrecision(of: encoder) }
  }

  // MARK: Bytes

  /// Bytes in memory, which are whole frames once `endFrame` has been called.
  package var byteCount: Int { encoder.state.pointee.out.count }

  /// Calls `body` with the bytes in memory, and forgets them unless it throws.
  ///
  /// - Throws: `internalInconsistency` within a message or a frame; what `body` throws.
  package func take<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard frameStart == nil, !isWriting else { throw reentered() }
    let result = try unsafe body(encoder.state.pointee.out.bytes)
    position += UInt64(byteCount)
    encoder.state.pointee.out.removeAll()
    return result
  }

  /// Puts bytes in front of all frames, which are a part of the stream.
  package func put(_ bytes: [UInt8]) throws { try put(bytes, at: byteCount) }

  /// Whether messages wait for others of their frame.
  package var hasOpenFrame: Bool { frameStart != nil }

  // MARK: Messages

  /// Encodes a message.
  ///
  /// - Parameter writeRoot: writes the root, as for an archive.
  /// - Throws: as encoding an archive, after which no byte of the message is there and the next one can be encoded.
  package func encode(_ writeRoot: (GEncoder) throws -> Void) throws {
    guard !isWriting else { throw reentered() }
    isWriting = true
    defer { isWriting = false }
    let place = try beginMessage()
    let start = encoder.state.pointee.out.count
    let index: ObjectIndex.Builder
    do { index = try encoder.encodeGraph(from: start, writeRoot) } catch {
      return try encodeAnew(writeRoot, at: place, after: error)
    }
    let tables = encoder.tables
    let byteCount = encoder.state.pointee.out.count - place - 1
    if encoder.state.pointee.objects.count > 0 || byteCount > Self.maximumByteCount || !tables.bulk.isEmpty
      || tables.attributes != nil
    {
      try endLarge(writeRoot, at: place, index)
    } else {
      try endMessage(at: place)
    }
    guard let frameStart, encoder.state.pointee.out.count - frameStart >= intervals.frameByteCount else {
      return
    }
    try endFrame()
  }

  /// A message with more bytes is sent as an archive, which is compressed.
  private static let maximumByteCount = 64 << 10

  /// Makes room for a message's length of one byte, at the place that is returned.
  @inline(__always)
  private func beginMessage() throws -> Int {
    try encoder.reserve(byteCount: MessageFrame.headByteCount)
    if frameStart == nil {
      frameStart = encoder.state.pointee.out.count
      encoder.state.pointee.out.beginFrame()
    }
    let place = encoder.state.pointee.out.count
    encoder.state.pointee.out.putByte(0)
    if !flags.isEmpty { encoder.state.pointee.out.putByte(Self.zero) }
    return place
  }

  /// The varint 0.
  private static let zero: UInt8 = 1

  @inline(__always)
  private func endMessage(at place: Int) throws {
    let byteCount = encoder.state.pointee.out.count - place - 1
    if byteCount < 128 {
      encoder.state.pointee.out.replaceByte(at: place, with: UInt8(byteCount) << 1 | 1)
    } else {
      try encoder.reserve()
      _ = encoder.state.pointee.out.replaceVarint(at: place, 0, with: UInt64(byteCount))
    }
    let tables = encoder.tables
    if tables.shapes.list.count != sent.shapes || tables.keys.names.count != sent.keys
      || tables.types.classes.count != sent.classes || tables.shapes.layouts.count != sent.layouts
      || beginsTables
    {
      try sendTables()
    }
    messageCount += 1
    nextNumber += 1
  }

  /// Ends the frame, so that its messages can be taken.
  package func endFrame() throws {
    guard let frameStart else { return }
    try endFrame(from: frameStart, to: byteCount)
    self.frameStart = nil
    try repeatTables()
  }

  /// Sends all tables where they are due, between frames.
  private func repeatTables() throws {
    let end = position + UInt64(byteCount)
    // They take no more than an eighth of the stream.
    guard end - tablesPosition >= UInt64(max(intervals.tablesByteCount, 8 * tablesByteCount)) else { return }
    if encoder.tables.keys.names.count + encoder.tables.shapes.list.count > Self.maximumEntryCount {
      return try beginTables(by: settings.newEncoder)
    }
    try sendAllTables(at: byteCount)
  }

  /// Tables with more keys and shapes begin anew when they are due.
  private static let maximumEntryCount = 1 << 14

  private func endFrame(from start: Int, to end: Int) throws {
    let frame = MessageFrame(
      .messages, flags, messageCount: messageCount, number: nextNumber - UInt64(messageCount),
      revision: revision)
    guard encoder.state.pointee.out.end(frame, from: start, to: end, identifier) else { throw noMemory() }
    messageCount = 0
  }

  /// Ends the last frame, and sends all tables once more if entries came later than these.
  package func finish() throws {
    try endFrame()
    if hasAdditions { try sendAllTables(at: byteCount) }
  }

  @inline(never)
  private func noMemory() -> GCodableError { GCodableError(.noMemory, "no memory for a frame of messages") }

  @inline(never)
  /// - Throws: `internalInconsistency` while a message is encoded.
  package func checkIsIdle() throws { if isWriting { throw reentered() } }

  private func reentered() -> GCodableError {
    GCodableError(
      .internalInconsistency, "an encode(to:) has written to the stream that its own message is written to")
  }
}

// MARK: - Rare messages

extension MessageEncoder {
  /// Ends a message that has objects, or that is sent as an archive.
  @inline(never)
  private func endLarge(
    _ writeRoot: (GEncoder) throws -> Void, at place: Int, _ index: consuming ObjectIndex.Builder
  ) throws {
    guard encoder.tables.bulk.isEmpty, encoder.tables.attributes == nil,
      byteCount - place <= Self.maximumByteCount
    else {
      return try sendArchive(writeRoot, at: place)
    }
    let objects = encoder.state.pointee.objects
    var place = place
    if flags.isEmpty { place = try beginFlagged(at: place) }
    let bytes = index.bytes(objects)
    var head = ByteBuilder()
    head.varint(UInt64(objects.count))
    head.varint(objects.isInOrder ? 0 : UInt64(objects.enqueuedCount) + 1)
    head.varint(UInt64(bytes.count))
    head.append(bytes)
    guard encoder.state.pointee.out.insert(byteCount: head.bytes.count - 1, at: place + 1) else {
      throw noMemory()
    }
    encoder.state.pointee.out.replaceBytes(at: place + 1, with: head.bytes)
    forgetObjects()
    try endMessage(at: place)
  }

  /// Lets the frame begin anew, with a count of objects in each message.
  ///
  /// - Returns: where the last message's length is now.
  private func beginFlagged(at place: Int) throws -> Int {
    guard let start = frameStart else { return place }
    var place = place
    if messageCount > 0 {
      try endFrame(from: start, to: place)
      place += 8
      guard encoder.state.pointee.out.insert(byteCount: MessageFrame.headByteCount, at: place) else {
        throw noMemory()
      }
      frameStart = place
      place += MessageFrame.headByteCount
    }
    flags = .objects
    guard encoder.state.pointee.out.insert(byteCount: 1, at: place + 1) else { throw noMemory() }
    return place
  }

  /// Sends a message with large arrays, or of many bytes.
  private func sendArchive(_ writeRoot: (GEncoder) throws -> Void, at place: Int) throws {
    forgetMessage(at: place)
    try endFrame()
    let archive: [UInt8] = try settings.archive(settings.walk(writeRoot))
    guard archive.count <= UInt32.max else {
      throw GCodableError(.limitExceeded, "a message has \(archive.count) bytes, more than a frame can have")
    }
    // Whoever joins the stream looks for them.
    if beginsTables {
      (revision, beginsTables) = (revision &+ 1, false)
      try sendAllTables(at: byteCount)
    }
    let frame = MessageFrame(.archive, messageCount: 1, number: nextNumber, revision: revision)
    try put(frame.bytes(body: archive, identifier), at: byteCount)
    nextNumber += 1
    try repeatTables()
  }

  private func put(_ bytes: [UInt8], at place: Int) throws {
    guard encoder.state.pointee.out.insert(byteCount: bytes.count, at: place) else { throw noMemory() }
    encoder.state.pointee.out.replaceBytes(at: place, with: bytes)
  }

  /// Removes a message that is not sent like this.
  private func forgetMessage(at place: Int) {
    forgetObjects()
    if !encoder.tables.bulk.isEmpty { encoder.tables.bulk = [] }
    encoder.tables.attributes = nil
    encoder.state.pointee.out.removeAll(from: place)
    if messageCount == 0, let start = frameStart {
      encoder.state.pointee.out.removeAll(from: start)
      frameStart = nil
    }
  }

  /// Forgets the objects of a message: identity ends with it.
  private func forgetObjects() {
    encoder.state.pointee.forgetObjects()
    if !encoder.tables.identities.isEmpty { encoder.tables.identities = [:] }
    if !encoder.tables.anonymous.isEmpty { encoder.tables.anonymous = [:] }
  }

  /// Encodes a message that the encoder could not, if another one can; no byte of it is there after an error.
  @inline(never)
  private func encodeAnew(
    _ writeRoot: (GEncoder) throws -> Void, at place: Int, after error: any Error
  ) throws {
    let next = settings.successor(of: encoder)
    forgetMessage(at: place)
    try endFrame()
    // What was written of it may have left the tables half full.
    try beginTables(by: next ?? settings.newEncoder)
    guard next != nil else { throw error }
    isWriting = false
    try encode(writeRoot)
  }

  // MARK: Tables

  /// Begins with other tables, which `next` fills.
  private func beginTables(by next: GEncoder) throws {
    (next.state.pointee.out, encoder.state.pointee.out) = (encoder.state.pointee.out, next.state.pointee.out)
    encoder = next
    try prepare()
    (sent, beginsTables, hasAdditions) = (MessageTables.Counts(), true, false)
    since = revision &+ 1
  }

  /// Sends what the last message has added to the tables, in front of the open frame.
  @inline(never)
  private func sendTables() throws {
    // Messages of the frame do not need the additions, and do not mind them.
    guard let start = frameStart else { return }
    revision &+= 1
    if beginsTables {
      beginsTables = false
      try sendAllTables(at: start)
      return
    }
    let contents = encoder.tables.cumulative
    let frame = MessageFrame(
      .additions, number: nextNumber - UInt64(messageCount), revision: revision)
    let bytes = frame.bytes(body: MessageTables.additions(contents, since: sent), identifier)
    try put(bytes, at: start)
    frameStart = start + bytes.count
    (sent, hasAdditions) = (Self.counts(contents), true)
  }

  /// Sends all tables, in front of the open frame if there is one.
  private func sendAllTables(at place: Int) throws {
    var tables = MessageTables()
    tables.contents = encoder.tables.cumulative
    tables.contents.userVersion = settings.binaryIOVersion
    tables.contents.metadata = Metadata(settings.metadata)
    (tables.identifier, tables.since) = (identifier, since)
    tables.position = position + UInt64(place)
    let frame = MessageFrame(.tables, number: nextNumber - UInt64(messageCount), revision: revision)
    let bytes = frame.bytes(body: tables.body, identifier)
    try put(bytes, at: place)
    if let frameStart { self.frameStart = frameStart + bytes.count }
    (sent, hasAdditions) = (Self.counts(tables.contents), false)
    (tablesPosition, tablesByteCount) = (tables.position, bytes.count)
  }

  private static func counts(_ contents: Contents) -> MessageTables.Counts {
    MessageTables.Counts(
      keys: contents.keys.count, classes: contents.classes.count, layouts: contents.layouts.count,
      shapes: contents.shapes.count)
  }
}
