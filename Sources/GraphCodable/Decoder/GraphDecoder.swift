import CGraphArchive
import Foundation

/// Decodes an object graph from an archive, in memory or on disk.
///
///     let decoder = GraphDecoder()
///     let simulation = try decoder.decode(Simulation.self, from: bytes)
///     let other = try decoder.read(Simulation.self, from: url)
///
/// Everything that is used of an archive is checked against its checksums first, so that bytes which were
/// changed, by whatever, are an error and not a wrong model. A decoder can be used again after an error,
/// by one thread at a time.
public final class GraphDecoder {
  /// The most threads that check and expand blocks at once, the caller's included.
  ///
  /// Default: as many as the system has active processors; less than 1 counts as 1, and no more than 16 are used.
  /// `init(from:)` is called on the caller's thread alone.
  public var threadCount = ParallelLoop.processorCount
  /// For the user's own use in `init(from:)`.
  public var userInfo: [CodingUserInfoKey: Any] = [:]

  /// Each is `GDecodable` or `Decodable`.
  var chosenClasses: [ClassName: AnyClass] = [:]

  /// Makes a decoder.
  public init() {}

  /// Makes instances of `type` where the archive has instances of the class with that name.
  ///
  /// - Complexity: O(1).
  public func setClass(_ type: any (AnyObject & GDecodable).Type, for className: ClassName) {
    chosenClasses[className] = type
  }

  /// Decodes a graph from memory.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: a whole archive; contiguous collections as `[UInt8]` and `Data` are used in place.
  /// - Throws: `GCodableError`; whatever an `init(from:)` throws.
  @inlinable
  public func decode<Root: GDecodable>(_ type: Root.Type, from bytes: some Collection<UInt8>) throws -> Root {
    // Inlined so that the root's own coding is compiled for its type.
    let result = try bytes.withContiguousStorageIfAvailable { buffer in
      let decoder = try makeDecoder(UnsafeRawBufferPointer(buffer))
      let root = try decoder.readGraph(type)
      GDecoder.reuse(decoder)
      return root
    }
    return try result ?? decode(type, from: [UInt8](bytes))
  }

  /// Decodes a graph from a file.
  ///
  /// The file is read piece by piece: its blocks go straight to the arrays that they belong to.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the file.
  ///   - progress: is told of the bytes that have been read, as they are after expansion; to cancel it, from any
  ///     thread, ends the work before the next block of 1 MiB. Blocks are read when an `init(from:)` asks for an
  ///     array; the small values of the graph are read at once, and in front of all.
  /// - Throws: as `decode`; code `file` when the file cannot be read; `CancellationError`.
  @inlinable
  public func read<Root: GDecodable>(
    _ type: Root.Type, from url: URL, progress: Progress? = nil
  ) throws -> Root {
    try progress?.checkCancellation()
    let decoder = try makeDecoder(url, progress)
    let root = try decoder.readGraph(type)
    try finish(decoder)
    return root
  }

  @usableFromInline
  func makeDecoder(_ bytes: UnsafeRawBufferPointer) throws -> GDecoder {
    try messageDecoder(bytes) ?? makeDecoder(ArchiveSource(bytes))
  }

  /// A decoder that knows the tables of a small archive; nil where there is none, or something is wrong.
  private func messageDecoder(_ bytes: UnsafeRawBufferPointer) -> GDecoder? {
    guard bytes.count <= Self.maximumMessageByteCount,
      let header = try? ArchiveHeader(parsing: bytes, archiveByteCount: UInt64(bytes.count))
    else { return nil }
    let contents = UnsafeRawBufferPointer(rebasing: bytes[Int(header.contentsOffset)...])
    guard contents.count == bytes.count - ArchiveHeader.byteCount,
      gca_hash64_bytes(contents.baseAddress, contents.count) == header.contentsHash
    else { return nil }
    return GDecoder.reused(for: contents, userVersion: header.userVersion, userInfo: userInfo)
  }

  private static let maximumMessageByteCount = 16 << 10

  @usableFromInline
  func makeDecoder(_ url: URL, _ progress: Progress?) throws -> GDecoder {
    try makeDecoder(ArchiveSource(url), ProgressReport(progress))
  }

  /// Ends the progress of a decoder that has read its graph.
  @usableFromInline
  func finish(_ decoder: GDecoder) throws {
    guard let progress = decoder.tables.reader.progress else { return }
    // An `init(from:)` may have taken the error of a block that was not read for something else.
    try progress.checkCancellation()
    progress.finish()
  }

  private func makeDecoder(_ source: ArchiveSource, _ progress: ProgressReport? = nil) throws -> GDecoder {
    try makeDecoder(ArchiveReader(source, threadCount: threadCount, progress: progress))
  }

  func makeDecoder(_ reader: ArchiveReader) throws -> GDecoder {
    reader.progress?.begin(byteCount: reader.contents.rawByteCount)
    let classes = ClassResolver(reader.contents.classes, chosen: chosenClasses)
    return GDecoder(try DecoderTables(reader, classes: classes), userInfo: userInfo)
  }
}
