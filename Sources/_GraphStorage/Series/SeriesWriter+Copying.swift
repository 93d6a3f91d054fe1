import Foundation
import _GraphFiles
import _GraphReading

extension GraphArchiveSeries.Writer {
  /// Appends an archive as it is, byte for byte.
  ///
  ///     try writer.append(GraphArchive(url), step: 100, time: 0.5)
  ///
  /// Nothing is expanded, checked or shared. Errors and crashes leave the series as after `GraphEncoder.append`. To append
  /// the entries of another series, see ``GraphArchiveSeries/concatenate(_:to:progress:)``.
  ///
  /// - Parameters:
  ///   - archive: an archive in memory, in a file or in a series.
  ///   - step: as in `GraphEncoder.append`.
  ///   - time: as in `GraphEncoder.append`.
  ///   - metadata: as in `GraphEncoder.append`.
  ///   - progress: reports the bytes that are copied; cancelling it leaves the series as it was.
  /// - Throws: `GCodableError`: as `GraphEncoder.append`; `invalidValue` in a series that is a folder;
  ///   `CancellationError`.
  /// - Complexity: O(n) in the size of the archive, in pieces of 4 MiB.
  public func append(
    _ archive: GraphArchive, step: Int, time: Double, metadata: [String: String] = [:],
    progress: Progress? = nil
  ) throws {
    let label = try SeriesLabel(step: step, time: time, metadata: Metadata(metadata))
    try queue.sync { try storage.append(archive, label, ProgressReport(progress)) }
  }
}
