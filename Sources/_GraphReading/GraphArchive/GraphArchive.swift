import Foundation
import _GraphCoding
import _GraphFiles
import _GraphSupport

/// An archive in a file, in memory, or in a series.
///
///     let archive = try GraphArchive(url)
///     let simulation = try archive.decode(Simulation.self)
///     let position = try archive.decode(SIMD3<Double>.self, at: "bodies[3].position")
///     for item in try archive.items(at: "bodies") { print(item) }
///
/// Opening an archive reads and checks its header and tables. Everything else is read on demand: the whole graph by
/// ``decode(_:using:progress:)``, or, for a part, only the blocks on its path and those that it lies in. Bytes are compared
/// with their checksums before they are used. Only decoding needs the Swift types that the archive was made of; they may
/// have been `GCodable` or `Codable`.
///
/// Any number of threads may use an archive at the same time. Calls are independent, except those of ``item(at:)`` and
/// ``items(at:in:)``, which share expanded blocks of the graph and take turns.
public final class GraphArchive: Sendable {
  package let opened: OpenArchive
  private let walker = Walker()
  private let directory = DirectoryLookup()

  package var storage: ArchiveStorage { opened.storage }
  package var header: ArchiveHeader { opened.header }
  package var contents: Contents { opened.contents }
  /// Of all that was read by way of this object.
  var counts: BlockCounts { opened.counts }

  /// Opens an archive in a file.
  ///
  /// - Throws: `GCodableError`: `file` when the file cannot be read; `notAnArchive`, `wrongSize`, `damaged` or `malformed`
  ///   if header or tables are not valid.
  /// - Complexity: O(n) in the number of keys, classes, shapes and segments.
  public convenience init(_ url: URL) throws { try self.init(ArchiveStorage(url)) }

  /// Opens an archive in memory.
  ///
  /// `[UInt8]`, its slices and `Data` are shared with the caller; other collections are copied once. The memory of `Data`
  /// that does not own it (`bytesNoCopy`) must not change while the archive is in use.
  ///
  /// - Throws: as for a file.
  /// - Complexity: as for a file if the bytes are shared, otherwise O(n) in their number.
  public convenience init(_ bytes: some Collection<UInt8>) throws { try self.init(ArchiveStorage(bytes)) }

  /// Opens an archive that is read by ranges, such as an object in a store.
  ///
  /// - Parameter source: reads ranges of the archive. It is retained as long as the archive and its ``GLazy`` values.
  /// - Throws: as for a file; see ``GraphSource/read(_:)`` for errors of the source.
  /// - Complexity: as for a file, with one request for an archive of 64 KiB or less, and two for most others.
  public convenience init(source: any GraphSource) throws {
    try self.init(ArchiveStorage(SourceReader(source)))
  }

  /// Opens a file that is an archive.
  package convenience init(file: OpenFile, byteCount: UInt64) throws {
    try self.init(.file(file, from: 0, byteCount: byteCount))
  }

  /// Opens an archive in memory that outlives the use of this object.
  @usableFromInline
  @inline(never)
  convenience init(lent bytes: UnsafeRawBufferPointer) throws {
    try unsafe self.init(.lent(.init(buffer: bytes)))
  }

  package init(_ opened: OpenArchive) { self.opened = opened }

  package convenience init(_ storage: ArchiveStorage) throws { self.init(try OpenArchive(storage)) }

  /// The metadata that the encoder was given, `GraphEncoder.metadata`.
  ///
  /// Of keys that differ only in Unicode normalization, which a dictionary considers equal, it has the first;
  /// `metadataPairs` has all of them.
  public var metadata: [String: String] { contents.metadata.dictionary }

  /// The metadata that the encoder was given, in ascending order of the keys' bytes.
  public var metadataPairs: [(key: String, value: String)] { contents.metadata.pairs }

  /// Calls `body` with a reader that is valid until it returns.
  package func withReader<Result>(
    threadCount: Int = ParallelLoop.processorCount, progress: ProgressReport? = nil,
    _ body: (ArchiveReader) throws -> Result
  ) rethrows -> Result {
    try opened.withReader(threadCount: threadCount, progress: progress, body)
  }

  /// Runs `body` with a walk that has moved along a path.
  ///
  /// - Throws: `invalidPath`, or as `PartWalk.move(along:)` does; what `body` throws.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func withWalk<Result>(along path: GraphPath, _ body: (inout PartWalk) throws -> Result) throws -> Result {
    try path.check()
    if let listed = try listedArray(at: path) {
      return try withReader { reader in
        let decoder = try reader.apart(listed.value, listed.attributes).walkingDecoder()
        return try decoder.withWalk { walk in
          try walk.move(along: path, from: listed.stepCount)
          return try body(&walk)
        }
      }
    }
    return try walker.use { decoder in
      let source = decoder?.tables.reader.source ?? storage.makeSource()
      return try storage.lend(to: source) {
        let walker = try decoder ?? makeWalker(source)
        decoder = walker
        return try walker.withWalk { walk in
          try walk.move(along: path)
          return try body(&walk)
        }
      }
    }
  }

  /// Where the directory has the array that a path leads to, or to a part of.
  func listedArray(at path: GraphPath) throws -> ListedArray? {
    try directory.entry(leadingTo: path, in: contents.extensions)
  }

  private func makeWalker(_ source: ArchiveSource) throws -> GDecoder {
    let reader = ArchiveReader(
      source, header, contents, threadCount: ParallelLoop.processorCount, counts: counts)
    let classes = ClassResolver(contents.classes, chosen: [:])
    return GDecoder(try DecoderTables(reader, classes: classes, isPartial: true), userInfo: nil)
  }

  /// The decoder that walks through the archive, for one thread after the other.
  ///
  /// One for all, because the tables of a decoder take 40 bytes for each object.
  private final class Walker: @unchecked Sendable {
    // `@unchecked`: the decoder is used under `lock` alone.
    private let lock = NSLock()
    /// nil until the first walk: an error of making it, as of a file that cannot be read now, is not kept.
    private var decoder: GDecoder?

    func use<Result>(_ body: (inout GDecoder?) throws -> Result) rethrows -> Result {
      try lock.withLock { try body(&decoder) }
    }
  }
}
