import Foundation
import _GraphFiles

extension GraphArchiveSeries.Writer {
  /// Removes all but the last entries, for checkpoints that replace each other.
  ///
  ///     try encoder.append(simulation, to: writer, step: step, time: time)
  ///     try writer.retain(last: 3)
  ///
  /// - Parameters:
  ///   - count: how many entries to keep.
  ///   - progress: as in ``retain(progress:where:)``.
  /// - Throws: as ``retain(progress:where:)``.
  /// - Complexity: O(n) in the bytes that are kept; O(1) if there are no entries to remove.
  public func retain(last count: Int, progress: Progress? = nil) throws {
    try queue.sync {
      let entries = series.entries
      if entries.count > count {
        try storage.keep(Array(entries.suffix(max(count, 0))), ProgressReport(progress))
      }
    }
  }

  /// Keeps certain entries and removes all others.
  ///
  /// The series is rewritten into a new file, which replaces the old one when it is complete and on the device: a crash
  /// leaves the old series or the new one, complete. Readers that have the old file open keep it, and its space is freed
  /// when the last of them closes it. Entries are numbered from 0. The writer continues with the new file, and no other
  /// writer can append in between.
  ///
  /// In a series that is a folder, the files of the other entries are removed. Entries keep their numbers there, and
  /// numbers of removed entries are not reused.
  ///
  /// - Parameters:
  ///   - progress: reports the bytes that are copied; cancelling it leaves the series as it was. In a folder nothing is
  ///     copied.
  ///   - isIncluded: which entries to keep.
  /// - Throws: `GCodableError`: `damaged` for a series with damage between its entries, which `GraphArchive.recover` may
  ///   repair, `locked` in a process that was forked from that of the writer, and as `GraphArchiveSeries.copy`. The series
  ///   is then unchanged; in a folder, some files may have been removed. `CancellationError`; what `isIncluded` throws.
  /// - Complexity: O(n) in the bytes that are kept; O(1) if there are no entries to remove.
  public func retain(
    progress: Progress? = nil, where isIncluded: (GraphArchiveSeries.Entry) throws -> Bool
  ) throws {
    try queue.sync {
      let entries = series.entries
      let kept = try entries.filter(isIncluded)
      if kept.count < entries.count { try storage.keep(kept, ProgressReport(progress)) }
    }
  }

  /// Rewrites the series without bytes that no entry needs.
  ///
  /// - Parameter progress: as in ``retain(progress:where:)``.
  /// - Throws: as ``retain(progress:where:)``.
  /// - Complexity: O(n) in the size of the file.
  public func compact(progress: Progress? = nil) throws {
    try queue.sync { try storage.keep(series.entries, ProgressReport(progress)) }
  }
}
