extension GraphArchiveSeries.Writer {
  /// What entries store of what earlier entries have.
  public struct Sharing: Hashable, Sendable {
    private enum Form { case blocks, none }
    private let form: Form

    /// A block of up to 1 MiB that an earlier entry stores is referred to, and neither compressed nor written again.
    ///
    /// What an entry is to those who read it, verify it or copy it out does not change. Damage in a block that several
    /// entries share is damage of each. To find equal blocks, the writer keeps 128 bits for each of the last 250,000 or
    /// so, and reads the tables of the last entries at its first append.
    public static let blocks = Self(form: .blocks)

    /// Each entry stores its whole archive.
    public static let none = Self(form: .none)
  }
}

extension GraphArchiveSeries.Writer {
  /// What an entry has in the file in front of its record.
  struct StoredArchive {
    /// The hash at the end of the header that stands there.
    let hash: UInt64
    let storedByteCount: UInt64
    /// Bytes of the whole archive.
    let archiveByteCount: UInt64
  }

  /// Writes an archive as a whole.
  func writeWhole(_ graph: EncodedGraph, _ writer: ArchiveWriter, at start: UInt64) throws -> StoredArchive {
    StoredArchive(whole: try writer.writeArchive(graph, to: OffsetSink(sink: file, start: start)))
  }

  /// Writes what is not there yet of an archive.
  func write(_ graph: EncodedGraph, _ writer: ArchiveWriter, to sink: SharingSink) throws -> StoredArchive {
    StoredArchive(try sink.finish(writer.writeArchive(graph, to: sink)))
  }
}

extension GraphArchiveSeries.Writer.StoredArchive {
  /// An archive that is stored as it is.
  init(whole header: ArchiveHeader) {
    self.init(hash: header.hash, storedByteCount: header.byteCount, archiveByteCount: header.byteCount)
  }

  init(_ header: SharedHeader) {
    self.init(
      hash: header.hash, storedByteCount: header.storedByteCount, archiveByteCount: header.archiveByteCount)
  }
}
