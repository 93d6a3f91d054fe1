import Foundation

/// A folder with a folder for each set, and its lock.
final class FolderOfSets: SetSeriesStorage {
  let place: SetSeriesPlace
  private let folder: OpenFile
  private var lockFile: LockFile?
  /// Names of folders that have to be removed.
  private var remains: [String] = []

  /// Opens a folder, or creates it, and locks it.
  ///
  /// - Throws: `locked`; `file`.
  init(_ url: URL) throws {
    place = .folder(url)
    folder = try .lockedFolder(url)
    lockFile = try LockFile(of: folder.path)
    do {
      let names = try place.names()
      remains = names.filter(SetNames.isRemoved)
      if !names.contains(where: { SetNames.number(of: $0) != nil }) { try folder.syncName() }
    } catch {
      lockFile?.release()
      throw error
    }
  }

  func close() {
    lockFile?.release()
    lockFile = nil
    folder.unlock()
  }

  func check() throws {
    guard folder.isOwn else {
      throw GCodableError(.locked, "the process that this one was forked from writes to \(folder.path)")
    }
    try folder.checkName()
    try lockFile?.check()
  }

  func freeNumber(from number: Int) throws -> Int {
    // One that had the folder without this one's knowledge. Its set is not replaced.
    guard !FileManager.default.fileExists(atPath: path(number)) else {
      throw GCodableError(.locked, "another writer has made \(path(number))")
    }
    return number
  }

  func begin(_ number: Int, of series: SetSeriesLead) throws -> any SetLeading {
    do {
      return try SetLead(URL(fileURLWithPath: path(number)), inSeries: .init(lead: series, number: number))
    } catch {
      remains.append(SetNames.folder(number))
      throw error
    }
  }

  func settle(_ number: Int) throws -> FolderEntry? {
    // Asked of the folder: an error of a commit does not tell whether the manifest has got its name.
    if let entry = try place.set(number).entry(number) { return entry }
    remains.append(SetNames.folder(number))
    return nil
  }

  func write(_ index: FolderIndex) throws { try index.write(to: folder.path) }

  func retire(_ numbers: [Int]) throws {
    for number in numbers { try retire(SetNames.folder(number)) }
    try folder.syncFolder()
  }

  /// Gives the folder of a set a name that stands for none.
  private func retire(_ name: String) throws {
    let path = folder.path + "/" + name
    let removed = SetNames.removed(name)
    guard unsafe rename(path, folder.path + "/" + removed) == 0 || errno == ENOENT else {
      throw FileOutcome.error("remove", path, reason: errno)
    }
    remains.append(removed)
  }

  func removeRemains() throws {
    while let name = remains.last {
      // Others may still be writing parts there: they find no folder from then on.
      guard SetNames.isRemoved(name) else {
        try retire(name)
        remains.removeAll { $0 == name }
        continue
      }
      do { try FileManager.default.removeItem(atPath: folder.path + "/" + name) } catch let error
        as CocoaError where error.code == .fileNoSuchFile
      {} catch {
        throw GCodableError(.file, "cannot remove \(folder.path)/\(name)", underlyingError: error)
      }
      remains.removeLast()
    }
  }

  private func path(_ number: Int) -> String { folder.path + "/" + SetNames.folder(number) }
}
