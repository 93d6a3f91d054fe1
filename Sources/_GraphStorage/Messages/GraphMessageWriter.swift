import Foundation
import _GraphCoding
import _GraphFiles
import _GraphSupport

/// Writes a stream of messages: to a file, a pipe, a socket or memory.
///
///     let log = try GraphMessageWriter(url)
///     for event in events { try log.write(event) }
///     try log.close()
///
/// What an archive has beside its values (keys, classes, shapes) is sent once; a message adds what is new. Several messages make
/// up a frame, with its length, the number of its first message and a checksum. ``GraphMessageReader`` reads the stream.
///
/// A message is a graph of its own: objects have their identity in it, and not across messages. A message with large arrays, or of
/// more than 64 KiB, is compressed as an archive is.
///
/// Messages are kept back until their frame is full, and frames until ``Options/bufferByteCount`` bytes are there: ``flush()`` hands
/// over all of them. A file is locked as long as the writer has it. Of a process that ends without ``close()``, the stream has all
/// messages that were flushed; the next writer removes the part of a frame behind them.
///
/// A writer is used by one thread at a time. An `encode(to:)` must not write to it.
public final class GraphMessageWriter {
  /// When messages are handed over, and tables repeated.
  public struct Options: Sendable {
    /// The number of bytes from which on a frame is complete.
    ///
    /// Damage costs the messages of its frame. A frame takes 40 bytes beside its messages, and a message one or two. 1 gives each
    /// message its own frame. Default: 8,192.
    public var frameByteCount = 8 << 10
    /// The number of bytes after which all tables are sent again, for readers that join the stream or have lost a part of it.
    ///
    /// Large tables are sent less often, so that they make up at most an eighth of the stream. Default: 1 MiB.
    public var tablesByteCount = 1 << 20
    /// The number of bytes from which on complete frames are handed over.
    ///
    /// Default: 65,536.
    public var bufferByteCount = 64 << 10
    /// A number that tells the stream from others, whose frames may be part of a message.
    ///
    /// A file that has messages keeps its own. Set it only where a test needs the same bytes each time. Default: nil, for a random
    /// number.
    public var identifier: UInt64?

    /// The default options.
    public init() {}
  }

  private let encoder: MessageEncoder
  private let sink: any MessageSink
  private let bufferByteCount: Int
  private var isClosed = false

  /// Opens a file to append messages to it, or creates it.
  ///
  /// - Parameters:
  ///   - url: the file, by custom with the extension `gclog`.
  ///   - encoder: the settings at this moment: options, `userInfo`, precision, metadata.
  ///   - options: when messages are handed over.
  /// - Throws: `GCodableError`: `locked` when another writer has the file; `notAnArchive` for a file of another kind;
  ///   `damaged` if its header is; `limitExceeded` if its messages have numbers from 2^63 on, which none that a writer made has; `file`.
  /// - Complexity: as a rule O(1): the end of the file is read up to the last tables.
  public convenience init(
    _ url: URL, encoder: GraphEncoder = GraphEncoder(), options: Options = Options()
  ) throws {
    let sink = try FileMessageSink(url, identifier: options.identifier ?? .random(in: 0 ... .max))
    try self.init(sink, encoder, options, sink.tail)
  }

  /// Makes a writer that hands its bytes to a closure.
  ///
  /// - Parameters:
  ///   - encoder: the settings at this moment.
  ///   - options: when messages are handed over.
  ///   - put: writes bytes to a pipe or a socket. After an error the next call has the same bytes again, and more.
  public convenience init(
    encoder: GraphEncoder = GraphEncoder(), options: Options = Options(),
    writing put: @escaping (Data) throws -> Void
  ) throws {
    try self.init(ClosureMessageSink(put), encoder, options)
  }

  /// Makes a writer that collects its bytes until ``takeBytes()``: for tests, and for code that sends them asynchronously.
  ///
  ///     try writer.write(event)
  ///     try await connection.send(writer.takeBytes())
  ///
  /// - Parameters:
  ///   - encoder: the settings at this moment.
  ///   - options: when frames are complete.
  public convenience init(encoder: GraphEncoder = GraphEncoder(), options: Options = Options()) throws {
    try self.init(MemoryMessageSink(), encoder, options)
  }

  /// Begins a stream that no file has.
  private convenience init(_ sink: any MessageSink, _ encoder: GraphEncoder, _ options: Options) throws {
    let identifier = options.identifier ?? .random(in: 0 ... .max)
    let header = MessageLogHeader(identifier: identifier)
    try self.init(sink, encoder, options, MessageTail(identifier: identifier, end: 0), header: header.bytes)
  }

  private init(
    _ sink: any MessageSink, _ settings: GraphEncoder, _ options: Options, _ tail: MessageTail,
    header: [UInt8] = []
  ) throws {
    // Numbers never wrap then, whatever the file says: no writer lives to write so many messages.
    guard tail.nextNumber < 1 << 63 else {
      throw GCodableError(
        .limitExceeded, "the next message would have the number \(tail.nextNumber): begin another stream")
    }
    self.sink = sink
    bufferByteCount = options.bufferByteCount
    encoder = try MessageEncoder(
      settings,
      .init(frameByteCount: options.frameByteCount, tablesByteCount: options.tablesByteCount),
      identifier: tail.identifier, position: tail.end, nextNumber: tail.nextNumber, revision: tail.revision)
    try encoder.put(header)
  }

  deinit { try? close() }

  /// The number of the next message; the first one of a stream is 0.
  public var nextNumber: UInt64 { encoder.nextNumber }

  /// Writes a message.
  ///
  /// - Throws: as `GraphEncoder.encode`, after which the stream is as before; as ``flush()`` where a buffer is full: the message is
  ///   then kept, and handed over by the next call.
  /// - Complexity: O(n) in the size of the message.
  @inlinable
  public func write<Message: GEncodable>(_ message: Message) throws {
    // Inlined so that the message's own coding is compiled for its type.
    try write { try $0.writeRoot(message) }
  }

  /// Writes a `Codable` message.
  ///
  /// - Throws: as ``write(_:)`` and `GraphEncoder.encode(codable:)`.
  /// - Complexity: O(n) in the size of the message.
  public func write<Message: Encodable>(codable message: Message) throws {
    try write { try $0.writeRoot(codable: message) }
  }

  /// Writes messages one after the other, which is faster than a call for each.
  ///
  /// Structs of numbers by `@GCodable` are written about three times as fast as by ``write(_:)``; the bytes are the same. Up to 64
  /// messages are taken from a sequence that is no array before they are written.
  ///
  /// - Throws: as ``write(_:)``. The messages in front of the one that failed are written; ``nextNumber`` tells how many these are.
  /// - Complexity: O(n) in the size of all messages.
  @inlinable
  public func write<Messages: Sequence>(contentsOf messages: Messages) throws
  where Messages.Element: GEncodable {
    // Inlined for the same reason. Only lists of properties may be written without a call.
    guard Messages.Element._graphIsFieldwise else {
      for message in messages { try write(message) }
      return
    }
    let done: Void? = try messages.withContiguousStorageIfAvailable { try unsafe writeChunk($0) }
    if done != nil { return }
    var messages = messages.makeIterator()
    try unsafe withUnsafeTemporaryAllocation(of: Messages.Element.self, capacity: 64) { chunk in
      while true {
        var count = 0
        // The chunk has room for them, and they are deinitialized below.
        while count < chunk.count, let message = messages.next() {
          unsafe (chunk.baseAddress.unsafelyUnwrapped + count).initialize(to: message)
          count += 1
        }
        defer { unsafe chunk.prefix(count).deinitialize() }
        try unsafe writeChunk(UnsafeBufferPointer(rebasing: chunk.prefix(count)))
        if count < chunk.count { return }
      }
    }
  }

  @inlinable
  @inline(__always)
  func writeChunk<Message: GEncodable>(_ messages: UnsafeBufferPointer<Message>) throws {
    var start = 0
    // The first message of a frame or a type may have to be written by itself, and all where runs are not possible.
    var hasRuns = true
    while start < messages.count {
      let count = hasRuns ? try unsafe writeRun(UnsafeBufferPointer(rebasing: messages[start...])) : 0
      start += count
      guard count == 0 else { continue }
      try unsafe write(messages[start])
      start += 1
      guard hasRuns, start < messages.count else { continue }
      let next = try unsafe writeRun(UnsafeBufferPointer(rebasing: messages[start...]))
      start += next
      hasRuns = next > 0
    }
  }

  /// Writes the first ones of some messages.
  ///
  /// - Returns: how many; 0 where they cannot be written in a run.
  @usableFromInline
  func writeRun<Message: GEncodable>(_ messages: UnsafeBufferPointer<Message>) throws -> Int {
    guard !isClosed else { throw closed() }
    let count = try unsafe encoder.encodeRun(messages)
    if count > 0, encoder.byteCount >= bufferByteCount { try handOver() }
    return count
  }

  @usableFromInline
  func write(_ writeRoot: (GEncoder) throws -> Void) throws {
    guard !isClosed else { throw closed() }
    try encoder.encode(writeRoot)
    if encoder.byteCount >= bufferByteCount { try handOver() }
  }

  @inline(never)
  private func closed() -> GCodableError {
    GCodableError(.file, "the stream of messages has been closed: make another writer")
  }

  /// Hands over the frames that are complete.
  @inline(never)
  private func handOver() throws {
    if !encoder.hasOpenFrame { try unsafe encoder.take { try unsafe sink.write($0, isRequested: false) } }
  }

  /// Ends the frame, and hands over all messages that were written.
  ///
  /// In a file they survive the end of this process, but not that of the system: see ``synchronize()``. That the file is still at its
  /// place is checked here, and every 10 ms where a full buffer is handed over.
  ///
  /// - Throws: code `file` when the file cannot be written, or is no longer at its place; `locked` in a forked process; errors
  ///   of the closure. The next call tries again.
  public func flush() throws {
    guard !isClosed else { throw closed() }
    try encoder.checkIsIdle()
    try encoder.endFrame()
    guard encoder.byteCount > 0 else { return }
    try unsafe encoder.take { try unsafe sink.write($0, isRequested: true) }
  }

  /// Hands over all messages, and waits until a file is on the device.
  ///
  /// - Throws: as ``flush()``; code `file` when the device fails.
  public func synchronize() throws {
    try flush()
    try sink.synchronize()
  }

  /// Hands over all messages, repeats the tables if some came late, and gives back the file.
  ///
  /// A writer that is released without it does the same, and ignores errors.
  ///
  /// - Throws: as ``flush()``.
  public func close() throws {
    guard !isClosed else { return }
    try encoder.checkIsIdle()
    try encoder.finish()
    try flush()
    isClosed = true
    sink.close()
  }

  /// Ends the frame, and takes all bytes since the last call, which are whole frames.
  ///
  /// - Returns: nothing, if the writer has a file or a closure.
  /// - Throws: `noMemory`.
  public func takeBytes() throws -> Data {
    if !isClosed { try flush() }
    return (sink as? MemoryMessageSink)?.take() ?? Data()
  }
}
