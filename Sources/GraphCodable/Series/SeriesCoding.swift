import Foundation

extension GraphEncoder {
  /// Encodes a graph and appends it to a series.
  ///
  /// The entry is there, for every reader, when it is complete and on the device. After an error, or when `progress`
  /// was cancelled, the series has the entries of before. So it has after a crash, in the middle of this or of the
  /// system; the next one who appends removes what it left. If the very last step fails, to bring the record of the
  /// entry to the device, readers may have seen the entry for a moment, and a crash of the system may bring it back; it
  /// is whole then.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - series: the writer of the series.
  ///   - step: the number of a step, which need not be new or in order.
  ///   - time: the time of the state, in whatever unit; it need not be new or in order either.
  ///   - metadata: anything else that describes the snapshot, up to about a million bytes in all. It is read
  ///     whenever the entries are listed.
  ///   - progress: as in `write`.
  /// - Throws: as `encode`; code `file` when the file cannot be written, or is gone; `wrongSize` when another program
  ///   has cut it; `limitExceeded` when there is too much metadata, which is found before anything is written, or when
  ///   no number of an entry is left; `locked` in a process that was forked from that of the writer;
  ///   `CancellationError`.
  /// - Complexity: O(n) in the size of the graph, whatever is in the series already.
  @inlinable
  public func append<Root: GEncodable>(
    _ root: Root, to series: GraphArchiveSeries.Writer, step: Int, time: Double,
    metadata: [String: String] = [:], progress: Progress? = nil
  ) throws {
    try progress?.checkCancellation()
    try append(try walk { try $0.writeRoot(root) }, to: series, step, time, metadata, progress)
  }

  /// Encodes a graph and appends it to a series, while the program goes on.
  ///
  /// The model is walked before this returns, and may change then, as after `writeInBackground`. What is appended by
  /// several calls, in the background or not, is appended in the order of the calls.
  ///
  /// - Parameters: as in `append`; without `progress`, one is made.
  /// - Throws: as `encode`; `limitExceeded` when there is too much metadata; `CancellationError` if `progress` is
  ///   cancelled already. `finish` throws what else `append` does.
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
    let label = try SeriesLabel(step: step, time: time, metadata: metadata)
    let sharing = series.sharing
    try series.queue.sync {
      try series.append(graph, archiveWriter, label, sharing, ProgressReport(progress))
    }
  }

  @usableFromInline
  func appendInBackground(
    _ graph: EncodedGraph, to series: GraphArchiveSeries.Writer, _ step: Int, _ time: Double,
    _ metadata: [String: String], _ progress: Progress?
  ) throws -> BackgroundWrite {
    let (writer, progress) = (archiveWriter, progress ?? .discreteProgress(totalUnitCount: 0))
    let label = try SeriesLabel(step: step, time: time, metadata: metadata)
    let sharing = series.sharing
    return BackgroundWrite(progress, on: series.queue) {
      try series.append(graph, writer, label, sharing, ProgressReport(progress))
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
  ///   `fileOffset(ofByte:)` says where these are in the file.
  /// - Complexity: O(n) in the size of the snapshot, by `threadCount` threads.
  public func verify(_ entry: GraphArchiveSeries.Entry, progress: Progress? = nil) throws {
    try verify([entry], progress)
  }

  /// Checks every byte of a series up to its last entry against its checksums, without decoding it.
  ///
  /// Behind the last entry of the list it looks for others to the end of the file: damage may look like an entry that
  /// is not finished, and hide them. Which of the entries are intact shows when each of them is verified.
  ///
  /// - Parameters:
  ///   - series: the series; entries that were appended since it was listed are checked, too.
  ///   - progress: as for an entry.
  /// - Throws: `GCodableError`: the first damage of the list if there is any, otherwise as for an entry;
  ///   `CancellationError`.
  /// - Complexity: O(n) in the size of the file, by `threadCount` threads.
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
    }
    try progress?.checkCancellation()
    report?.finish()
  }
}
