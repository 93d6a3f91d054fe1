import Foundation

/// A folder with a folder for each set, and its lock.
final class FolderOfSets: SetSeriesStorage {
  let place: SetSeriesPlace
  var hasOthers: Bool { false }
  private let folder: OpenFile
  private var lockFile: LockFile?
  /// Names of folders that have to be removed.
  private var remains: [String] = []
  /// Those that could not be removed.
  private var stuck: Set<String> = []

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
    if let entry = try committed(number) { return entry }
    let path = path(number)
    var isFolder: ObjCBool = false
    // A file of that name is somebody's, and no set. (Safe because the flag is written for the time of the call.)
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw GCodableError(.file, "cannot list \(path)", underlyingError: error)
    }
    guard names.contains(SetNames.manifest) else {
      remains.append(SetNames.folder(number))
      return nil
    }
    // A network file system may remember that there was no manifest until its folder is opened. One without bytes was copied
    // from a store, or its bytes were lost: nobody knows, so the parts stay.
    return try committed(number)
  }

  /// The set with a number, which is on the device from then on; nil if there is none.
  private func committed(_ number: Int) throws -> FolderEntry? {
    guard let entry = try place.set(number).entry(number) else { return nil }
    try keep([number])
    return entry
  }

  func keep(_ numbers: [Int]) throws {
    // Whoever committed them may have ended between giving the manifest its name and syncing that.
    for number in numbers {
      try OpenFile(folder: URL(fileURLWithPath: path(number)), isLocked: false).syncFolder()
    }
  }

  func write(_ index: FolderIndex) throws -> Bool {
    // Nobody else may.
    try index.write(to: folder.path)
    return true
  }

  func acceptFoundIndex() {}

  func retire(_ numbers: [Int]) throws {
    for number in numbers { remains.append(try retire(SetNames.folder(number))) }
    try folder.syncFolder()
  }

  /// Gives the folder of a set a name that stands for none.
  private func retire(_ name: String) throws -> String {
    let path = folder.path + "/" + name
    let removed = SetNames.removed(name)
    let reason = FileOutcome.move(path, to: folder.path + "/" + removed)
    guard reason == 0 || reason == ENOENT else { throw FileOutcome.error("remove", path, reason: reason) }
    return removed
  }

  func removeRemains() throws {
    let names = remains
    remains = []
    var failure: (any Error)?
    for name in names {
      do { try remove(name) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Removes the folder of no set, or leaves it for the next time.
  private func remove(_ name: String) throws {
    var name = name
    do {
      // Others may still be writing parts there: they find no folder from then on.
      if !SetNames.isRemoved(name) { name = try retire(name) }
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    } catch let error as CocoaError where error.code == .fileNoSuchFile {
      return
    } catch {
      remains.append(name)
      guard stuck.insert(name).inserted else { return }
      throw GCodableError(.file, "cannot remove \(folder.path)/\(name)", underlyingError: error)
    }
  }

  private func path(_ number: Int) -> String { folder.path + "/" + SetNames.folder(number) }
}
