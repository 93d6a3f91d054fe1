import Foundation

/// Begins sets in the folder of a series, lists them when they are committed, and removes them.
///
/// Those who write one of its sets keep it, and with it the lock of the folder.
final class SetSeriesLead: @unchecked Sendable {
  // `@unchecked`: what changes is used under `mutex` alone.
  private let folder: OpenFile
  private let mutex = NSLock()
  private var lockFile: LockFile?
  private var current: GraphArchiveSetSeries
  private var nextNumber: Int
  /// Sets that the index does not know.
  private var newCount: Int
  /// The set that was begun and is neither committed nor aborted.
  private var begun: Begun?
  /// What had to be removed, and could not be.
  private var remains: [String] = []

  private struct Begun {
    let number: Int
    weak var lead: SetLead?
  }

  /// How many sets it takes until the index is written anew.
  private static let indexInterval = 64

  /// Opens a folder, or creates it, locks it, and removes what is left of sets that were not committed.
  ///
  /// - Throws: `locked`; `file`.
  init(_ url: URL) throws {
    folder = try .lockedFolder(url)
    let lockFile = try LockFile(of: folder.path)
    var isOpen = false
    defer { if !isOpen { lockFile?.release() } }
    let listing = try SetSeriesListing(folder.path)
    current = GraphArchiveSetSeries(url, listing)
    (nextNumber, newCount) = (listing.nextNumber, listing.openedCount)
    if listing.nextNumber == 0 { try folder.syncName() }
    remains = listing.abandoned
    self.lockFile = lockFile
    isOpen = true
    // What cannot be removed now takes room and does no harm.
    try? removeRemains()
  }

  deinit {
    guard folder.isOwn else { return }
    if newCount > 0, (try? lockFile?.check()) != nil { try? writeIndex() }
    lockFile?.release()
    folder.unlock()
  }

  /// The series with all that has been committed so far.
  var series: GraphArchiveSetSeries { mutex.withLock { current } }

  /// Begins the next set.
  func begin() throws -> SetLead {
    try mutex.withLock {
      try checkLock()
      if let begun {
        guard begun.lead == nil else {
          throw GCodableError(
            .locked, "\(path(begun.number)) is being written: commit or abort it before the next one")
        }
        try settle(begun.number)
      }
      try removeRemains()
      guard nextNumber <= SeriesRecord.maximumNumber else {
        throw GCodableError(.limitExceeded, "the sets of \(folder.path) have no number that is left")
      }
      let number = nextNumber
      // One that had the folder without this one's knowledge. Its set is not replaced.
      guard !FileManager.default.fileExists(atPath: path(number)) else {
        nextNumber = try SetSeriesListing(folder.path).nextNumber
        throw GCodableError(.locked, "another writer has made \(path(number))")
      }
      nextNumber += 1
      do {
        let url = URL(fileURLWithPath: path(number))
        let lead = try SetLead(url, inSeries: .init(lead: self, number: number))
        begun = Begun(number: number, lead: lead)
        return lead
      } catch {
        remains.append(SetNames.folder(number))
        throw error
      }
    }
  }

  /// Removes sets.
  ///
  /// They are taken out of the index first, then each gets a name of nothing in one step, and then the files are
  /// removed. Whenever the process is killed, each of the sets is there as a whole, or not at all.
  func remove(_ numbers: Set<Int>) throws {
    guard !numbers.isEmpty else { return }
    try mutex.withLock {
      try checkLock()
      let before = current
      current.remove(numbers)
      do {
        try writeIndex()
        for number in numbers.sorted() { try retire(SetNames.folder(number)) }
        try folder.syncFolder()
      } catch {
        // What is still there.
        do { try current.update() } catch { current = before }
        throw error
      }
      try removeRemains()
    }
  }

  // MARK: What a set tells

  /// Checks that nobody else has the series.
  func check() throws { try mutex.withLock { try checkLock() } }

  /// Lists a set that was committed, or removes what is left of one that was not.
  func finish(_ number: Int) throws {
    try mutex.withLock { if begun?.number == number { try settle(number) } }
  }

  // MARK: With the mutex

  private func settle(_ number: Int) throws {
    // Asked of the folder: an error of a commit does not tell whether the manifest has got its name.
    if let entry = try FolderEntry(ofSetIn: path(number), number: number) {
      begun = nil
      current.add(entry)
      newCount += 1
      // The set is there; an index that cannot be written is none.
      if newCount >= Self.indexInterval { try? writeIndex() }
    } else {
      begun = nil
      remains.append(SetNames.folder(number))
      try removeRemains()
    }
  }

  private func checkLock() throws {
    guard folder.isOwn else {
      throw GCodableError(.locked, "the process that this one was forked from writes to \(folder.path)")
    }
    try folder.checkName()
    try lockFile?.check()
  }

  private func writeIndex() throws {
    var index = FolderIndex()
    (index.entries, index.nextNumber) = (current.map(\.stored), nextNumber)
    try index.write(to: folder.path)
    newCount = 0
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

  /// Removes folders that have no set.
  private func removeRemains() throws {
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
