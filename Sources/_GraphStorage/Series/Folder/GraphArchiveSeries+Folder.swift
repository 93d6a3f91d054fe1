import Foundation
import _GraphFiles
import _GraphSupport

extension GraphArchiveSeries {
  /// Opens a series that is a folder of archives, one for each entry, and reads the list of its entries.
  ///
  ///     let writer = try GraphArchiveSeries.Writer(folder: url)
  ///     try encoder.append(simulation, to: writer, step: 100, time: 0.5)
  ///     let series = try GraphArchiveSeries(folder: url)
  ///
  /// This suits object stores, and file systems where appending is slow: each file is written once and never changed. Such
  /// a series is used like one in a single file. Each entry is an archive of its own, `entry-000000000042.gcodable`, with
  /// its number, step, time and metadata in the archive's metadata; so the list needs nothing else, and files can be copied
  /// one by one. An index saves opening each of them, and is rebuilt if it is missing or damaged.
  ///
  /// ``damage`` reports entries of the index whose file is missing, and files that are not entries.
  ///
  /// - Parameter url: the folder.
  /// - Throws: `GCodableError` with the code `file` when the folder cannot be read.
  /// - Complexity: O(n) in the number of entries, and one file to open for each entry that the index does not have.
  public init(folder url: URL) throws { try self.init(inFolder: OpenFile(folder: url, isLocked: false)) }

  init(inFolder folder: any RangeReader) throws {
    self.init(folder, try EntryList(.archives(URL(fileURLWithPath: folder.path))))
  }

  /// Reads the list of a folder anew.
  mutating func list() throws {
    let catalog = EntryCatalog.archives(URL(fileURLWithPath: file.path))
    setList(try EntryList(catalog, known: entries.map(FolderEntry.init)))
  }
}

extension GraphArchiveSeries.Entry {
  /// The file of the entry's archive, if the series is a folder; nil if it is a file.
  public var url: URL? { path.map { URL(fileURLWithPath: $0) } }

  /// An entry whose archive is a file of its own.
  init(_ entry: FolderEntry, in folder: any RangeReader) {
    self.init(
      SeriesRecord(
        offset: 0, archiveOffset: 0, storedByteCount: entry.byteCount, archiveHash: entry.hash,
        number: entry.number, previousHash: 0, step: entry.step, time: entry.time,
        archiveByteCount: entry.byteCount, metadata: entry.metadata),
      folder, path: folder.path + "/" + EntryCatalog.archiveNames.name(entry.number))
  }

  /// Its archive, if that is a file of its own.
  ///
  /// - Throws: `file` when the file cannot be opened, as when it was removed since; `wrongSize` when it is not as it
  ///   was.
  func ownStorage() throws -> ArchiveStorage? {
    guard let path else { return nil }
    let file = try OpenFile(reading: URL(fileURLWithPath: path))
    let found = try file.byteCount()
    guard found == byteCount else { throw GCodableError.wrongSize(path, byteCount, found: found) }
    return .file(file, from: 0, byteCount: byteCount)
  }
}
