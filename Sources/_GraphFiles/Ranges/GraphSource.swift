import Foundation

/// Bytes that are read by ranges: an object in a store, a file on a server, a part of another file.
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
/// A type implements a single request. ``GraphArchive`` and ``GraphArchiveSeries`` do the rest: short reads also fetch and
/// keep the bytes nearby, adjacent blocks are one request, several requests are under way at a time, and all answers must be
/// of the same state of the bytes. That takes up to 16 MiB of memory, and some 32 MiB while blocks are read.
///
/// Checksums are compared as for files, so bytes that were changed on the way are an error.
public protocol GraphSource: Sendable {
  /// The name that errors give, such as an address.
  var name: String { get }

  /// Reads some of the bytes in one request.
  ///
  /// It is called on any thread, several times at once. Retries and timeouts are up to the implementation. Work that ends
  /// early, by an error or cancellation, does not wait for requests that are under way.
  ///
  /// - Parameter range: the bytes, never an empty range. The first request may reach beyond the end, because the total number
  ///   of bytes is not known yet; later ones do not.
  /// - Returns: the bytes in the range that exist, and the state of the whole.
  /// - Throws: any error, which becomes the cause of a ``GCodableError`` with the code `file`; a ``GCodableError`` or a
  ///   `CancellationError` reaches the caller as it is.
  func read(_ range: Range<UInt64>) throws -> GraphSourceBytes
}

/// The answer of a ``GraphSource``: bytes, and the state of the whole that they are a part of.
///
/// An answer whose state differs from that of the first answer is an error: ranges read before and after an object is
/// replaced would otherwise be mixed.
public struct GraphSourceBytes: Sendable {
  /// The bytes of the requested range, up to the end of the whole.
  public var bytes: Data
  /// The total number of bytes of the whole.
  public var byteCount: UInt64
  /// A text that differs whenever the bytes do, such as an entity tag, a version number, or the time of the last change.
  ///
  /// nil if there is none: a change is then noticed only by its size, or by checksums.
  public var version: String?

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the requested range.
  ///   - byteCount: the total number of bytes of the whole.
  ///   - version: a text that differs whenever the bytes do.
  public init(_ bytes: Data, of byteCount: UInt64, version: String? = nil) {
    (self.bytes, self.byteCount, self.version) = (bytes, byteCount, version)
  }
}
