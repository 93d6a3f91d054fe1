import Foundation
import _GraphFiles
import _GraphSupport

extension GraphArchiveSeries {
  /// Writes some of the entries into a new series.
  ///
  ///     try series.copy(to: url) { $0.step % 1_000 == 0 }
  ///
  /// Nothing is expanded or compressed: archives are copied as they are stored, with their steps, times and metadata, and
  /// blocks that they share are stored once. Entries are numbered from 0. The new file appears, or replaces another, when it
  /// is complete and on the device.
  ///
  /// To remove entries from a file that another process may append to, use ``Writer/retain(progress:where:)``.
  ///
  /// - Parameters:
  ///   - url: the new file. It may be the file of the series; readers that have that open keep the old one.
  ///   - isIncluded: which entries to copy.
  ///   - progress: reports the bytes that are copied; cancelling it leaves no file.
  /// - Throws: `GCodableError`: `file`; `damaged` for an archive that does not match its record, though not for damaged
  ///   blocks; `wrongSize` if the series was truncated; `CancellationError`; what `isIncluded` throws.
  /// - Complexity: O(n) in the bytes that are copied.
  public func copy(
    to url: URL, where isIncluded: (Entry) throws -> Bool = { _ in true }, progress: Progress? = nil
  ) throws {
    try progress?.checkCancellation()
    _ = try Self.write(entries.filter(isIncluded), to: url, ProgressReport(progress))
  }

  /// Writes the entries of several series into a new one, one series after the other.
  ///
  /// - Parameters:
  ///   - series: in the order in which their entries are written.
  ///   - url: the new file.
  ///   - progress: as in ``copy(to:where:progress:)``.
  /// - Throws: as ``copy(to:where:progress:)``.
  /// - Complexity: O(n) in the bytes that are copied.
  public static func concatenate(
    _ series: [GraphArchiveSeries], to url: URL, progress: Progress? = nil
  ) throws {
    try progress?.checkCancellation()
    _ = try write(series.flatMap(\.entries), to: url, ProgressReport(progress))
  }

  /// Writes entries into a new file, which gets its name when it is complete.
  static func write(_ entries: [Entry], to url: URL, _ progress: ProgressReport?) throws -> FileSink {
    let sink = try FileSink(url)
    progress?.begin(byteCount: entries.lazy.map(\.byteCount).saturatedSum())
    var series = try SeriesBuilder(sink)
    for entry in entries { try series.append(copying: entry, progress) }
    try sink.publish(progress)
    return sink
  }
}

extension GraphArchiveSeries.Entry {
  /// Writes the entry's archive into a file of its own, byte for byte as `GraphEncoder.write` would have made it.
  ///
  /// Blocks that the series has as changes of others are compressed anew. Another release of LZ4 than the writer's may make other
  /// bytes of the same values.
  ///
  /// - Parameters:
  ///   - url: the file, which appears, or replaces another, when it is complete.
  ///   - progress: reports the bytes that are copied; cancelling it leaves no file.
  /// - Throws: as `GraphArchiveSeries.copy(to:where:progress:)`.
  /// - Complexity: O(n) in `byteCount`.
  public func extract(to url: URL, progress: Progress? = nil) throws {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    report?.begin(byteCount: byteCount)
    let sink = try FileSink(url)
    let (storage, hash) = try open()
    _ = try storage.copy(to: sink, report) { guard $0.hash == hash else { throw isOther() } }
    try sink.publish(report)
  }
}
