import Foundation
import _GraphFiles
import _GraphSupport

/// A locked folder with an archive or a folder for each entry.
final class EntryFolder: EntryStorage {
  let catalog: EntryCatalog
  let lock: WriterLock
  var hasOthers: Bool { false }
  /// Names that have to be removed.
  private var remains: [String] = []
  /// Those that could not be removed.
  private var stuck: Set<String> = []

  /// Opens a folder, or creates it, and locks it.
  ///
  /// - Throws: `locked`; `file`.
  init(_ url: URL, _ catalog: (URL) -> EntryCatalog) throws {
    self.catalog = catalog(SystemPath.url(url))
    lock = try WriterLock(folder: url)
    if try self.catalog.numbers().isEmpty { try lock.file.syncName() }
    if case .sets = self.catalog { remains = try self.catalog.names().filter(SetNames.isRemoved) }
  }

  func check() throws { try lock.check() }

  func freeNumber(from number: Int) throws -> Int {
    // One that had the folder without this one's knowledge. Its entry is not replaced.
    guard !catalog.isThere(number) else {
      throw GCodableError(.locked, "another writer has made \(catalog.path(number))")
    }
    return number
  }

  /// Gives the archive of an entry its name.
  func publish(_ archive: FileSink, _ number: Int, by writer: ArchiveWriter) throws {
    try check()
    _ = try freeNumber(from: number)
    do { try writer.publish(archive) } catch {
      // It may have its name, and the folder not be on the device.
      if archive.isPublished { remains.append(catalog.name(number)) }
      try? removeRemains()
      throw error
    }
  }

  func begin(_ number: Int, of series: CatalogWriter) throws -> SetCommitter {
    do {
      return try SetCommitter(
        SetInFolder(url: URL(fileURLWithPath: catalog.path(number))), of: series, number)
    } catch {
      remains.append(catalog.name(number))
      throw error
    }
  }

  func settle(_ number: Int) throws -> FolderEntry? {
    // Asked of the folder: an error of a commit does not tell whether the manifest has got its name.
    if let entry = try committed(number) { return entry }
    let path = catalog.path(number)
    var isFolder: ObjCBool = false
    // A file of that name is somebody's, and no set. (Safe because the flag is written for the time of the call.)
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    guard try FileManager.default.names(in: path).contains(SetNames.manifest) else {
      remains.append(catalog.name(number))
      return nil
    }
    // A network file system may remember that there was no manifest until its folder is opened. One without bytes was copied
    // from a store, or its bytes were lost: nobody knows, so the parts stay.
    return try committed(number)
  }

  /// The set with a number, which is on the device from then on; nil if there is none.
  private func committed(_ number: Int) throws -> FolderEntry? {
    guard let entry = try catalog.entry(number) else { return nil }
    try keep([number])
    return entry
  }

  func keep(_ numbers: [Int]) throws {
    guard case .sets = catalog else { return }
    // Their writers may have ended between giving the manifest its name and syncing that.
    for number in numbers {
      try OpenFile(folder: URL(fileURLWithPath: catalog.path(number)), isLocked: false).syncFolder()
    }
  }

  func write(_ index: FolderIndex) throws -> Bool {
    // Nobody else may.
    try index.write(to: lock.path)
    return true
  }

  func acceptFoundIndex() {}

  func retire(_ numbers: [Int]) throws {
    for name in numbers.map(catalog.name) {
      if case .archives = catalog {
        try FileOutcome.removeFile(path(name))
        try ParityFile.remove(for: path(name))
      } else {
        remains.append(try retire(name))
      }
    }
    try lock.file.syncFolder()
  }

  /// Gives the folder of a set a name that stands for none.
  private func retire(_ name: String) throws -> String {
    let removed = SetNames.removed(name)
    let reason = FileOutcome.move(path(name), to: path(removed))
    guard reason == 0 || reason == ENOENT else {
      throw FileOutcome.error("remove", path(name), reason: reason)
    }
    return removed
  }

  func removeRemains() throws {
    let names = remains
    remains = []
    try names.tryEach(remove)
  }

  /// Removes the file or folder of no entry, or leaves it for the next time.
  private func remove(_ name: String) throws {
    var name = name
    do {
      if case .archives = catalog {
        try FileOutcome.removeFile(path(name))
        return try ParityFile.remove(for: path(name))
      }
      // Others may still be writing parts there: they find no folder from then on.
      if !SetNames.isRemoved(name) { name = try retire(name) }
      try FileManager.default.removeItem(atPath: path(name))
    } catch let error as CocoaError where error.code == .fileNoSuchFile {
      return
    } catch {
      remains.append(name)
      if case .archives = catalog { throw error }
      guard stuck.insert(name).inserted else { return }
      throw GCodableError(file: path(name), "cannot remove \(path(name))", underlyingError: error)
    }
  }

  private func path(_ name: String) -> String { lock.path + "/" + name }
}
