import Foundation
import _GraphSupport

/// Reads the frames of a stream of messages, and goes on behind damage.
///
/// It knows nothing of what frames hold, but for the identifier in those with all tables.
package final class FrameReader {
  private let window: ByteWindow
  /// nil until it is known.
  package private(set) var identifier: UInt64?
  /// The number that the next message should have; nil until the first frame.
  package private(set) var nextNumber: UInt64?
  /// Frames with more bytes are refused.
  package var maximumByteCount = 64 << 20
  private var phase = Phase.start
  /// The frame that was read last, and lies in front of the cursor's next place.
  private var lastByteCount = 0
  private var searches = SearchBudget()
  /// Whether a stream may be joined in its middle.
  private let joins: Bool

  private enum Phase {
    case start
    case frames
    /// The rest of a frame that is too large is.
    case skipping(until: UInt64)
    /// A frame is searched for; where the search begins, and whether the bytes up to the cursor have been reported.
    case searching(from: UInt64, isReported: Bool)
    /// Those with all tables are, because the identifier is not known.
    case joining(from: UInt64)
  }

  package enum Outcome {
    /// The `body` is valid until the next call.
    case frame(MessageFrame, offset: UInt64)
    /// Bytes that are no frame, and messages that are missing.
    case damage(Range<UInt64>, lost: Range<UInt64>)
    /// There are no more whole frames now.
    case end
  }

  /// - Parameters:
  ///   - offset: where to begin; behind 0 only with an identifier.
  ///   - identifier: that of the stream, if its header has been read.
  package init(
    _ source: any MessageBytes, from offset: UInt64 = 0, identifier: UInt64? = nil, joins: Bool = false
  ) {
    window = ByteWindow(source, from: offset)
    self.identifier = identifier
    self.joins = joins
    if identifier != nil { phase = .searching(from: offset, isReported: true) }
  }

  /// Where the next frame is looked for: behind all that was returned.
  package var offset: UInt64 { window.offset + UInt64(lastByteCount) }

  /// Bytes of a frame that is not complete, once there are no more frames.
  package var incompleteByteCount: Int { window.count }

  private var source: any MessageBytes { window.source }

  /// The next frame, or what is in its place.
  ///
  /// - Throws: `notAnArchive` if the bytes are no stream; `limitExceeded` for a frame that is too large, after which the next call
  ///   goes on behind its head; `malformed` if a search takes too much; errors of the source.
  package func next() throws -> Outcome {
    window.advance(by: lastByteCount)
    lastByteCount = 0
    while true {
      switch phase {
      case .start: if try !readStart() { return .end }
      case .frames: return try readFrame()
      case .skipping(let end):
        guard try skip(to: end) else { return .end }
        phase = .frames
      case .searching(let start, let isReported): return try search(from: start, isReported)
      case .joining(let start): return try join(from: start)
      }
    }
  }

  /// Reads the header; false if there is none yet.
  private func readStart() throws -> Bool {
    let isWhole = try window.has(MessageLogHeader.byteCount)
    if !isWhole, !source.isComplete { return false }
    let start = unsafe window.bytes(min(window.count, MessageLogHeader.byteCount))
    switch try unsafe MessageLogHeader.find(in: start) {
    case .valid(let header):
      identifier = header.identifier
      window.advance(by: MessageLogHeader.byteCount)
      phase = .frames
    case .notBegun: return false
    case .damaged: phase = .joining(from: window.offset)
    case .other:
      guard joins else {
        throw GCodableError(
          .notAnArchive,
          "the bytes do not begin with \"gcstream\": this is no stream of messages, or the middle of one, which has to be "
            + "joined", byteOffset: 0)
      }
      phase = .joining(from: window.offset)
    }
    return true
  }

  private func readFrame() throws -> Outcome {
    guard try window.has(4) else {
      if source.isComplete, window.count > 0, unsafe !Self.mayBegin(window.bytes) { return try lose() }
      return .end
    }
    guard try window.has(MessageFrame.frameByteCount) else {
      if source.isComplete, unsafe !Self.mayBegin(window.bytes(4)) { return try lose() }
      return .end
    }
    guard let frame = unsafe MessageFrame(window.bytes), let identifier, let next = frame.nextNumber,
      unsafe frame.isIntact(window.bytes, identifier), nextNumber.map({ frame.number >= $0 }) ?? true
    else { return try lose() }
    guard frame.byteCount <= maximumByteCount else {
      let offset = window.offset
      (nextNumber, phase) = (next, .skipping(until: offset + UInt64(frame.byteCount)))
      throw tooLarge(frame, at: offset)
    }
    guard try window.has(frame.byteCount) else { return try atIncompleteFrame() }
    guard unsafe MessageFrame.isIntact(window.bytes(frame.byteCount), identifier) else { return try lose() }
    if let expected = nextNumber, frame.number != expected {
      nextNumber = frame.number
      return .damage(window.offset..<window.offset, lost: expected..<frame.number)
    }
    nextNumber = next
    lastByteCount = frame.byteCount
    return .frame(frame, offset: window.offset)
  }

  /// The body of the frame that was returned last.
  package var body: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: window.bytes(lastByteCount - 8)[MessageFrame.headByteCount...])
  }

  /// Moves to an offset; false if the bytes up to there are not here yet.
  private func skip(to end: UInt64) throws -> Bool {
    while window.offset < end {
      guard try window.has(1) else { return false }
      window.advance(by: Int(min(UInt64(window.count), end - window.offset)))
    }
    return true
  }

  @inline(never)
  private func tooLarge(_ frame: MessageFrame, at offset: UInt64) -> GCodableError {
    GCodableError(
      .limitExceeded,
      "a frame has \(frame.byteCount) bytes, more than \(maximumByteCount); raise maximumFrameByteCount of the reader if the stream "
        + "comes from somebody you trust", byteOffset: offset)
  }

  private static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe withUnsafeBytes(of: MessageFrame.marker.littleEndian) { unsafe $0.starts(with: bytes.prefix(4)) }
  }

  // MARK: Damage

  /// Begins to search for the next frame.
  private func lose() throws -> Outcome {
    let start = window.offset
    phase = .searching(from: start, isReported: false)
    window.advance(by: 1)
    return try search(from: start, false)
  }

  /// At a frame whose head has more bytes than there are: it is the last one, unless its head is damaged.
  private func atIncompleteFrame() throws -> Outcome {
    let start = window.offset
    guard source.isComplete else { return .end }
    window.keep(from: start)
    defer { window.keep(from: nil) }
    window.advance(by: 1)
    let found = try find(from: start)
    guard let found else {
      window.move(to: start)
      return .end
    }
    return found
  }

  private func search(from start: UInt64, _ isReported: Bool) throws -> Outcome {
    if let found = try find(from: start) {
      guard case .damage(let range, let lost) = found, isReported else { return found }
      guard range.upperBound == start, lost.isEmpty else {
        // What was reported before is not reported again.
        return .damage(min(start, range.upperBound)..<range.upperBound, lost: lost)
      }
      return try next()
    }
    let end = window.offset
    guard source.isComplete, !isReported, end > start else { return .end }
    phase = .searching(from: end, isReported: true)
    return .damage(start..<end, lost: 0..<0)
  }

  /// Searches for a frame from the cursor on.
  ///
  /// - Returns: the damage up to the frame, to which the cursor has moved; nil if there is none, with the cursor behind all that can
  ///   be none.
  private func find(from start: UInt64) throws -> Outcome? {
    guard let identifier else { return nil }
    let first = window.offset
    let found = try unsafe searchFrame { frame in
      guard let expected = nextNumber else { return frame.nextNumber != nil }
      // Each message that is missing had a byte.
      return frame.number >= expected && frame.number - expected <= window.offset - start
        && frame.nextNumber != nil
    } isHead: {
      unsafe $0.isIntact($1, identifier)
    } check: { _, bytes in
      unsafe MessageFrame.isIntact(bytes, identifier)
    }
    searches.end(window.offset - first)
    guard let found else { return nil }
    let lost = nextNumber.map { $0..<found.number } ?? found.number..<found.number
    nextNumber = found.number
    phase = .frames
    return .damage(start..<window.offset, lost: lost)
  }

  /// Searches for a frame with all tables, of any stream.
  private func join(from start: UInt64) throws -> Outcome {
    var identifier: UInt64?
    let found = try unsafe searchFrame {
      $0.kind == .tables
    } isHead: { _, _ in
      true
    } check: {
      frame, bytes in
      let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[MessageFrame.headByteCount...])
      identifier = unsafe MessageTables.identifier(in: body)
      guard let identifier, unsafe frame.isIntact(bytes, identifier) else { return false }
      return unsafe MessageFrame.isIntact(bytes, identifier)
    }
    guard let found else {
      let end = window.offset
      guard source.isComplete, end > start else { return .end }
      phase = .joining(from: end)
      return .damage(start..<end, lost: 0..<0)
    }
    (self.identifier, nextNumber, phase) = (identifier, found.number, .frames)
    // A stream that is joined where a frame begins has lost nothing.
    return window.offset == start ? try next() : .damage(start..<window.offset, lost: 0..<found.number)
  }

  /// Moves the cursor to the next frame that is accepted.
  ///
  /// - Parameters:
  ///   - isPlausible: looks at a head, at the cursor.
  ///   - isHead: looks at the bytes of the head.
  ///   - check: looks at all bytes.
  private func searchFrame(
    _ isPlausible: (MessageFrame) -> Bool, isHead: (MessageFrame, UnsafeRawBufferPointer) -> Bool,
    check: (MessageFrame, UnsafeRawBufferPointer) -> Bool
  ) throws -> MessageFrame? {
    let start = window.offset
    while try window.has(MessageFrame.frameByteCount) {
      window.advance(by: unsafe Self.distanceToMarker(in: window.bytes))
      guard try window.has(MessageFrame.frameByteCount) else { break }
      if let frame = unsafe MessageFrame(window.bytes), frame.byteCount <= maximumByteCount,
        isPlausible(frame), unsafe isHead(frame, window.bytes)
      {
        guard try window.has(frame.byteCount) else {
          guard source.isComplete else { return nil }  // The rest of it is to come.
          window.advance(by: 1)
          continue
        }
        try searches.take(frame.byteCount, at: window.offset, searched: window.offset - start)
        if unsafe check(frame, window.bytes(frame.byteCount)) { return frame }
      }
      window.advance(by: 1)
    }
    // A part of a frame may be at the end, of which more comes later.
    if source.isComplete { window.advance(by: window.count) }
    return nil
  }

  /// Bytes up to where a marker may begin.
  private static func distanceToMarker(in bytes: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress,
      let found = unsafe memchr(start, Int32(MessageFrame.marker & 0xFF), bytes.count)
    else { return bytes.count }
    return unsafe UnsafeRawPointer(found) - start
  }
}

/// What searches may hash: a search of a forged stream could be made to take many overlapping ranges for frames.
private struct SearchBudget {
  private var hashed: UInt64 = 0
  private var searched: UInt64 = 0
  private static let free: UInt64 = 64 << 20

  mutating func take(_ byteCount: Int, at offset: UInt64, searched more: UInt64) throws {
    hashed += UInt64(byteCount)
    guard hashed <= Self.free + searched + more else {
      throw GCodableError(.malformed, "there are too many false frames", byteOffset: offset)
    }
  }

  mutating func end(_ byteCount: UInt64) { searched += byteCount }
}
