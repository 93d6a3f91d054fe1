import CGraphArchive
import Foundation
import _GraphFiles
import _GraphSupport

/// Decodes the messages of a stream, with tables that grow.
///
/// Everything accessed for each message is `@exclusivity(unchecked)`, as in `DecoderTables`.
@usableFromInline
package final class MessageDecoder {
  private let settings: GraphDecoder
  /// nil before the first tables.
  @safe @exclusivity(unchecked) package private(set) var tables: MessageTables?
  /// Knows the tables; nil until a message needs it.
  @safe @exclusivity(unchecked) private var decoder: GDecoder?
  @safe @exclusivity(unchecked) private var isDecoding = false
  /// Whether the message that is being decoded has objects.
  @safe @exclusivity(unchecked) private var hasObjects = false
  /// Bytes of all tables that decoders were made for, and of all frames with tables.
  private var (rebuiltByteCount, receivedByteCount) = (UInt64(0), UInt64(0))

  /// The messages of the frame that are left.
  @safe @exclusivity(unchecked) private var input = StreamReader()
  @safe @exclusivity(unchecked) package private(set) var messagesLeft: UInt32 = 0
  @safe @exclusivity(unchecked) package private(set) var isFlagged = false
  /// The number of the message behind the last one.
  @safe @exclusivity(unchecked) package private(set) var nextNumber: UInt64 = 0
  /// What a message of few bytes may cost, and up to how many bytes.
  private let small: MessageAllowance
  private let smallByteCount: Int

  package init(_ settings: GraphDecoder) {
    self.settings = settings
    let limits = settings.limits
    smallByteCount = Int(clamping: min(limits.archiveByteCount, limits.expandedByteCount, 64 << 10))
    small = MessageAllowance(limits)
  }

  // MARK: Tables

  /// Reads a frame with tables or additions.
  ///
  /// Additions whose predecessors are missing are passed over: messages that need them cannot be read until all tables come.
  package func take(_ frame: MessageFrame, _ body: UnsafeRawBufferPointer, at offset: UInt64) throws {
    let origin = offset + UInt64(MessageFrame.headByteCount)
    receivedByteCount += UInt64(body.count)
    var taken: MessageTables
    if frame.kind == .tables {
      // As a rule, they are a repetition.
      if let tables, tables.revision == frame.revision, tables.cover(frame.revision) { return }
      taken = try unsafe MessageTables(frame, body, origin: origin)
    } else {
      guard let tables, frame.revision == tables.revision &+ 1 else { return }
      taken = tables
      try unsafe taken.add(frame, body, origin: origin)
      taken.byteCount = tables.byteCount
    }
    let names = taken.contents.keys.count + taken.contents.classes.count
    guard names <= settings.limits.nameCount else {
      throw GraphDecoder.Limits.exceeded(
        "the stream has \(names) names, more than \(settings.limits.nameCount)", "nameCount")
    }
    taken.byteCount += UInt64(body.count)
    (tables, decoder) = (taken, nil)
  }

  /// Takes tables that were found elsewhere in the stream.
  package func take(_ found: MessageTables) { (tables, decoder) = (found, nil) }

  /// A decoder for the tables.
  ///
  /// - Throws: `malformed` without tables; `limitExceeded` for a forged stream whose tables change all the time.
  @inline(never)
  private func makeDecoder() throws -> GDecoder {
    guard let tables else {
      throw GCodableError(.malformed, "a frame of messages stands in front of the tables that it needs")
    }
    rebuiltByteCount += tables.byteCount
    guard rebuiltByteCount <= 64 << 20 + 64 * receivedByteCount else {
      throw GraphDecoder.Limits.exceeded("the tables of the stream change too often", "stepRatio")
    }
    var contents = tables.contents
    contents.graph = .embedded([0])  // Each message brings its own.
    let empty = unsafe ArchiveSource(UnsafeRawBufferPointer(start: nil, count: 0))
    let header = ArchiveHeader(contentsByteCount: 1, byteCount: 0, contentsHash: 0)
    let reader = ArchiveReader(empty, header, contents, threadCount: 1)
    let classes = ClassResolver(contents.classes, chosen: settings.chosenClasses)
    let made = GDecoder(
      try DecoderTables(reader, classes: classes), userInfo: settings.storedInfo, limits: settings.limits)
    decoder = made
    return made
  }

  // MARK: Messages

  /// Takes the messages of a frame.
  ///
  /// - Parameters:
  ///   - body: their bytes, which outlive the decoding.
  ///   - isFlagged: whether each says how many objects it has.
  package func takeMessages(_ body: UnsafeRawBufferPointer, count: UInt32, number: UInt64, isFlagged: Bool) {
    input = unsafe StreamReader(body)
    (messagesLeft, nextNumber, self.isFlagged) = (count, number, isFlagged)
  }

  /// Moves past messages that are not decoded.
  package func skipMessages(to number: UInt64) { (messagesLeft, nextNumber) = (0, number) }

  /// The bytes of the next message of the frame; nil if there is none.
  ///
  /// - Throws: ``WrongLength``; the rest of the frame is then passed over.
  package func nextBytes() throws -> UnsafeRawBufferPointer? {
    guard messagesLeft > 0 else { return nil }
    return try unsafe takeBytes()
  }

  @inline(__always)
  private func takeBytes() throws -> UnsafeRawBufferPointer {
    messagesLeft &-= 1
    nextNumber &+= 1
    guard let count = input.nextVarint(), count > 0, count <= UInt64(input.left),
      let bytes = unsafe input.nextBytes(Int(count)), messagesLeft > 0 || input.left == 0
    else { throw wrongLength() }
    return unsafe bytes
  }

  @inline(never)
  private func wrongLength() -> WrongLength {
    let lost = (nextNumber - 1)..<(nextNumber + UInt64(messagesLeft))
    skipMessages(to: lost.upperBound)
    return WrongLength(lost: lost)
  }

  /// The messages of a frame do not fill it as they should.
  package struct WrongLength: Error {
    package let lost: Range<UInt64>
  }

  /// A decoder at the start of the next message of the frame; nil if there is none.
  ///
  /// `end` follows, also after an error of decoding.
  ///
  /// - Throws: ``WrongLength``; `malformed`; `limitExceeded`.
  @usableFromInline
  package func begin() throws -> GDecoder? {
    guard messagesLeft > 0 else { return nil }
    if isDecoding { throw reentered() }
    let message = try unsafe takeBytes()
    guard let decoder, !isFlagged, message.count <= smallByteCount else {
      return try unsafe beginLarge(message)
    }
    isDecoding = true
    // Up to the end of the frame, so that only its last message has numbers near the end: where a message ends is checked
    // when it has been read.
    let rest = unsafe UnsafeRawBufferPointer(start: message.baseAddress, count: message.count + input.left)
    unsafe decoder.tables.takeMessage(rest, byteCount: message.count)
    decoder.state.pointee.takeMessage(decoder.tables, small)
    return decoder
  }

  @inline(never)
  private func beginLarge(_ message: UnsafeRawBufferPointer) throws -> GDecoder {
    let known = decoder
    let decoder = try known ?? makeDecoder()
    guard UInt64(message.count) <= min(settings.limits.archiveByteCount, settings.limits.expandedByteCount)
    else { throw tooLarge(message.count) }
    let parts = try unsafe MessageParts(message, isFlagged: isFlagged)
    let index = try parts.objectIndex(settings.limits)
    isDecoding = true
    hasObjects = index != nil
    unsafe decoder.tables.takeMessage(parts.stream, byteCount: parts.stream.count)
    if let index { decoder.tables.takeObjects(index) }
    decoder.state.pointee.takeMessage(decoder.tables, settings.limits, hasObjects: hasObjects)
    return decoder
  }

  /// - Throws: an error while a message is being decoded.
  package func checkIdle() throws { if isDecoding { throw reentered() } }

  @inline(never)
  private func reentered() -> GCodableError {
    GCodableError(
      .internalInconsistency, "an init(from:) has read from the stream that its own message came from")
  }

  /// Ends a message.
  @usableFromInline
  package func end() {
    isDecoding = false
    guard let decoder, !hasObjects, decoder.isIdle else { return endLarge() }
    decoder.forgetMessage()
  }

  @inline(never)
  private func endLarge() {
    let hadObjects = hasObjects
    hasObjects = false
    decoder?.forgetInput()
    guard let decoder, decoder.isIdle else { return self.decoder = nil }
    if hadObjects { decoder.forgetObjects() }
  }

  /// The error, which may have left anything: the decoder is not used again.
  @usableFromInline
  @inline(never)
  package func failed(_ error: any Error) -> any Error {
    (isDecoding, hasObjects) = (false, false)
    decoder?.forgetDeferred()
    decoder?.forgetInput()
    decoder = nil
    return error
  }

  @inline(never)
  private func tooLarge(_ byteCount: Int) -> GCodableError {
    let limits = settings.limits
    let name = UInt64(byteCount) > limits.archiveByteCount ? "archiveByteCount" : "expandedByteCount"
    return GraphDecoder.Limits.exceeded("a message has \(byteCount) bytes", name)
  }
}

extension GDecoder {
  /// Decodes a message as `readGraph` does a graph; after an error, `failed` forgets what waits.
  @inlinable
  package func readMessage<Root: GDecodable>(_ type: Root.Type) throws -> Root {
    if gca_stack_pointer() < state.pointee.stackLimit { return try readGraph(type) }
    let root = try Root._graphRead(self, try readOuterKind())
    try endMessage()
    return root
  }

  @usableFromInline
  func endMessage() throws {
    guard state.pointee.stream.offset == tables.rootEnd else { return try checkRootEnd() }
    if state.pointee.deferred.isEmpty, tables.codable == nil { return }
    try runDeferred()
    forgetDeferred()
  }

  /// Gives back the bytes of a message.
  @inline(__always)
  fileprivate func forgetMessage() {
    tables.forgetMessage()
    state.pointee.stream.input = StreamReader()
  }

  /// Whether nothing of a message is left, and no `init(from:)` has kept the decoder's records.
  fileprivate var isIdle: Bool { state.pointee.tracks.isIdle && state.pointee.cursor.isIdle }

  /// Releases the objects of a message.
  fileprivate func forgetObjects() {
    if state.pointee.built.count > 0 {
      Nesting.withRoom(toRelease: state.pointee.maximumDepth) { tables.releaseObjects(state.pointee.built) }
    }
    tables.forgetObjects()
    state.pointee.forgetObjects(tables)
  }
}
