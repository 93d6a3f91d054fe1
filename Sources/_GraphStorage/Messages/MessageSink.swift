import Foundation
import _GraphCoding
import _GraphFiles
import _GraphSupport

/// Where the frames of a stream of messages go.
protocol MessageSink: AnyObject {
  /// Writes bytes behind those before; after an error the next call has the same bytes, and more.
  ///
  /// - Parameter isRequested: whether the caller has asked for it, and no buffer was full.
  func write(_ bytes: UnsafeRawBufferPointer, isRequested: Bool) throws
  /// Brings all of them to the device, if there is one.
  func synchronize() throws
  /// Gives up what it holds.
  func close()
}

/// Collects bytes until they are taken.
final class MemoryMessageSink: MessageSink {
  private(set) var bytes = Data()

  func write(_ bytes: UnsafeRawBufferPointer, isRequested: Bool) {
    unsafe self.bytes.append(contentsOf: bytes)
  }
  func synchronize() {}
  func close() {}

  func take() -> Data {
    defer { bytes = Data() }
    return bytes
  }
}

/// Hands bytes to a closure.
final class ClosureMessageSink: MessageSink {
  private let put: (Data) throws -> Void

  init(_ put: @escaping (Data) throws -> Void) { self.put = put }

  func write(_ bytes: UnsafeRawBufferPointer, isRequested: Bool) throws { try put(unsafe Data(bytes)) }
  func synchronize() {}
  func close() {}
}

/// Appends to a file, which it locks.
final class FileMessageSink: MessageSink {
  private let lock: WriterLock
  private(set) var end: UInt64
  /// When the file was found at its place.
  private var checked = ContinuousClock.now
  /// What the next frames follow.
  let tail: MessageTail

  /// Opens a file, or creates it, and cuts off a frame that was not finished.
  init(_ url: URL, identifier: UInt64) throws {
    lock = try WriterLock(appendingTo: url)
    let file = lock.file
    var byteCount = try file.byteCount()
    let found = try MessageTail.find(in: file, byteCount)
    if found == nil {
      // Nothing else is written before the header is on the device.
      let header = MessageLogHeader(identifier: identifier).bytes
      try unsafe header.withUnsafeBytes { try unsafe file.write([$0], at: 0) }
      try file.sync()
      try file.syncName()
      byteCount = UInt64(MessageLogHeader.byteCount)
    }
    tail = found ?? MessageTail(identifier: identifier, end: byteCount)
    end = tail.end
    if byteCount > end { try file.truncate(to: end) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, isRequested: Bool) throws {
    let now = ContinuousClock.now
    // It takes several system calls, and bytes are written in one.
    if isRequested || now - checked >= .milliseconds(10) {
      try lock.check()
      checked = now
    } else {
      try lock.checkProcess()
    }
    // At the same place after an error, so that nothing of it is left.
    try unsafe lock.file.write([bytes], at: end)
    end += UInt64(bytes.count)
  }

  func synchronize() throws { try lock.file.sync() }

  func close() { lock.release() }
}

/// The end of a stream in a file: where the last whole frame ends, and what follows it.
struct MessageTail {
  let identifier: UInt64
  var end: UInt64
  var nextNumber: UInt64 = 0
  var revision: UInt32 = 0

  init(identifier: UInt64, end: UInt64) { (self.identifier, self.end) = (identifier, end) }

  /// Finds the end of a file's stream; nil where there is no stream yet.
  ///
  /// All tables are looked for from the end on, in parts of the file that grow: from these on, frames follow each other. Their own
  /// place says that they are no bytes of a message.
  ///
  /// - Throws: `notAnArchive`; `damaged` if the header is, because frames cannot be told from a message's bytes then.
  static func find(in file: OpenFile, _ byteCount: UInt64) throws -> MessageTail? {
    guard let identifier = try identifier(of: file, byteCount) else { return nil }
    var span: UInt64 = 1 << 20
    while true {
      let start = byteCount > span ? byteCount - span : 0
      var tail = Self(identifier: identifier, end: UInt64(MessageLogHeader.byteCount))
      if let tables = try lastTables(file, from: start, before: .max, identifier) {
        try tail.read(file, from: tables.offset)
        return tail
      }
      if start == 0 {
        try tail.read(file, from: tail.end)
        return tail
      }
      span *= 8
    }
  }

  private static func identifier(of file: OpenFile, _ byteCount: UInt64) throws -> UInt64? {
    var start = [UInt8](repeating: 0, count: Int(min(byteCount, UInt64(MessageLogHeader.byteCount))))
    guard try unsafe start.withUnsafeMutableBytes({ try unsafe file.read($0, from: 0) }) else { return nil }
    switch try unsafe start.withUnsafeBytes({ try unsafe MessageLogHeader.find(in: $0) }) {
    case .valid(let header): return header.identifier
    case .notBegun: return nil
    case .damaged:
      throw GCodableError(
        .damaged, "the header of \(file.path) is damaged: read the file, and write its messages to a new one",
        byteOffset: 0)
    case .other:
      // A process that was killed, or a system that crashed, before the header was there.
      if byteCount <= UInt64(MessageLogHeader.byteCount), start.allSatisfy({ $0 == 0 }) { return nil }
      throw GCodableError(
        .notAnArchive, "\(file.path) does not begin with \"gcstream\": it is no stream of messages",
        byteOffset: 0)
    }
  }

  /// The last frame with all tables between two offsets.
  static func lastTables(
    _ file: any RangeReader, from start: UInt64, before end: UInt64, _ identifier: UInt64
  ) throws -> (offset: UInt64, number: UInt64)? {
    let reader = FrameReader(
      FileMessageBytes(file), from: max(start, UInt64(MessageLogHeader.byteCount)), identifier: identifier)
    reader.maximumByteCount = .max
    var last: (UInt64, UInt64)?
    while true {
      switch try reader.next() {
      case .end: return last
      case .damage: continue
      case .frame(let frame, let offset):
        if offset > end { return last }
        guard frame.kind == .tables, frame.isUnderstood,
          unsafe MessageTables.position(in: reader.body) == offset
        else { continue }
        last = (offset, frame.number)
      }
    }
  }

  /// Reads frames up to the last one.
  private mutating func read(_ file: OpenFile, from offset: UInt64) throws {
    let reader = FrameReader(FileMessageBytes(file), from: offset, identifier: identifier)
    reader.maximumByteCount = .max
    while true {
      switch try reader.next() {
      case .end: return
      case .damage: continue
      case .frame(let frame, let offset):
        end = offset + UInt64(frame.byteCount)
        (nextNumber, revision) = (frame.nextNumber ?? frame.number, max(revision, frame.revision))
      }
    }
  }
}
