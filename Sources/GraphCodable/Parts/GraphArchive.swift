import Foundation

/// An archive that is looked at part by part, without any of the Swift types it was made of.
///
///     let archive = try GraphArchive(url)
///     print(try archive.info.objectCount)
///     for item in try archive.items(at: "bodies") { print(item) }
///
/// It reads from its file, or its copy of the bytes, what it is asked for: of the graph's small values the blocks that
/// a path leads through, of large arrays those with the elements that are looked at. All that it uses is checked against
/// the archive's checksums first. Who wrote the archive is no matter: values that are `GCodable` and those that are
/// `Codable` look the same.
///
/// `GraphDecoder.read(_:at:from:)` decodes a part. An archive is used by one thread at a time.
public final class GraphArchive {
  let reader: ArchiveReader
  /// Where the archive is in memory.
  private let bytes: RawBytes?
  private lazy var known = Result {
    try GDecoder(
      DecoderTables(reader, classes: ClassResolver(reader.contents.classes, chosen: [:]), isPartial: true),
      userInfo: [:])
  }

  /// Opens an archive in a file.
  ///
  /// - Throws: `GCodableError`: `file` when the file cannot be read; as `GraphDecoder.read` where header or contents are
  ///   those of no sound archive.
  /// - Complexity: O(n) in the number of keys, classes, shapes and segments.
  public init(_ url: URL) throws {
    bytes = nil
    reader = try ArchiveReader(ArchiveSource(url), threadCount: ParallelLoop.processorCount)
  }

  /// Opens an archive in memory, of which it keeps a copy.
  ///
  /// - Throws: as for a file.
  /// - Complexity: O(n) in the number of bytes.
  public init(_ bytes: some Collection<UInt8>) throws {
    let copy = try RawBytes(copying: Array(bytes))
    self.bytes = copy
    reader = try ArchiveReader(ArchiveSource(copy.buffer), threadCount: ParallelLoop.processorCount)
  }

  /// Opens a snapshot of a series.
  ///
  /// - Throws: as for a file.
  public init(_ entry: GraphArchiveSeries.Entry) throws {
    bytes = nil
    reader = try entry.reader(threadCount: ParallelLoop.processorCount, progress: nil)
  }

  /// Walks through the graph stream, with the object index, which is read when it is first needed.
  var decoder: GDecoder { get throws { try known.get() } }
}
