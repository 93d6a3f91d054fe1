import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

extension GraphEncoder {
  /// Encodes a graph and appends it to a series.
  ///
  /// The entry appears to readers when it is complete and on the device. After an error, a cancellation or a crash, of this
  /// process or of the system, the series has its earlier entries; the next append removes what is left over. If only the
  /// last step fails, which brings the record of the entry to the device, readers may have seen the entry for a moment, and
  /// a system crash may bring it back; it is complete then.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - series: the writer of the series.
  ///   - step: a step number, which need not be new or in order.
  ///   - time: the time of the state, in any unit; it need not be new or in order either.
  ///   - metadata: anything else that describes the snapshot, up to about a million bytes in all. It is read whenever the
  ///     entries are listed.
  ///   - progress: as in `write`.
  /// - Throws: as `encode`; code `file` when the file cannot be written, or is gone; `wrongSize` when another program has
  ///   truncated it; `limitExceeded` for too much metadata, before anything is written, or when entry numbers run out;
  ///   `locked` in a process that was forked from that of the writer; `CancellationError`.
  /// - Complexity: O(n) in the size of the graph, whatever is in the series already.
  @inlinable
  public func append<Root: GEncodable>(
    _ root: Root, to series: GraphArchiveSeries.Writer, step: Int, time: Double,
    metadata: [String: String] = [:], progress: Progress? = nil
  ) throws {
    try progress?.checkCancellation()
    try append(try walk { try $0.writeRoot(root) }, to: series, step, time, metadata, progress)
  }

  /// Encodes a graph and appends it to a series in the background.
  ///
  /// The model is walked before this returns, and may change afterwards, as with `writeInBackground`. Several calls, in
  /// the background or not, append in the order in which they are made.
  ///
  /// - Parameters: as in `append`; without `progress`, one is created.
  /// - Throws: as `encode`; `limitExceeded` for too much metadata; `CancellationError` if `progress` is cancelled already.
  ///   `finish` throws the other errors of `append`.
  @inlinable
  public func appendInBackground<Root: GEncodable>(
    _ root: Root, to series: GraphArchiveSeries.Writer, step: Int, time: Double,
    metadata: [String: String] = [:], progress: Progress? = nil
  ) throws -> BackgroundWrite {
    try progress?.checkCancellation()
    return try appendInBackground(
      walk { try $0.writeRoot(root) }, to: series, step, time, metadata, progress)
  }

  @usableFromInline
  func append(
    _ graph: EncodedGraph, to series: GraphArchiveSeries.Writer, _ step: Int, _ time: Double,
    _ metadata: [String: String], _ progress: Progress?
  ) throws {
    let label = try SeriesLabel(step: step, time: time, metadata: Metadata(metadata))
    let sharing = series.sharing
    try series.queue.sync {
      try series.storage.append(graph, archiveWriter, label, sharing, ProgressReport(progress))
    }
  }

  @usableFromInline
  func appendInBackground(
    _ graph: EncodedGraph, to series: GraphArchiveSeries.Writer, _ step: Int, _ time: Double,
    _ metadata: [String: String], _ progress: Progress?
  ) throws -> BackgroundWrite {
    let (writer, progress) = (archiveWriter, progress ?? .discreteProgress(totalUnitCount: 0))
    let label = try SeriesLabel(step: step, time: time, metadata: Metadata(metadata))
    let sharing = series.sharing
    return BackgroundWrite(progress, on: series.queue) {
      try series.storage.append(graph, writer, label, sharing, ProgressReport(progress))
    }
  }
}

extension GraphDecoder {
  /// Checks every byte of a snapshot against its checksums, without decoding it.
  ///
  /// - Parameters:
  ///   - entry: the snapshot's entry.
  ///   - progress: reports the bytes that have been checked; cancelling it ends the check.
  /// - Throws: as `GraphArchive.verify(progress:)`. Byte offsets are those in the archive; the entry's
  ///   `fileOffset(ofByte:)` converts them to offsets in the file.
  /// - Complexity: O(n) in the size of the snapshot, on `threadCount` threads.
  public func verify(_ entry: GraphArchiveSeries.Entry, progress: Progress? = nil) throws {
    try verify([entry], progress)
  }

  /// Checks every byte of a series up to its last entry against its checksums, without decoding it.
  ///
  /// In a folder, what is listed is also compared with what the archives say; where they differ, the index is `damaged`.
  /// The rest of the file after the last entry is searched for further ones, because damage may look like an unfinished
  /// entry and hide them. To find out which entries are intact, verify each of them.
  ///
  /// - Parameters:
  ///   - series: the series; entries appended since it was listed are checked, too.
  ///   - progress: as for an entry.
  /// - Throws: `GCodableError`: the first damage of the list if there is any, otherwise as for an entry;
  ///   `CancellationError`.
  /// - Complexity: O(n) in the size of the file, on `threadCount` threads.
  public func verify(_ series: GraphArchiveSeries, progress: Progress? = nil) throws {
    // Of an entry that is listed by a copy of its record, the record itself may be damaged.
    let thorough =
      try series.isFolder
      ? GraphArchiveSeries(inFolder: series.file)
      : GraphArchiveSeries(series.file, isThorough: true, usesIndex: false)
    if let damage = thorough.damage.first { throw damage }
    try verify(thorough.entries, progress)
  }

  private func verify(_ entries: [GraphArchiveSeries.Entry], _ progress: Progress?) throws {
    let report = ProgressReport(progress)
    report?.begin(byteCount: entries.lazy.map(\.byteCount).saturatedSum())
    for entry in entries {
      try progress?.checkCancellation()
      let archive = try GraphArchive(entry)
      try archive.verifyAll(threadCount: threadCount, report)
      try entry.verifyPadding(of: archive)
      if entry.path != nil { try entry.verifyIndex(against: archive) }
    }
    try progress?.checkCancellation()
    report?.finish()
  }
}
