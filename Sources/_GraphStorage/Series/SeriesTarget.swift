import Foundation
import _GraphFiles
import _GraphReading

/// What the writer of a series writes to, a file or a folder; used by one thread at a time.
protocol SeriesTarget: AnyObject {
  /// The series with everything that has been appended so far.
  var list: SeriesList { get }
  /// Appends an entry with a graph.
  ///
  /// - Throws: as `GraphEncoder.append`; then the series has its earlier entries.
  func append(
    _ graph: EncodedGraph, _ writer: ArchiveWriter, _ label: SeriesLabel,
    _ sharing: GraphArchiveSeries.Writer.Sharing, _ progress: ProgressReport?
  ) throws
  /// Appends an archive as it is.
  func append(_ archive: GraphArchive, _ label: SeriesLabel, _ progress: ProgressReport?) throws
  /// Keeps some of the entries and no other.
  func keep(_ entries: [GraphArchiveSeries.Entry], _ progress: ProgressReport?) throws
}

/// A series that one thread changes at a time, and any may look at.
final class SeriesList: @unchecked Sendable {
  // `@unchecked`: changed by the one thread alone, with the lock; so that thread reads it without.
  private(set) var current: GraphArchiveSeries
  private let lock = NSLock()

  init(_ series: GraphArchiveSeries) { current = series }

  /// The series, for any thread.
  var snapshot: GraphArchiveSeries { lock.withLock { current } }

  func change(_ body: (inout GraphArchiveSeries) -> Void) { lock.withLock { body(&current) } }
}
