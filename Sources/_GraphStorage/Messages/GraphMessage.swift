import _GraphCoding
import _GraphReading

/// A message of a stream, which is read like an archive: without the Swift types that it was made of.
///
///     while let message = try log.nextMessage() { print(message.number, try GraphDump.text(of: message.archive)) }
public struct GraphMessage: Sendable {
  /// The number of the message; the first one of a stream is 0.
  public let number: UInt64
  /// Where its frame begins in the stream, counted from the start.
  public let frameOffset: UInt64
  /// How many bytes it has in the stream.
  public let byteCount: Int
  /// The message as an archive in memory.
  public let archive: GraphArchive
}
