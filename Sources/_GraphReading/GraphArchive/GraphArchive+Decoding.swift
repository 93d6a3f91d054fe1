import Foundation
import _GraphCoding
import _GraphFiles

extension GraphArchive {
  /// Decodes the graph.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - decoder: the settings: classes, `userInfo` and number of threads.
  ///   - progress: reports the bytes that have been read, as counted after expansion. Cancelling it, from any thread,
  ///     stops reading before the next block of at most 4 MiB. Blocks of an array are read when an `init(from:)` asks for it;
  ///     the small values of the graph are read first, all at once.
  /// - Throws: `GCodableError`; whatever an `init(from:)` throws; `CancellationError`.
  /// - Complexity: O(n) in the size of the graph.
  @inlinable
  public func decode<Root: GDecodable>(
    _ type: Root.Type = Root.self, using decoder: GraphDecoder = GraphDecoder(), progress: Progress? = nil
  ) throws -> Root {
    // Inlined so that the root's own coding is compiled for its type.
    try withDecoder(decoder, progress) { try $0.readGraph(type) }
  }

  /// Decodes the value at a path, and the objects that it leads to.
  ///
  ///     let position = try archive.decode(SIMD3<Double>.self, at: "bodies[3].position")
  ///
  /// The value is decoded as if it were the root: each object is decoded once, and deferred fields are decoded before this
  /// returns. Only those blocks are expanded and checked that hold a part of the value, of an object that it leads to, or
  /// of a value on its path. An element of an array of numbers needs one block, or two.
  ///
  /// - Parameters:
  ///   - type: the type of the value; for an element of an array of numbers, the type of the element.
  ///   - path: where the value is.
  ///   - decoder: the settings: classes, `userInfo` and number of threads.
  ///   - progress: as for the whole graph. Its total grows, because the number of bytes is not known in advance.
  /// - Throws: as for the whole graph; `invalidPath` for a text that is not a path. Where the path leads nowhere:
  ///   `keyNotFound` for a missing key, `valueNotFound` for an index out of bounds and for nil on the way,
  ///   `typeMismatch` for a value without such parts, each with the path up to there.
  /// - Complexity: O(n) in what is decoded, in the objects on the way up to the value, and in the number of objects.
  @inlinable
  public func decode<Value: GDecodable>(
    _ type: Value.Type = Value.self, at path: GraphPath, using decoder: GraphDecoder = GraphDecoder(),
    progress: Progress? = nil
  ) throws -> Value {
    try withDecoder(decoder, progress, at: path) { try $0.readPart(type, at: path) }
  }

  /// Decodes a graph of `Codable` values.
  ///
  /// - Parameters: as in `decode(_:using:progress:)`.
  /// - Throws: `DecodingError` for a key or value that is missing, of another type, or refused by its type; otherwise as
  ///   `decode(_:using:progress:)`.
  /// - Complexity: O(n) in the size of the graph.
  public func decode<Root: Decodable>(
    codable type: Root.Type, using decoder: GraphDecoder = GraphDecoder(),
    progress: Progress? = nil
  ) throws -> Root {
    try withDecoder(decoder, progress) { try $0.readGraph(codable: type) }
  }

  /// Decodes the `Codable` value at a path, and the objects that it leads to.
  ///
  /// - Parameters: as in `decode(_:at:using:progress:)`.
  /// - Throws: as `decode(codable:using:progress:)`; where the path leads nowhere, as `decode(_:at:using:progress:)`.
  /// - Complexity: as `decode(_:at:using:progress:)`.
  public func decode<Value: Decodable>(
    codable type: Value.Type, at path: GraphPath,
    using decoder: GraphDecoder = GraphDecoder(), progress: Progress? = nil
  ) throws -> Value {
    try withDecoder(decoder, progress, at: path) { try $0.readPart(codable: type, at: path) }
  }

  /// Calls `body` with a decoder that is valid until it returns.
  ///
  /// - Parameter path: of the part that is to be decoded; nil for all of the graph.
  @usableFromInline
  func withDecoder<Result>(
    _ settings: GraphDecoder, _ progress: Progress?, at path: GraphPath? = nil,
    _ body: (GDecoder) throws -> Result
  ) throws -> Result {
    try progress?.checkCancellation()
    try path?.check()
    let report = ProgressReport(progress)
    return try withReader(threadCount: settings.threadCount, progress: report) { reader in
      let listed = try path.flatMap(listedArray)
      let decoder = try settings.makeDecoder(
        listed.map { reader.apart($0.value) } ?? reader, isPartial: path != nil)
      decoder.tables.rootStepCount = listed?.stepCount ?? 0
      // An initializer may keep it, which is wrong but must not lead to released memory.
      defer { decoder.forgetInput() }
      if storage.isHeld { decoder.tables.lazySource = LazySource(self, settings) }
      return try decoder.withRoom {
        let result = try body(decoder)
        // An `init(from:)` may have caught the error of an unread block and mistaken it for another.
        try report?.checkCancellation()
        report?.finish()
        return result
      }
    }
  }
}
