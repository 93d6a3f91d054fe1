import Foundation
import _GraphFiles
import _GraphReading
import _GraphSupport

/// A series in one file, to which a writer appends; used by one thread at a time.
final class SeriesFile: SeriesTarget {
  let list: SeriesList
  private let lock: WriterLock
  /// What the entries have stored; nil until an entry shares blocks, and after an error.
  private var stored: StoredBlocks?
  /// Whether an append failed whose bytes could not be removed, and must not be taken for an entry.
  private var hasRemains = false

  private var current: GraphArchiveSeries { list.current }

  /// Opens a file for appending, or creates it, and locks it.
  init(_ url: URL) throws {
    lock = try WriterLock(appendingTo: url)
    let file = lock.file
    var series = try GraphArchiveSeries(file, isThorough: true)
    if !series.hasHeader {
      try unsafe SeriesHeader.bytes.withUnsafeBytes { try unsafe file.write([$0], at: 0) }
      try file.sync()
      try series.update()
    }
    // A killed process may have created the file.
    if series.isEmpty { try file.syncName() }
    list = SeriesList(series)
  }

  func append(
    _ graph: EncodedGraph, _ writer: ArchiveWriter, _ label: SeriesLabel,
    _ sharing: GraphArchiveSeries.Writer.Sharing, _ progress: ProgressReport?
  ) throws {
    var writer = writer
    writer.progress = progress
    let file = lock.file
    try append(label, progress) { start in
      guard sharing != .none, writer.hasBlocks(graph) else {
        return WrittenArchive(
          whole: try writer.writeArchive(graph, to: OffsetSink(sink: file, start: start)))
      }
      var known = stored.take() ?? StoredBlocks(lastOf: current)
      return try sharing.write(to: file, at: start, &known, writer.compression) {
        try writer.writeArchive(graph, to: $0)
      }
    }
    try writer.protect(URL(fileURLWithPath: lock.path), file, upTo: current.end)
  }

  func append(_ archive: GraphArchive, _ label: SeriesLabel, _ progress: ProgressReport?) throws {
    let file = lock.file
    try append(label, progress) { start in
      progress?.begin(byteCount: archive.header.byteCount)
      return WrittenArchive(
        whole: try archive.storage.copy(to: OffsetSink(sink: file, start: start), progress))
    }
  }

  /// Appends an entry: checks, the archive, its record.
  ///
  /// After an error the file is as it was before, as far as the system lets it; the next call removes what is left of the
  /// entry.
  ///
  /// - Parameter write: writes the archive to the offset that it receives.
  private func append(
    _ label: SeriesLabel, _ progress: ProgressReport?, _ write: (UInt64) throws -> WrittenArchive
  ) throws {
    try progress?.checkCancellation()
    try lock.check()
    try repair()
    try SeriesRecord.checkNumber(current.tail.nextNumber, in: lock.path)
    do {
      let archive = try write(current.end)
      let record = try current.tail.record(of: archive, label)
      // A record says that its archive is on the device.
      try lock.file.sync()
      try progress?.checkCancellation()
      try lock.check()
      try unsafe record.bytes.withUnsafeBytes {
        try unsafe lock.file.write([$0], at: current.end + archive.storedByteCount)
      }
      try lock.file.sync()
      list.change { $0.add(record.stored) }
      if let sink = archive.sink { stored = sink.takeKnown() }
    } catch {
      hasRemains = true
      try? removeRemains()
      throw error
    }
    progress?.finish()
  }

  /// Puts a series of some entries in the place of the file.
  func keep(_ entries: [GraphArchiveSeries.Entry], _ progress: ProgressReport?) throws {
    try progress?.checkCancellation()
    if let damage = current.damage.first { throw damage }
    try lock.check()
    try lock.lockName()
    let sink = try GraphArchiveSeries.write(entries, to: URL(fileURLWithPath: lock.path), progress)
    let replaced = try sink.openFile()
    let series = try GraphArchiveSeries(replaced, isThorough: true)
    lock.hold(replaced)
    list.change { $0 = series }
    (stored, hasRemains) = (nil, false)
    try ParityFile.renew(URL(fileURLWithPath: lock.path), threadCount: ParallelLoop.processorCount)
  }

  /// Removes what stands behind the last entry.
  private func repair() throws {
    // They may be an entry that is whole but not on the device, because the last sync failed. Nor would a later one
    // say so again.
    if hasRemains { try removeRemains() }
    let byteCount = try lock.file.byteCount()
    guard byteCount >= current.end else {
      throw GCodableError(
        .wrongSize, "\(lock.path) was cut short while it was open for appending", byteOffset: byteCount)
    }
    guard byteCount > current.end else { return }
    // Nothing is removed that has an entry behind it. Not in a change, which readers of the list wait for: the rest of
    // the file is read.
    var repaired = current
    try repaired.extend(isThorough: true)
    list.change { $0 = repaired }
    try lock.file.truncate(to: current.end)
  }

  private func removeRemains() throws {
    if try lock.file.byteCount() > current.end { try lock.file.truncate(to: current.end) }
    hasRemains = false
  }
}
