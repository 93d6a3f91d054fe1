import Foundation
import _GraphFiles
import _GraphSupport

/// Snapshots of a graph that were appended to one file, in this order.
///
///     let writer = try GraphArchiveSeries.Writer(url)
///     try encoder.append(simulation, to: writer, step: 100, time: 0.5, metadata: ["cells": "64"])
///
///     let series = try GraphArchiveSeries(url)
///     for entry in series { print(entry.step, entry.time, entry.metadata) }
///     if let last = series.last { simulation = try decoder.read(Simulation.self, from: last) }
///
/// Reading the list takes some 200 bytes for each entry, without the snapshots themselves. Each snapshot reads as a whole
/// archive; blocks that several of them have are stored once, unless ``Writer/sharing-swift.property`` says otherwise.
///
/// An entry appears when its snapshot is complete and on the device. Readers do not see an entry that is being written, nor
/// what a killed process has left after the last entry; the next append removes the latter. Any number of processes may
/// read while one appends. A value of this type is the list at the time it was read. The file stays open as long as the
/// value or one of its entries is in use, and a file that replaces it is not seen.
public struct GraphArchiveSeries: Sendable {
  let file: any RangeReader
  /// Whether the series is a folder of archives.
  public let isFolder: Bool
  private(set) var entries: [Entry] = []
  /// The damage found while the list was read, in the order of the file.
  ///
  /// Entries lost to it are missing from the list, so their numbers are skipped. All other entries are listed, except those
  /// after an archive whose first bytes became zero in a file that also ends with an unfinished entry: a thorough list,
  /// `GraphDecoder.verify` and a `Writer` find them. Damage inside a snapshot is found by reading or verifying it. Bytes
  /// after the last entry are not damage.
  public private(set) var damage: [GCodableError] = []
  /// Whether the file has its header.
  private(set) var hasHeader = false
  /// The end of the last entry of a file.
  private(set) var tail = SeriesEnd()
  /// Where the next entry of a file begins.
  var end: UInt64 { tail.offset }
  /// Bytes of the file up to the end of the last entry, or of the header if there is none; in a folder, bytes of all
  /// entries.
  ///
  /// Further bytes of the file are not an entry, but one that is being written or was not finished, as in a truncated copy.
  public var byteCount: UInt64 {
    // The index of a folder may say anything, until the entry is read.
    isFolder ? entries.lazy.map(\.byteCount).saturatedSum() : end
  }

  /// Opens a series and reads the list of its entries.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - isThorough: whether to search for entries to the end of the file, even after what looks like an unfinished entry.
  /// - Throws: `GCodableError`: code `file` when the file cannot be read, `notAnArchive` when it is not a series. A newly
  ///   created file without a header is a series without entries.
  /// - Complexity: O(n) in the number of entries, with one read for every 64, or two for each if the file does not end with
  ///   an entry. If entries are damaged, or the list is thorough and one is unfinished, up to the whole file is read to find
  ///   the next ones.
  public init(_ url: URL, isThorough: Bool = false) throws {
    try self.init(OpenFile(reading: url), isThorough: isThorough)
  }

  /// Opens a series that is read by ranges, such as an object in a store.
  ///
  /// Such a series does not grow, and ``update()`` finds nothing new. If the bytes have been replaced since it was opened,
  /// reading is an error; open it again to see the new ones.
  ///
  /// - Parameters:
  ///   - source: reads ranges of the series.
  ///   - isThorough: as for a file.
  /// - Throws: as for a file; see ``GraphSource/read(_:)`` for errors of the source.
  /// - Complexity: as for a file, with one or two requests if everything is in the first or last 64 KiB.
  public init(source: any GraphSource, isThorough: Bool = false) throws {
    try self.init(SourceReader(source), isThorough: isThorough)
  }

  /// Reads the list from a file that is open.
  ///
  /// - Parameters:
  ///   - isThorough: see `SeriesScan`.
  ///   - usesIndex: false to look at every record, see `SeriesIndex`.
  package init(_ file: any RangeReader, isThorough: Bool = false, usesIndex: Bool = true) throws {
    (self.file, isFolder) = (file, false)
    try extend(isThorough: isThorough, usesIndex: usesIndex)
  }

  /// A folder with entries that have been listed.
  init(_ folder: any RangeReader, _ list: EntryList) {
    (file, isFolder) = (folder, true)
    setList(list)
  }

  /// Sets the list of a folder.
  mutating func setList(_ list: EntryList) {
    damage = list.damage
    entries = list.entries.map { Entry($0, in: file) }
  }

  /// Adds an entry of a folder.
  mutating func add(_ entry: FolderEntry) { entries.append(Entry(entry, in: file)) }

  /// Adds the entries that were appended since the list was read; for a folder, reads the list again.
  ///
  /// The list is also read again if its last entry is gone, because the device failed just after it appeared, or because
  /// the file was truncated.
  ///
  /// - Throws: `GCodableError` with the code `file` when the file cannot be read.
  /// - Complexity: O(n) in the number of new entries.
  public mutating func update() throws { try extend(isThorough: false) }

  /// Adds the entries after the last one.
  ///
  /// - Parameter isThorough: see `SeriesScan`.
  @inline(never)
  mutating func extend(isThorough: Bool, usesIndex: Bool = true) throws {
    if isFolder { return try list() }
    while true {
      let scan = SeriesScan(file, byteCount: try file.byteCount(), isThorough: isThorough)
      // If a writer has just removed remains after the last entry, looks again.
      do { return try extend(scan, usesIndex) } catch is SeriesScan.FileWasCut {}
    }
  }

  @inline(never)
  private mutating func extend(_ scan: SeriesScan, _ usesIndex: Bool) throws {
    if !entries.isEmpty, try !scan.hasRecord(endingAt: end, hash: tail.lastHash) { forget() }
    if !hasHeader {
      switch try scan.header() {
      case .notBegun: return
      case .valid(let hash):
        (hasHeader, tail) = (true, SeriesEnd(headerHash: hash))
        if usesIndex { return try list(scan, headerHash: hash) }
      case .damaged:
        damage.append(
          GCodableError(.damaged, "the header of the series does not match its checksum", byteOffset: 0))
      }
      hasHeader = true
    }
    while let stored = try scan.nextRecord(from: end) { add(stored) }
  }

  /// Reads the list of a file whose header is sound.
  private mutating func list(_ scan: SeriesScan, headerHash: UInt64) throws {
    if let records = try scan.recordsFromEnd(headerHash: headerHash) {
      for record in records { add(record) }
      return
    }
    while let stored = try scan.nextRecord(from: end) { add(stored) }
    // The next append removes anything after the last entry, and then records are found from there.
    guard !damage.isEmpty, end < scan.byteCount,
      let records = try SeriesScan(file, byteCount: end).recordsFromEnd(headerHash: headerHash)
    else { return }
    forget()
    (hasHeader, tail) = (true, SeriesEnd(headerHash: headerHash))
    for record in records { add(record) }
  }

  private mutating func forget() { (entries, damage, hasHeader, tail) = ([], [], false, SeriesEnd()) }

  /// Adds the entry of a record that follows the last one.
  mutating func add(_ stored: SeriesRecord.Stored) {
    let record = stored.record
    if record.archiveOffset > end {
      damage.append(
        GCodableError(
          .damaged, "the \(record.archiveOffset - end) bytes from here on hold no valid entry",
          byteOffset: end))
      tail.noteGap()
    } else if record.previousHash != tail.lastHash {
      damage.append(
        GCodableError(
          .malformed, "entry \(record.number) does not belong behind the entry before it",
          byteOffset: record.offset))
    } else if !entries.isEmpty, record.number < tail.nextNumber {
      damage.append(
        GCodableError(
          .malformed, "entry \(record.number) stands behind entry \(tail.nextNumber - 1)",
          byteOffset: record.offset))
    } else if !tail.index.mayHave(record.index) {
      damage.append(
        GCodableError(
          .malformed,
          "the record of entry \(record.number) has copies of other records than those in front of it",
          byteOffset: record.offset))
    }
    tail.pass(stored)
    entries.append(Entry(record, file))
  }
}

extension GraphArchiveSeries: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of entries.
  public var endIndex: Int { entries.count }

  /// The n-th entry of the list, from 0.
  ///
  /// - Complexity: O(1).
  public subscript(position: Int) -> Entry { entries[position] }

  /// The entry of a step; if there are several, the one appended last.
  ///
  /// - Complexity: O(n) in the number of entries.
  public func entry(atStep step: Int) -> Entry? { entries.last { $0.step == step } }

  /// The entry whose time is nearest to `time`; if there are several, the one appended last.
  ///
  /// Times are floating-point numbers, so a computed time is rarely found exactly; compare with the entry's `time`. Entries
  /// whose time is NaN are ignored.
  ///
  /// - Complexity: O(n) in the number of entries.
  public func entry(nearestToTime time: Double) -> Entry? { entries.nearest(to: time, by: \.time) }
}
