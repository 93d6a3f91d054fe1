import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Reads a stream of messages: from a file, a pipe, a socket or memory.
///
///     let log = try GraphMessageReader(url)
///     while let event = try log.next(Event.self) { print(event) }
///
/// Bytes are compared with their checksums before they are used. What is damaged is thrown as ``GraphMessageDamage``, and the next
/// call goes on behind it; so a program that wants all that is left reads like this:
///
///     var isAtEnd = false
///     while !isAtEnd {
///       do {
///         if let event = try log.next(Event.self) { use(event) } else { isAtEnd = true }
///       } catch let damage as GraphMessageDamage { print(damage) }
///     }
///
/// Any other error is about one message, or the source: the next call goes on behind that message. A frame that is not complete at
/// the end, which a killed writer leaves, is no damage: see ``incompleteByteCount``. After the end, a call reads what a file has
/// got meanwhile.
///
/// A reader is used by one thread at a time. An `init(from:)` must not read from it.
public final class GraphMessageReader {
  let frames: FrameReader
  private let source: any MessageBytes
  private let settings: GraphDecoder
  /// Has the messages of the frame that are left.
  @usableFromInline let decoder: MessageDecoder
  private var frameOffset: UInt64 = 0
  /// Messages in front of this offset are passed over.
  private let startOffset: UInt64
  /// The lowest revision for which no tables are in the rest of the stream.
  private var missingRevision: UInt32?
  private var isAtArchive = false
  /// The tables, for messages that are read without Swift types; nil where they have changed.
  private var knownTables: GraphMessage.Tables?

  /// The maximum number of bytes of a frame.
  ///
  /// Larger frames are an error with the code ``GCodableError/Code/limitExceeded``. It bounds the memory that a reader takes.
  /// Default: 64 MiB.
  public var maximumFrameByteCount: Int {
    get { frames.maximumByteCount }
    set { frames.maximumByteCount = newValue }
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: the file, to which a writer may append meanwhile.
  ///   - decoder: the settings: classes, limits, `userInfo`. The limits of an archive hold for each message.
  ///   - offset: where to begin: at the first frame there or behind. Tables in front are found.
  /// - Throws: `GCodableError` with the code `file`; for an offset `notAnArchive` or `damaged` by the header.
  /// - Complexity: O(1); with an offset, O(n) in the bytes between all tables, as a rule some 1 MiB.
  public convenience init(
    _ url: URL, decoder: GraphDecoder = GraphDecoder(), startingAt offset: UInt64 = 0
  ) throws {
    try self.init(file: OpenFile(reading: url), decoder, startingAt: offset)
  }

  /// Opens a stream that is read by ranges, such as an object in a store.
  ///
  /// - Parameters:
  ///   - source: reads ranges of the stream.
  ///   - decoder: the settings.
  /// - Throws: code `file` when the source cannot be read.
  public convenience init(source: any GraphSource, decoder: GraphDecoder = GraphDecoder()) throws {
    try self.init(file: SourceReader(source), decoder)
  }

  package convenience init(
    file: any RangeReader, _ decoder: GraphDecoder = GraphDecoder(), startingAt offset: UInt64 = 0
  ) throws {
    let source = FileMessageBytes(file)
    guard offset > UInt64(MessageLogHeader.byteCount) else {
      self.init(source, decoder, FrameReader(source), startingAt: 0)
      return
    }
    let frames = try MessageTail.frames(of: file, source, before: offset) ?? FrameReader(source)
    self.init(source, decoder, frames, startingAt: offset)
  }

  /// Reads from memory.
  ///
  /// - Parameters:
  ///   - bytes: a stream, of which the last frame need not be whole.
  ///   - decoder: the settings.
  ///   - joining: whether the bytes may begin in the middle of a stream: the part up to the first tables is passed over, and thrown
  ///     as damage. Default: false.
  public convenience init(
    _ bytes: some Collection<UInt8>, decoder: GraphDecoder = GraphDecoder(), joining: Bool = false
  ) {
    let source = MemoryMessageBytes(Array(bytes))
    self.init(source, decoder, FrameReader(source, joins: joining), startingAt: 0)
  }

  /// Reads from a pipe or a socket.
  ///
  ///     let reader = GraphMessageReader { try handle.read(upToCount: $0) }
  ///
  /// - Parameters:
  ///   - decoder: the settings.
  ///   - joining: as for memory.
  ///   - pull: waits for bytes, and returns at most so many; nil or none at the end. More are kept for the next call.
  public convenience init(
    decoder: GraphDecoder = GraphDecoder(), joining: Bool = false,
    reading pull: @escaping (Int) throws -> Data?
  ) {
    let source = PulledMessageBytes(pull)
    self.init(source, decoder, FrameReader(source, joins: joining), startingAt: 0)
  }

  /// Reads what ``append(_:)`` hands over, for code that receives bytes asynchronously.
  ///
  /// - Parameters:
  ///   - decoder: the settings.
  ///   - joining: as for memory.
  public convenience init(decoder: GraphDecoder = GraphDecoder(), joining: Bool = false) {
    let source = PushedMessageBytes()
    self.init(source, decoder, FrameReader(source, joins: joining), startingAt: 0)
  }

  private init(
    _ source: any MessageBytes, _ settings: GraphDecoder, _ frames: FrameReader, startingAt offset: UInt64
  ) {
    (self.source, self.settings, self.frames) = (source, settings, frames)
    decoder = MessageDecoder(settings)
    startOffset = offset
  }

  /// Hands over bytes that have arrived, to a reader that was made for that.
  ///
  /// ``next(_:)`` then returns nil where a frame is not complete, until more are here.
  public func append(_ bytes: Data) { (source as? PushedMessageBytes)?.push(bytes) }

  /// Says that no more bytes arrive.
  public func finish() { (source as? PushedMessageBytes)?.finish() }

  /// Bytes of a frame that is not complete, once ``next(_:)`` has returned nil.
  public var incompleteByteCount: Int { decoder.messagesLeft > 0 ? 0 : frames.incompleteByteCount }

  /// The number of the message behind the last one that was read.
  public var nextNumber: UInt64 { decoder.nextNumber }

  /// Where the frame of the last message begins in the stream, counted from its start.
  public var offset: UInt64 { frameOffset }

  /// The metadata of the encoder, once a message was read.
  public var metadata: [String: String] { decoder.tables?.contents.metadata.dictionary ?? [:] }

  // MARK: Messages

  /// Decodes the next message; nil at the end.
  ///
  /// - Throws: ``GraphMessageDamage``; as `GraphDecoder.decode`, with the code `limitExceeded` for a frame that is too large;
  ///   `notAnArchive` if the bytes are no stream, or begin in the middle of one that is not joined.
  /// - Complexity: O(n) in the size of the message.
  @inlinable
  public func next<Message: GDecodable>(_ type: Message.Type = Message.self) throws -> Message? {
    // Inlined so that the message's own coding is compiled for its type.
    guard let known = try begin() else {
      return try nextArchive().map { try $0.decode(type, using: decoderSettings) }
    }
    let message: Message
    do { message = try known.readMessage(type) } catch { throw decoder.failed(error) }
    decoder.end()
    return message
  }

  /// Decodes the next message, which is `Codable`; nil at the end.
  ///
  /// - Throws: as ``next(_:)`` and `GraphDecoder.decode(codable:from:)`.
  /// - Complexity: O(n) in the size of the message.
  public func next<Message: Decodable>(codable type: Message.Type = Message.self) throws -> Message? {
    guard let known = try begin() else {
      return try nextArchive().map { try $0.decode(codable: type, using: settings) }
    }
    let message: Message
    do { message = try known.readGraph(codable: type) } catch { throw decoder.failed(error) }
    decoder.end()
    return message
  }

  /// The next message, for code without its Swift types; nil at the end.
  ///
  /// - Throws: as ``next(_:)``, without decoding.
  /// - Complexity: O(n) in the size of the message.
  public func nextMessage() throws -> GraphMessage? {
    do {
      while true {
        if let bytes = try unsafe decoder.nextBytes() { return try unsafe message(of: bytes) }
        switch try nextFrame() {
        case .end: return nil
        case .archive: return unsafe archiveMessage(frames.body)
        case .messages: continue
        }
      }
    } catch let error as MessageDecoder.WrongLength { throw damage(error) }
  }

  private func message(of bytes: UnsafeRawBufferPointer) throws -> GraphMessage {
    guard let tables = knownTables ?? decoder.tables.map(GraphMessage.Tables.init) else {
      throw GCodableError(.malformed, "a message stands in front of the tables that it needs")
    }
    knownTables = tables
    return GraphMessage(
      number: nextNumber - 1, frameOffset: frameOffset, unsafe Array(bytes),
      .message(tables, isFlagged: decoder.isFlagged))
  }

  private func archiveMessage(_ bytes: UnsafeRawBufferPointer) -> GraphMessage {
    GraphMessage(number: nextNumber - 1, frameOffset: frameOffset, unsafe Array(bytes), .archive)
  }

  @usableFromInline var decoderSettings: GraphDecoder { settings }

  /// A decoder at the next message; nil at the end, and for one that is an archive.
  @inlinable
  @inline(__always)
  func begin() throws -> GDecoder? {
    do { return try decoder.begin() ?? beginInNextFrame() } catch { throw translated(error) }
  }

  @usableFromInline
  @inline(never)
  func beginInNextFrame() throws -> GDecoder? {
    isAtArchive = false
    switch try nextFrame() {
    case .end: return nil
    case .archive:
      isAtArchive = true
      return nil
    case .messages: return try decoder.begin()
    }
  }

  /// The message at which `begin` has returned nil, if that is not the end.
  @usableFromInline
  func nextArchive() throws -> GraphArchive? {
    try isAtArchive ? unsafe archiveMessage(frames.body).archive() : nil
  }

  @usableFromInline
  @inline(never)
  func translated(_ error: any Error) -> any Error {
    (error as? MessageDecoder.WrongLength).map(damage) ?? error
  }

  private func damage(_ error: MessageDecoder.WrongLength) -> GraphMessageDamage {
    GraphMessageDamage(
      frameOffset..<frames.offset, lost: error.lost,
      "the frame has its checksum, but not the messages that it should have: it was forged")
  }

  // MARK: Frames

  private enum FrameContent {
    case end, messages, archive
  }

  /// Moves to the next frame with messages.
  @inline(never)
  private func nextFrame() throws -> FrameContent {
    // The next frame takes the place of the one that a message is being decoded from.
    try decoder.checkIdle()
    while true {
      switch try frames.next() {
      case .end: return .end
      case .damage(let range, let lost):
        if !lost.isEmpty { decoder.skipMessages(to: lost.upperBound) }
        if range.lowerBound < startOffset, range.upperBound <= startOffset { continue }
        throw GraphMessageDamage(
          range, lost: lost,
          range.isEmpty ? "frames are missing" : "the bytes are no frame with its checksum")
      case .frame(let frame, let offset):
        if let content = try take(frame, at: offset) { return content }
      }
    }
  }

  /// Takes what a frame has; nil if that is no message.
  private func take(_ frame: MessageFrame, at offset: UInt64) throws -> FrameContent? {
    guard frame.isUnderstood else {
      if frame.mayBeIgnored { return nil }
      throw unread(
        frame, at: offset,
        "a newer version of the package has written the frame: kind \(frame.kind.rawValue), flags "
          + "\(frame.flags.rawValue), version \(frame.version)")
    }
    switch frame.kind {
    case .tables, .additions:
      try unsafe decoder.take(frame, frames.body, at: offset)
      knownTables = nil
      if frame.kind == .tables { missingRevision = nil }
      return nil
    case .archive:
      guard offset >= startOffset else { return nil }
      guard frame.messageCount == 1 else {
        throw unread(
          frame, at: offset, "the frame of an archive has \(frame.messageCount) messages: it was forged")
      }
    default:
      guard offset >= startOffset, frame.messageCount > 0 else { return nil }
      guard try findTables(for: frame) else {
        throw unread(frame, at: offset, "the tables that its messages need are lost")
      }
      unsafe decoder.takeMessages(
        frames.body, count: frame.messageCount, number: frame.number,
        isFlagged: frame.flags.contains(.objects))
      frameOffset = offset
      return .messages
    }
    decoder.skipMessages(to: frame.number + 1)
    frameOffset = offset
    return .archive
  }

  private func unread(_ frame: MessageFrame, at offset: UInt64, _ reason: String) -> GraphMessageDamage {
    let lost = frame.number..<(frame.nextNumber ?? frame.number)
    decoder.skipMessages(to: lost.upperBound)
    return GraphMessageDamage(offset..<(offset + UInt64(frame.byteCount)), lost: lost, reason)
  }

  /// Sees to it that the tables of a frame are there: if additions are lost, all tables are looked for behind the frame.
  private func findTables(for frame: MessageFrame) throws -> Bool {
    if decoder.tables?.cover(frame.revision) ?? false { return true }
    guard source.isSeekable, let identifier = frames.identifier,
      missingRevision.map({ frame.revision < $0 }) ?? true
    else { return false }
    let ahead = FrameReader(source, from: frames.offset, identifier: identifier)
    ahead.maximumByteCount = maximumFrameByteCount
    search: while true {
      switch try ahead.next() {
      case .end: break search
      case .damage: continue
      case .frame(let next, let offset):
        guard next.kind == .tables, next.isUnderstood else { continue }
        let origin = offset + UInt64(MessageFrame.headByteCount)
        let tables = try unsafe MessageTables(next, ahead.body, origin: origin)
        if tables.cover(frame.revision) {
          try unsafe decoder.take(next, ahead.body, at: offset)
          knownTables = nil
          return true
        }
        if tables.since > frame.revision { break search }
      }
    }
    missingRevision = min(missingRevision ?? .max, frame.revision)
    return false
  }
}

extension MessageTail {
  /// A reader of frames from the last tables in front of an offset on; nil if there are none.
  static func frames(
    of file: any RangeReader, _ source: FileMessageBytes, before offset: UInt64
  ) throws -> FrameReader? {
    let headerBytes = FrameReader(source)
    // The first frame, which tells the identifier; damage is met again by whoever reads from there.
    _ = try headerBytes.next()
    guard let identifier = headerBytes.identifier else { return nil }
    var span: UInt64 = 2 << 20
    while true {
      let start = offset > span ? offset - span : 0
      if let found = try lastTables(file, from: start, before: offset, identifier) {
        return FrameReader(source, from: found.offset, identifier: identifier)
      }
      if start == 0 { return nil }
      span *= 8
    }
  }
}
