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
  let decoder: MessageDecoder
  /// The messages of the frame that are left, and their number.
  @safe @exclusivity(unchecked) private var input = StreamReader()
  @safe @exclusivity(unchecked) private var messagesLeft: UInt32 = 0
  @safe @exclusivity(unchecked) private var isFlagged = false
  /// Whether the frame is one message, an archive.
  @safe @exclusivity(unchecked) private var isArchive = false
  @safe @exclusivity(unchecked) private(set) var frameOffset: UInt64 = 0
  /// The number of the message behind the last one that was read.
  @safe @exclusivity(unchecked) public private(set) var nextNumber: UInt64 = 0
  /// Messages in front of this offset are passed over.
  private let startOffset: UInt64
  /// The lowest revision for which no tables are in the rest of the stream.
  private var missingRevision: UInt32?

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
    decoder: GraphDecoder = GraphDecoder(), joining: Bool = false, reading pull: @escaping (Int) throws -> Data?
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
  public var incompleteByteCount: Int { messagesLeft > 0 ? 0 : frames.incompleteByteCount }

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
    switch try advance() {
    case .end: return nil
    case .archive(let archive): return try archive.decode(type, using: decoderSettings)
    case .message(let decoder):
      let message: Message
      do { message = try decoder.readGraph(type) } catch { throw failed(error) }
      endMessage()
      return message
    }
  }

  /// Decodes the next message, which is `Codable`; nil at the end.
  ///
  /// - Throws: as ``next(_:)`` and `GraphDecoder.decode(codable:from:)`.
  /// - Complexity: O(n) in the size of the message.
  public func next<Message: Decodable>(codable type: Message.Type = Message.self) throws -> Message? {
    switch try advance() {
    case .end: return nil
    case .archive(let archive): return try archive.decode(codable: type, using: settings)
    case .message(let decoder):
      let message: Message
      do { message = try decoder.readGraph(codable: type) } catch { throw failed(error) }
      endMessage()
      return message
    }
  }

  /// The next message, for code without its Swift types; nil at the end.
  ///
  /// - Throws: as ``next(_:)``, without decoding.
  /// - Complexity: O(n) in the size of the message and of the tables.
  public func nextMessage() throws -> GraphMessage? {
    guard let bytes = try unsafe nextBytes() else { return nil }
    return GraphMessage(
      number: nextNumber - 1, frameOffset: frameOffset, byteCount: bytes.count,
      archive: try unsafe archive(of: bytes))
  }

  @usableFromInline
  enum Step {
    case end
    case archive(GraphArchive)
    /// `endMessage` or `failed` follows.
    case message(GDecoder)
  }

  @usableFromInline var decoderSettings: GraphDecoder { settings }

  /// Moves to the next message.
  @usableFromInline
  func advance() throws -> Step {
    guard let bytes = try unsafe nextBytes() else { return .end }
    if isArchive { return .archive(try unsafe archive(of: bytes)) }
    return .message(try unsafe decoder.begin(bytes, isFlagged: isFlagged))
  }

  @usableFromInline
  func endMessage() { decoder.end(true) }

  @usableFromInline
  @inline(never)
  func failed(_ error: any Error) -> any Error {
    decoder.end(false)
    return error
  }

  private func archive(of bytes: UnsafeRawBufferPointer) throws -> GraphArchive {
    if isArchive { return try GraphArchive(unsafe Array(bytes)) }
    guard let tables = decoder.tables else { preconditionFailure("a message is read after its tables") }
    let parts = try unsafe MessageParts(bytes, isFlagged: isFlagged)
    return try GraphArchive(parts.contents(tables).archive)
  }

  // MARK: Frames

  /// The bytes of the next message, valid until the next call; nil at the end.
  private func nextBytes() throws -> UnsafeRawBufferPointer? {
    if messagesLeft == 0, try !nextFrame() { return nil }
    messagesLeft -= 1
    nextNumber += 1
    if isArchive { return unsafe frames.body }
    guard let count = input.nextVarint(), count > 0, count <= UInt64(input.left),
      let bytes = unsafe input.nextBytes(Int(count)), messagesLeft > 0 || input.left == 0
    else { throw wrongLength() }
    return unsafe bytes
  }

  @inline(never)
  private func wrongLength() -> GraphMessageDamage {
    let lost = (nextNumber - 1)..<(nextNumber + UInt64(messagesLeft))
    messagesLeft = 0
    nextNumber = lost.upperBound
    let end = frames.offset
    return GraphMessageDamage(
      frameOffset..<end, lost: lost, "the frame has its checksum, but not the messages that it should have: it was forged")
  }

  /// Moves to the next frame with messages; false at the end.
  @inline(never)
  private func nextFrame() throws -> Bool {
    while true {
      switch try frames.next() {
      case .end: return false
      case .damage(let range, let lost):
        if !lost.isEmpty { nextNumber = lost.upperBound }
        if range.lowerBound < startOffset, range.upperBound <= startOffset { continue }
        throw GraphMessageDamage(
          range, lost: lost,
          range.isEmpty ? "frames are missing" : "the bytes are no frame with its checksum")
      case .frame(let frame, let offset):
        if try take(frame, at: offset) { return true }
      }
    }
  }

  /// Takes what a frame has; false if that is no message.
  private func take(_ frame: MessageFrame, at offset: UInt64) throws -> Bool {
    guard frame.isUnderstood else {
      if frame.mayBeIgnored { return false }
      throw unread(frame, at: offset, "a newer version of the package has written the frame: kind \(frame.kind.rawValue), flags "
        + "\(frame.flags.rawValue), version \(frame.version)")
    }
    switch frame.kind {
    case .tables, .additions:
      try unsafe decoder.take(frame, frames.body, at: offset)
      if frame.kind == .tables { missingRevision = nil }
      return false
    case .archive:
      guard offset >= startOffset else { return false }
      guard frame.messageCount == 1 else {
        throw unread(frame, at: offset, "the frame of an archive has \(frame.messageCount) messages: it was forged")
      }
    default:
      guard offset >= startOffset, frame.messageCount > 0 else { return false }
      guard try findTables(for: frame) else {
        throw unread(frame, at: offset, "the tables that its messages need are lost")
      }
      input = unsafe StreamReader(frames.body)
      isFlagged = frame.flags.contains(.objects)
    }
    isArchive = frame.kind == .archive
    (messagesLeft, nextNumber, frameOffset) = (frame.messageCount, frame.number, offset)
    return true
  }

  private func unread(_ frame: MessageFrame, at offset: UInt64, _ reason: String) -> GraphMessageDamage {
    let lost = frame.number..<(frame.nextNumber ?? frame.number)
    nextNumber = lost.upperBound
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

extension Contents {
  /// An archive of nothing but these contents.
  fileprivate var archive: [UInt8] {
    let bytes = bytes
    let header = unsafe bytes.withUnsafeBytes { unsafe ArchiveHeader(contents: $0) }
    return header.bytes + bytes
  }
}
