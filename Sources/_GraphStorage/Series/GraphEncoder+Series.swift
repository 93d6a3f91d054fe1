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
