import Foundation
import _GraphCoding

/// The messages of a stream, for `for try await`: each a success, or the damage in its place.
///
///     for try await result in log.messages(of: Event.self) {
///       switch result {
///       case .success(let event): use(event)
///       case .failure(let damage): print(damage)
///       }
///     }
///
/// Other errors end the loop.
public struct GraphMessageSequence<Chunks: AsyncSequence, Message>: AsyncSequence
where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
  /// A message, or damage in its place.
  public typealias Element = Result<Message, GraphMessageDamage>

  let reader: GraphMessageReader
  let chunks: Chunks
  let read: (GraphMessageReader) throws -> Message?

  /// Makes an iterator: the only one, because a stream is read once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader, chunks: chunks.makeAsyncIterator(), read: read)
  }

  /// Reads one message after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: GraphMessageReader
    var chunks: Chunks.AsyncIterator
    let read: (GraphMessageReader) throws -> Message?
    private var isComplete = false

    init(
      reader: GraphMessageReader, chunks: Chunks.AsyncIterator,
      read: @escaping (GraphMessageReader) throws -> Message?
    ) {
      (self.reader, self.chunks, self.read) = (reader, chunks, read)
    }

    /// The next message, or damage in its place; nil at the end.
    ///
    /// - Throws: as ``GraphMessageReader/next(_:)``; `CancellationError`; errors of the sequence of bytes.
    public mutating func next() async throws -> Result<Message, GraphMessageDamage>? {
      while true {
        try Task.checkCancellation()
        do {
          if let message = try read(reader) { return .success(message) }
        } catch let damage as GraphMessageDamage { return .failure(damage) }
        if isComplete { return nil }
        if let chunk = try await chunks.next() {
          reader.append(Data(chunk))
        } else {
          isComplete = true
          reader.finish()
        }
      }
    }
  }
}

/// A sequence of no bytes: those of a reader that has its own.
public struct GraphMessageNoChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
  /// Bytes.
  public typealias Element = Data

  init() {}

  /// Itself.
  public func makeAsyncIterator() -> Self { self }

  /// nil.
  public mutating func next() async -> Data? { nil }
}

extension GraphMessageReader {
  /// The messages that are left.
  ///
  /// Bytes of a file or a pipe are waited for on the task's thread.
  public func messages<Message: GDecodable>(
    of type: Message.Type
  ) -> GraphMessageSequence<GraphMessageNoChunks, Message> {
    GraphMessageSequence(reader: self, chunks: GraphMessageNoChunks()) { try $0.next(type) }
  }

  /// The `Codable` messages that are left.
  public func messages<Message: Decodable>(
    ofCodable type: Message.Type
  ) -> GraphMessageSequence<GraphMessageNoChunks, Message> {
    GraphMessageSequence(reader: self, chunks: GraphMessageNoChunks()) { try $0.next(codable: type) }
  }

  /// The messages of a stream whose bytes arrive asynchronously.
  ///
  ///     for try await result in GraphMessageReader.messages(of: Event.self, in: connection.chunks) { … }
  ///
  /// - Parameters:
  ///   - type: that of all messages.
  ///   - chunks: the bytes, in pieces of any size.
  ///   - decoder: the settings.
  ///   - joining: whether the bytes may begin in the middle of a stream.
  public static func messages<Message: GDecodable, Chunks: AsyncSequence>(
    of type: Message.Type, in chunks: Chunks, decoder: GraphDecoder = GraphDecoder(), joining: Bool = false
  ) -> GraphMessageSequence<Chunks, Message>
  where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    GraphMessageSequence(reader: GraphMessageReader(decoder: decoder, joining: joining), chunks: chunks) {
      try $0.next(type)
    }
  }

  /// The `Codable` messages of a stream whose bytes arrive asynchronously.
  ///
  /// - Parameters: as for messages that are `GCodable`.
  public static func messages<Message: Decodable, Chunks: AsyncSequence>(
    ofCodable type: Message.Type, in chunks: Chunks, decoder: GraphDecoder = GraphDecoder(),
    joining: Bool = false
  ) -> GraphMessageSequence<Chunks, Message>
  where Chunks.Element: Collection, Chunks.Element.Element == UInt8 {
    GraphMessageSequence(reader: GraphMessageReader(decoder: decoder, joining: joining), chunks: chunks) {
      try $0.next(codable: type)
    }
  }
}
