import Foundation
import _GraphFiles
import _GraphMaintenance
import _GraphReading
import _GraphStorage
import _GraphSupport

/// Recovers what is intact of a file, whatever it was.
struct FileRecovery {
  /// The file, or what it was before bytes were inserted or removed.
  private let file: any RangeReader
  private let byteCount: UInt64
  private let progress: ProgressReport?
  private let isSeries: Bool
  private let hasMoved: Bool

  init(_ damaged: OpenFile, _ progress: ProgressReport?) throws {
    self.progress = progress
    let damagedByteCount = try damaged.byteCount()
    let realigned =
      try Self.isAllOfAnArchive(damaged, damagedByteCount)
      ? nil : SeriesRealignment.file(of: damaged, byteCount: damagedByteCount)
    hasMoved = realigned != nil
    file = realigned ?? damaged
    byteCount = try file.byteCount()
    isSeries = try hasMoved || Self.isSeries(damaged, damagedByteCount)
  }

  func write(to sink: any ArchiveSink) throws -> GraphRecovery {
    progress?.begin(byteCount: byteCount)
    var recovery = GraphRecovery()
    (recovery.isSeries, recovery.hasMoved) = (isSeries, hasMoved)
    if recovery.isSeries {
      var series = try SeriesBuilder(sink)
      try recover(into: &series, &recovery)
      guard series.end.nextNumber > 0 || recovery.lostRanges.isEmpty else { throw Self.nothingIsIntact }
    } else {
      var archive = try ArchiveRecovery(storage(0..<byteCount), progress: progress)
      recovery.archives = [try archive.write(to: sink).report]
      recovery.hasMoved = recovery.archives[0].hasMoved
    }
    return recovery
  }

  private static var nothingIsIntact: GCodableError {
    GCodableError(.damaged, "nothing of the series is intact", byteOffset: 0)
  }

  private func storage(_ range: Range<UInt64>) -> ArchiveStorage {
    .file(file, from: range.lowerBound, byteCount: UInt64(range.count))
  }

  // MARK: What it is

  private static func start(of file: OpenFile, _ count: Int, _ byteCount: UInt64) throws -> [UInt8] {
    let count = Int(min(byteCount, UInt64(count)))
    return try ArchiveStorage.file(file, from: 0, byteCount: byteCount).withSource {
      try $0.bytes(count, at: 0) ?? []
    }
  }

  private static func isArchive(_ file: OpenFile, _ byteCount: UInt64) throws -> Bool {
    let start = try start(of: file, 8, byteCount)
    return start.count == 8 && start.number(at: 0) == ArchiveHeader.magic
  }

  /// Whether a file begins as an archive whose header, if it is intact, does not end it earlier: exchanged sectors may bring that of an
  /// entry to the start of a series.
  private static func isAllOfAnArchive(_ file: OpenFile, _ byteCount: UInt64) throws -> Bool {
    guard try isArchive(file, byteCount) else { return false }
    let start = try start(of: file, ArchiveHeader.byteCount, byteCount)
    let header = unsafe start.withUnsafeBytes {
      unsafe try? ArchiveHeader(parsing: $0, archiveByteCount: nil)
    }
    return header.map { $0.byteCount >= byteCount } ?? true
  }

  private static func isSeries(_ file: OpenFile, _ byteCount: UInt64) throws -> Bool {
    let start = try start(of: file, SeriesHeader.wantedByteCount, byteCount)
    if start.starts(with: SeriesHeader.magic) {
      _ = try SeriesHeader.find(in: start, fileByteCount: byteCount)
      return true
    }
    if try isArchive(file, byteCount) { return false }
    // Its first bytes are lost: it is a series if it has records.
    let scan = SeriesScan(file, byteCount: byteCount, isThorough: true)
    return try scan.nextRecord(from: UInt64(SeriesHeader.byteCount)) != nil
  }

  // MARK: Series

  private func recover(into series: inout SeriesBuilder, _ recovery: inout GraphRecovery) throws {
    let scan = SeriesScan(file, byteCount: byteCount, isThorough: true)
    var end = UInt64(SeriesHeader.byteCount)
    while let stored = try scan.nextRecord(from: end) {
      let record = stored.record
      try recoverGap(end..<record.archiveOffset, into: &series, &recovery)
      let range = record.archiveOffset..<(record.archiveOffset + record.storedByteCount)
      try recover(range, record, into: &series, &recovery)
      end = stored.end
    }
    if end < byteCount { try recoverGap(end..<byteCount, into: &series, &recovery) }
  }

  /// Appends what is left of an archive.
  ///
  /// - Parameter record: nil where it is lost.
  private func recover(
    _ range: Range<UInt64>, _ record: SeriesRecord?, into series: inout SeriesBuilder,
    _ recovery: inout GraphRecovery
  ) throws {
    do {
      var archive = try ArchiveRecovery(pieces(range) ?? storage(range), progress: progress)
      if let record, try archive.isIntact() {
        let entry = GraphArchiveSeries.Entry(record, file)
        if (try? entry.open().hash) == archive.headerHash {
          var report = archive.intactReport
          (report.entryNumber, report.offset) = (record.number, range.lowerBound)
          try series.append(copying: entry, progress)
          return recovery.archives.append(report)
        }
      }
      var metadata = record?.metadata ?? Metadata()
      if try record == nil || !archive.isIntact() {
        var noted = metadata
        noted.set(GraphRecovery.metadataKey, record == nil ? "the record is lost" : "damaged")
        if (try? SeriesRecord.check(noted)) != nil { metadata = noted }
      }
      let label = try SeriesLabel(
        step: record?.step ?? -1, time: record?.time ?? .nan, metadata: metadata)
      var report = archive.intactReport
      try series.append(label) {
        let written = try archive.write(to: $0)
        report = written.report
        return written.header
      }
      (report.entryNumber, report.offset) = (record?.number, range.lowerBound)
      recovery.archives.append(report)
    } catch let error as GCodableError where [.damaged, .malformed, .notAnArchive].contains(error.code) {
      recovery.lostRanges.append(range)
    }
  }

  /// Recovers the archives in bytes that no record belongs to.
  private func recoverGap(
    _ gap: Range<UInt64>, into series: inout SeriesBuilder, _ recovery: inout GraphRecovery
  ) throws {
    var start = gap.lowerBound
    while start < gap.upperBound {
      let next = try nextArchive(from: start, upTo: gap.upperBound)
      if next.lowerBound > start {
        let rest = start..<next.lowerBound
        if try !isZero(rest) { try recover(rest, nil, into: &series, &recovery) }
      }
      if !next.isEmpty { try recover(next, nil, into: &series, &recovery) }
      start = SeriesRecord.offset(behind: next.upperBound, 0) ?? gap.upperBound
    }
  }

  /// An archive that the file has in pieces, of which these are its own; nil where header or table is damaged.
  private func pieces(_ range: Range<UInt64>) -> ArchiveStorage? {
    guard let header = try? sharedHeader(at: range.lowerBound, upTo: range.upperBound),
      let table = try? header.table(in: file, at: range.lowerBound)
    else { return nil }
    return .pieces(file, table)
  }

  private func sharedHeader(at place: UInt64, upTo end: UInt64) throws -> SharedHeader? {
    let start = try storage(place..<end).withSource { try $0.bytes(SharedHeader.byteCount, at: 0) }
    guard let start, SharedHeader.isOne(start) else { return nil }
    return try? SharedHeader(parsing: start)
  }

  /// The next archive that has its header; nothing at the end where there is none.
  private func nextArchive(from start: UInt64, upTo end: UInt64) throws -> Range<UInt64> {
    try storage(0..<byteCount).withSource { source in
      for place in stride(from: start, to: end, by: SeriesRecord.alignment)
      where end - place >= UInt64(ArchiveHeader.byteCount) {
        let header = try unsafe source.withBytes(ArchiveHeader.byteCount, from: place) {
          try? unsafe ArchiveHeader(parsing: $0, archiveByteCount: nil)
        }
        if let header { return place..<(place + min(header.byteCount, end - place)) }
        if let header = try sharedHeader(at: place, upTo: end) {
          return place..<(place + min(header.storedByteCount, end - place))
        }
      }
      return end..<end
    }
  }

  private func isZero(_ range: Range<UInt64>) throws -> Bool {
    try storage(range).withSource { source in
      for start in stride(from: 0, to: source.byteCount, by: 1 << 20) {
        let count = Int(min(source.byteCount - start, 1 << 20))
        guard try unsafe source.withBytes(count, from: start, { unsafe $0.allSatisfy { $0 == 0 } }) else {
          return false
        }
      }
      return true
    }
  }
}
