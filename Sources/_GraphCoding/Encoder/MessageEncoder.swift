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

  let settings: GraphEncoder
  let intervals: Intervals
  package let identifier: UInt64
  @safe @exclusivity(unchecked) var encoder: GEncoder
  /// What the tables had when they were sent last.
  @safe @exclusivity(unchecked) var sent = MessageTables.Counts()
  /// The tables that the other side has; their entries are those of the encoder.
  @safe @exclusivity(unchecked) var since: UInt32
  @safe @exclusivity(unchecked) var revision: UInt32
  /// Whether the next tables are all of them, and whether entries came later than these.
  @safe @exclusivity(unchecked) var beginsTables = true
  @safe @exclusivity(unchecked) var hasAdditions = false
  /// Where the first byte in memory lies in the stream.
  @safe @exclusivity(unchecked) package private(set) var position: UInt64
  /// Where all tables were sent last, and how many bytes they had.
  @safe @exclusivity(unchecked) var tablesPosition: UInt64 = 0
  @safe @exclusivity(unchecked) var tablesByteCount = 0
  /// The number of the next message.
  @safe @exclusivity(unchecked) package var nextNumber: UInt64
  /// Where the frame begins to which messages are added; nil for none.
  @safe @exclusivity(unchecked) var frameStart: Int?
  @safe @exclusivity(unchecked) var messageCount: UInt32 = 0
  /// Whether messages of the frame say how many objects they have; once some do, all frames have it.
  @safe @exclusivity(unchecked) var flags: MessageFrame.Flags = [] { didSet { numberRun = nil } }
  @safe @exclusivity(unchecked) var isWriting = false
  /// How messages of the type that was written last in a run are written.
  @safe @exclusivity(unchecked) var numberRun: NumberRun?

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

  func prepare() throws {
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
    // `body` may be the user's code.
    isWriting = true
    defer { isWriting = false }
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
  static let maximumByteCount = 64 << 10

  /// Makes room for a message's length of one byte, at the place that is returned.
  @inline(__always)
  func beginMessage() throws -> Int {
    if frameStart == nil { try beginFrame() }
    try encoder.reserve()
    let place = encoder.state.pointee.out.count
    encoder.state.pointee.out.putByte(0)
    if !flags.isEmpty { encoder.state.pointee.out.putByte(Self.zero) }
    return place
  }

  func beginFrame() throws {
    try encoder.reserve(byteCount: MessageFrame.headByteCount)
    frameStart = encoder.state.pointee.out.count
    encoder.state.pointee.out.beginFrame()
  }

  /// The varint 0.
  static let zero: UInt8 = 1

  @inline(__always)
  func endMessage(at place: Int) throws {
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
  func repeatTables() throws {
    let end = position + UInt64(byteCount)
    // They take no more than an eighth of the stream.
    guard end - tablesPosition >= UInt64(max(intervals.tablesByteCount, 8 * tablesByteCount)) else { return }
    if encoder.tables.keys.names.count + encoder.tables.shapes.list.count > Self.maximumEntryCount {
      return try beginTables(by: settings.newEncoder)
    }
    try sendAllTables(at: byteCount)
  }

  /// Tables with more keys and shapes begin anew when they are due.
  static let maximumEntryCount = 1 << 14

  func endFrame(from start: Int, to end: Int) throws {
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
  func noMemory() -> GCodableError { GCodableError(.noMemory, "no memory for a frame of messages") }

  /// - Throws: `internalInconsistency` while a message is encoded, or bytes are taken.
  @inline(never)
  package func checkIsIdle() throws { if isWriting { throw reentered() } }

  func reentered() -> GCodableError {
    GCodableError(
      .internalInconsistency,
      "an encode(to:) has written to the stream that its own message is written to, or a closure to the one whose bytes it gets"
    )
  }
}
