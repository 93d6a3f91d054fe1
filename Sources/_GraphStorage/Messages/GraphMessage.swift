import _GraphCoding
import _GraphFiles
import _GraphReading

/// A message of a stream, which is read like an archive: without the Swift types that it was made of.
///
///     while let message = try log.nextMessage() { print(message.number, try message.archive().items().count) }
public struct GraphMessage: Sendable {
  /// The number of the message; the first one of a stream is 0.
  public let number: UInt64
  /// Where its frame begins in the stream, counted from the start.
  public let frameOffset: UInt64
  /// How many bytes it has in the stream.
  public var byteCount: Int { bytes.count }

  private let bytes: [UInt8]
  private let form: Form

  /// What the bytes are.
  enum Form: Sendable {
    case archive
    /// A graph stream with these tables, behind a count of objects if that is flagged.
    case message(Tables, isFlagged: Bool)
  }

  /// Tables.
  ///
  /// `@unchecked`: they are values that nobody changes.
  final class Tables: @unchecked Sendable {
    let tables: MessageTables
    init(_ tables: MessageTables) { self.tables = tables }
  }

  init(number: UInt64, frameOffset: UInt64, _ bytes: [UInt8], _ form: Form) {
    (self.number, self.frameOffset, self.bytes, self.form) = (number, frameOffset, bytes, form)
  }

  /// The message as an archive in memory, with all tables of the stream up to there.
  ///
  /// - Throws: `malformed` for a message that was forged.
  /// - Complexity: O(n) in the size of the message and the tables.
  public func archive() throws -> GraphArchive {
    switch form {
    case .archive: return try GraphArchive(bytes)
    case .message(let known, let isFlagged):
      let contents = try unsafe bytes.withUnsafeBytes {
        try unsafe MessageParts($0, isFlagged: isFlagged).contents(known.tables)
      }
      return try GraphArchive(contents.archive)
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
