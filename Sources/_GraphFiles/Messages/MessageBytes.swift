import Foundation
import _GraphSupport

/// Where the bytes of a stream of messages come from.
package protocol MessageBytes: AnyObject {
  /// Fills `destination`, which is not empty, as far as there are bytes.
  ///
  /// - Parameter offset: behind the bytes read before, or anywhere if `isSeekable`.
  /// - Returns: how many bytes were read; 0 if there are none now.
  func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Int

  /// Whether bytes can be read again.
  var isSeekable: Bool { get }

  /// Whether the stream ends where there are no bytes: otherwise more are still to come.
  var isComplete: Bool { get }

  /// How many bytes there are; nil if that is not known.
  var byteCount: UInt64? { get throws }
}

/// A stream in a file, or in what is read by ranges.
package final class FileMessageBytes: MessageBytes {
  private let file: any RangeReader

  package init(_ file: any RangeReader) { self.file = file }

  package var isSeekable: Bool { true }
  package var isComplete: Bool { true }
  package var byteCount: UInt64? { get throws { try file.byteCount() } }

  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Int {
    // Another process may append to the file, or cut it, meanwhile.
    let byteCount = try file.byteCount()
    guard offset < byteCount else { return 0 }
    let count = Int(min(byteCount - offset, UInt64(destination.count)))
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: destination[..<count])
    return try unsafe file.read(part, from: offset) ? count : 0
  }
}

/// A stream in memory.
package final class MemoryMessageBytes: MessageBytes {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isSeekable: Bool { true }
  package var isComplete: Bool { true }
  package var byteCount: UInt64? { UInt64(bytes.count) }

  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Int {
    guard offset < UInt64(bytes.count) else { return 0 }
    let rest = bytes[Int(offset)...].prefix(destination.count)
    unsafe destination.copyBytes(from: rest)
    return rest.count
  }
}

/// A stream that is read once, as from a pipe or a socket.
package final class PulledMessageBytes: MessageBytes {
  private let pull: (Int) throws -> Data?
  /// What was returned beyond the requested bytes.
  private var rest = Data()

  /// - Parameter pull: returns at most so many bytes, at least one; nil or none at the end.
  package init(_ pull: @escaping (Int) throws -> Data?) { self.pull = pull }

  package var isSeekable: Bool { false }
  package var isComplete: Bool { true }
  package var byteCount: UInt64? { nil }

  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Int {
    if rest.isEmpty { rest = try pull(destination.count) ?? Data() }
    let part = rest.prefix(destination.count)
    unsafe destination.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }
}

/// A stream whose bytes are handed over as they arrive.
package final class PushedMessageBytes: MessageBytes {
  private var chunks: [Data] = []
  package private(set) var isComplete = false

  package init() {}

  package var isSeekable: Bool { false }
  package var byteCount: UInt64? { nil }

  package func push(_ chunk: Data) { if !chunk.isEmpty { chunks.append(chunk) } }

  package func finish() { isComplete = true }

  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Int {
    guard let first = chunks.first else { return 0 }
    let part = first.prefix(destination.count)
    unsafe destination.copyBytes(from: part)
    if part.count == first.count { chunks.removeFirst() } else { chunks[0] = first.dropFirst(part.count) }
    return part.count
  }
}
