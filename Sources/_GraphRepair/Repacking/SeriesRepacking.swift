import Foundation
import _GraphCoding
import _GraphFiles
import _GraphMaintenance
import _GraphReading
import _GraphStorage
import _GraphSupport

extension GraphEncoder {
  /// Writes the graphs of a series into another one, with the compression and the precision of this encoder.
  ///
  ///     try encoder.repack(series, to: url, sharing: .differences())
  ///
  /// Each archive is rewritten as by `repack(_:to:progress:)` for an archive. Steps, times and metadata stay, and entries are
  /// numbered from 0. The new file appears, or replaces another, when it is complete and on the device.
  ///
  /// - Parameters:
  ///   - series: the series to copy. It may be the one at `url`, which is then replaced; entries appended meanwhile are lost.
  ///   - url: the new file.
  ///   - sharing: how entries share blocks with earlier ones.
  ///   - progress: reports the bytes written, as counted before compression; cancelling it leaves no file.
  /// - Throws: as `repack(_:to:progress:)` for an archive.
  /// - Complexity: O(n) in the size of all graphs. The graph stream and one array after the other are in memory.
  public func repack(
    _ series: GraphArchiveSeries, to url: URL, sharing: GraphArchiveSeries.Writer.Sharing = .blocks,
    progress: Progress? = nil
  ) throws {
    try progress?.checkCancellation()
    try precision?.check()
    // It may hide entries.
    if let damage = series.damage.first { throw damage }
    let report = ProgressReport(progress)
    let sink = try FileSink(url)
    let file = try sink.openFile()
    report?.begin(byteCount: try series.map { try GraphArchive($0).contents.rawByteCount }.saturatedSum())
    var builder = try SeriesBuilder(sink)
    var known = StoredBlocks()
    for entry in series {
      try GraphArchive(entry).withReader(threadCount: threadCount) { reader in
        let repacking = Repacking(
          reader, compression, precision, report, storesDirectory: storesDirectory)
        guard sharing != .none, !reader.contents.segments.isEmpty else {
          return try builder.append(SeriesLabel(entry), whole: repacking.write)
        }
        let archive = try builder.append(SeriesLabel(entry)) {
          try sharing.write(to: file, at: $0, &known, compression, repacking.write)
        }
        if let sink = archive.sink { known = sink.takeKnown() }
      }
    }
    if verifiesAfterWrite {
      try sink.forgetWritten()
      try GraphDecoder().verify(GraphArchiveSeries(file, isThorough: true))
    }
    var writer = archiveWriter
    writer.progress = report
    try writer.publish(sink, renewsParity: true)
  }
}
