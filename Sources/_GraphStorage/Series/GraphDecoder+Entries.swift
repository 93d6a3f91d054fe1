import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

extension GraphDecoder {
  /// Decodes a snapshot of a series.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - entry: the snapshot's entry.
  ///   - progress: as for a file.
  /// - Throws: as for a file. Byte offsets count from the entry's `offset`.
  @inlinable
  public func read<Root: GDecodable>(
    _ type: Root.Type, from entry: GraphArchiveSeries.Entry, progress: Progress? = nil
  ) throws -> Root {
    try GraphArchive(entry).decode(type, using: self, progress: progress)
  }

  /// Decodes a snapshot of a series as `Codable` values.
  ///
  /// - Parameters: as in `read(_:from:progress:)` for an entry.
  /// - Throws: as for a file. Byte offsets count from the entry's `offset`.
  public func read<Root: Decodable>(
    codable type: Root.Type, from entry: GraphArchiveSeries.Entry, progress: Progress? = nil
  ) throws -> Root {
    try GraphArchive(entry).decode(codable: type, using: self, progress: progress)
  }

  /// For a message that says what to write; see `_GraphCoding/Decoder/UnavailableCalls.swift`.
  @available(
    *, unavailable, message: "say what to decode: 'read(Model.self, from: entry)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func read(from entry: GraphArchiveSeries.Entry) throws -> Any { throw neverCalled() }

  /// For a message that says what to write; see `_GraphCoding/Decoder/UnavailableCalls.swift`.
  @available(
    *, unavailable, message: "say what to decode: 'read(Model.self, from: entry)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func read<Root>(from entry: GraphArchiveSeries.Entry) throws -> Root { throw neverCalled() }
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
