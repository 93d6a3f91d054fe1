import _GraphFiles

extension GraphArchiveSeries.Writer {
  /// How entries share blocks with earlier entries.
  public struct Sharing: Hashable, Sendable {
    enum Form: Hashable, Sendable { case blocks, none, differences(keyInterval: Int) }
    let form: Form

    /// A block of up to 2 MiB that an earlier entry stores is referenced instead of being compressed and written again.
    ///
    /// Reading, verifying and extracting an entry work as without sharing. Damage in a shared block affects each entry that
    /// shares it. To find equal blocks, the writer keeps 128 bits for each of the last 250,000 blocks or so, and reads the
    /// tables of the last entries at its first append.
    ///
    /// An array that did not change from one entry to the next is retained until it does, up to an eighth of the machine's
    /// memory for each writer: while it is the same in memory, only samples of it are read. Changing it in place costs one
    /// copy. A change through a pointer that was kept beyond its call, against the rules of Swift, may be missed.
    public static let blocks = Self(form: .blocks)

    /// As ``blocks``; in addition, a block of an array that has changed is stored as the differences of its numbers from
    /// those of the last *key entry*, if that saves an eighth.
    ///
    /// This is for arrays that change a little everywhere, such as positions. Differences are taken between the integers that
    /// an absolute precision makes of numbers, or otherwise between the bits of numbers, which suits numbers that keep their
    /// magnitude. The first entry that the writer appends is a key entry, and then every `keyInterval`-th. Each block needs
    /// at most one other, so reading expands at most two blocks for each; appending takes longer, because each block is also
    /// compressed without differences.
    ///
    /// An array is compared with the one at the same place in the key entry. An encoder whose `compression` is `none` stores
    /// no differences.
    ///
    /// - Parameter keyInterval: the number of entries from one key entry to the next, at least 1.
    public static func differences(keyInterval: Int = 10) -> Self {
      Self(form: .differences(keyInterval: max(keyInterval, 1)))
    }

    /// Each entry stores its whole archive.
    public static let none = Self(form: .none)
  }
}

extension GraphArchiveSeries.Writer.Sharing {
  /// Writes the missing parts of an archive, or all of it if entries do not share blocks.
  ///
  /// - Parameters:
  ///   - known: what entries have stored, which the result takes over.
  ///   - write: writes the archive.
  package func write(
    to file: OpenFile, at start: UInt64, _ known: inout StoredBlocks,
    _ compression: ArchiveCompression, _ write: (any ArchiveSink) throws -> ArchiveHeader
  ) throws -> WrittenArchive {
    let differences = differences(behind: known.countSinceKey, compression)
    let sink = SharingSink(file, start: start, known: known, differences)
    // The sink changes it in place.
    known = StoredBlocks()
    return WrittenArchive(try sink.finish(write(sink)), sink)
  }

  /// How the next entry stores arrays; nil where it has no differences.
  ///
  /// - Parameter count: entries since the last key entry; nil where there is none.
  private func differences(
    behind count: Int?, _ compression: ArchiveCompression
  ) -> SharingSink.Differences? {
    guard case .differences(let interval) = form, let level = compression.blockLevel else { return nil }
    return SharingSink.Differences(isKey: count.map { $0 + 1 >= interval } ?? true, level: level)
  }
}
