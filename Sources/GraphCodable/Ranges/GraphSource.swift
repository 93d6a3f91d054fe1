import Foundation

/// Bytes that are read by ranges from wherever they are: an object in a store, a file of a server, a part of another file.
///
///     struct StoredObject: GraphSource {
///       let client: Client
///       let key: String
///       var name: String { key }
///
///       func read(_ range: Range<UInt64>) throws -> GraphSourceBytes {
///         let answer = try client.get(key, range: range)
///         return GraphSourceBytes(answer.body, of: answer.objectByteCount, version: answer.entityTag)
///       }
///     }
///     let archive = try GraphArchive(source: StoredObject(client: client, key: "state.gcodable"))
///     let position = try archive.decode(SIMD3<Double>.self, at: "bodies[3].position")
///
/// One method makes one request. ``GraphArchive`` and ``GraphArchiveSeries`` do the rest: short reads take along what is near
/// and is kept for the next ones, blocks that lie side by side are one request, several requests are under way at a time, and
/// every answer has to be of the same state of the bytes. That takes up to 16 MiB of memory, and some 32 MiB while blocks are read.
///
/// Checksums are compared as for files, so bytes that were changed on the way are an error.
public protocol GraphSource: Sendable {
  /// What errors call it, such as an address.
  var name: String { get }

  /// Reads some of the bytes in one request.
  ///
  /// It is called on any thread, several times at once. Retries are its own business, and so is a limit to how long it takes.
  /// Work that ends early, by an error or because it was cancelled, does not wait for requests that are under way.
  ///
  /// - Parameter range: not empty. Before the first answer nobody knows how many bytes there are, so it may reach beyond the
  ///   end; later it does not.
  /// - Returns: the bytes of the range that are there, and what they are a part of.
  /// - Throws: an error of its own, which is the cause of a ``GCodableError`` with the code `file`, or one of these, or a
  ///   `CancellationError`, which are thrown on.
  func read(_ range: Range<UInt64>) throws -> GraphSourceBytes
}

/// The answer of a ``GraphSource``: bytes, and the state of what they are a part of.
///
/// An answer that tells of another state than the first one is an error: who reads ranges of an object that is replaced
/// meanwhile would get some bytes of each.
public struct GraphSourceBytes: Sendable {
  /// The bytes that were asked for: all of the range, but for what lies beyond the end.
  public var bytes: Data
  /// How many bytes there are in all.
  public var byteCount: UInt64
  /// What differs when the bytes do, such as an entity tag, the number of a version, or the time of the last change.
  ///
  /// nil where there is no such thing: then another state is noticed only by its size, or by checksums.
  public var version: String?

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - bytes: those that were asked for.
  ///   - byteCount: how many there are in all.
  ///   - version: what differs when the bytes do.
  public init(_ bytes: Data, of byteCount: UInt64, version: String? = nil) {
    (self.bytes, self.byteCount, self.version) = (bytes, byteCount, version)
  }
}
