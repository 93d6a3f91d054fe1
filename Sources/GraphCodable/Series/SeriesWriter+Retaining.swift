import Foundation

extension GraphArchiveSeries.Writer {
  /// Keeps the last entries and removes all others, for checkpoints that replace each other.
  ///
  ///     try encoder.append(simulation, to: writer, step: step, time: time)
  ///     try writer.retain(last: 3)
  ///
  /// - Parameters:
  ///   - count: how many entries to keep.
  ///   - progress: as in ``retain(progress:where:)``.
  /// - Throws: as ``retain(progress:where:)``.
  /// - Complexity: O(n) in the bytes that are kept; O(1) where there are no others.
  public func retain(last count: Int, progress: Progress? = nil) throws {
    try queue.sync {
      let entries = series.entries
      if entries.count > count { try keep(Array(entries.suffix(max(count, 0))), ProgressReport(progress)) }
    }
  }

  /// Keeps some entries and removes all others.
  ///
  /// The series is written anew beside the file, and takes its place when it is complete and on the device: a crash leaves
  /// the one of before or the new one, whole. Readers that have the old file open go on with it, and its bytes are the
  /// system's again when the last of them has closed it. The numbers of the entries begin with 0. The writer goes on with the
  /// new file, and nobody else can append in between.
  ///
  /// In a series that is a folder the files of the others are removed. Entries keep their numbers there, and no new one gets
  /// the number of one that was removed.
  ///
  /// - Parameters:
  ///   - progress: reports the bytes that are copied; cancelling it leaves the series as it was. In a folder nothing is
  ///     copied.
  ///   - isIncluded: which entries to keep.
  /// - Throws: `GCodableError`: `damaged` for a series with damage between its entries, which `GraphArchive.recover` may help,
  ///   `locked` in a process that was forked from that of the writer, and as `GraphArchiveSeries.copy`; then nothing has
  ///   changed, but in a folder, where the entries whose files are still there stay. `CancellationError`; what `isIncluded` throws.
  /// - Complexity: O(n) in the bytes that are kept; nothing is done where there are no others.
  public func retain(
    progress: Progress? = nil, where isIncluded: (GraphArchiveSeries.Entry) throws -> Bool
  ) throws {
    try queue.sync {
      let entries = series.entries
      let kept = try entries.filter(isIncluded)
      if kept.count < entries.count { try keep(kept, ProgressReport(progress)) }
    }
  }

  /// Writes the series anew, without what stands in it that no entry needs.
  ///
  /// - Parameter progress: as in ``retain(progress:where:)``.
  /// - Throws: as ``retain(progress:where:)``.
  /// - Complexity: O(n) in the size of the file.
  public func compact(progress: Progress? = nil) throws {
    try queue.sync { try keep(series.entries, ProgressReport(progress)) }
  }
}
