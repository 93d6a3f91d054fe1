import Foundation
import _GraphSupport

/// Adds numbered entries to a catalog, keeps the list of them and its index, and removes them.
///
/// Writers of one of its sets keep it, and with it the lock of a folder.
final class CatalogWriter: @unchecked Sendable {
  // `@unchecked`: what changes is used under `mutex` alone.
  private let storage: any EntryStorage
  private let mutex = NSLock()
  private var current: EntryList
  private var nextNumber: Int
  /// Entries that the index does not know.
  private var newCount = 0
  /// The set that was begun, and may or may not have been committed.
  private var begun: Begun?

  private struct Begun {
    let number: Int
    weak var committer: SetCommitter?
    var isOpen: Bool { committer?.isOpen == true }
  }

  /// After how many entries the index is rewritten.
  private static let indexInterval = 64

  /// Lists the entries, and removes what is left of sets that were not committed.
  init(_ storage: any EntryStorage) throws {
    self.storage = storage
    current = try EntryList(storage.catalog)
    nextNumber = current.nextNumber
    // Until everything succeeds, no index needs writing at the end, so `newCount` stays 0.
    for number in current.abandoned {
      // One that was committed just now is the next list's.
      _ = try storage.settle(number)
    }
    try storage.keep(current.opened)
    newCount = current.opened.count
    // Files that cannot be removed now take room but do no harm.
    try? storage.removeRemains()
  }

  deinit {
    if newCount > 0, (try? storage.check()) != nil, (try? writeIndex()) != nil {
      try? storage.removeRemains()
    }
  }

  var catalog: EntryCatalog { storage.catalog }

  /// All that has been added so far.
  var list: EntryList { mutex.withLock { current } }

  /// Everything added so far, including entries whose commit had an unknown outcome.
  ///
  /// - Parameter isFresh: whether to include what other writers have committed and removed, if there may be others.
  func settledList(isFresh: Bool = false) throws -> EntryList {
    try mutex.withLock {
      if let begun, !begun.isOpen {
        try storage.check()
        try settle(begun.number)
      }
      if isFresh, storage.hasOthers { try relist() }
      return current
    }
  }

  /// Adds an entry.
  ///
  /// - Parameter write: writes the archive of the entry with a number.
  func add(_ write: (Int) throws -> FolderEntry) throws -> FolderEntry {
    try mutex.withLock {
      try storage.check()
      // One that failed may have the number.
      try storage.removeRemains()
      try SeriesRecord.checkNumber(nextNumber, in: storage.catalog.name)
      do {
        let entry = try write(nextNumber)
        nextNumber += 1
        note(entry)
        return entry
      } catch let error as GCodableError where error.code == .locked {
        if let list = try? EntryList(storage.catalog) { nextNumber = max(nextNumber, list.nextNumber) }
        throw error
      }
    }
  }

  /// Begins the next set.
  func begin() throws -> SetCommitter {
    try mutex.withLock {
      try storage.check()
      if let begun {
        guard !begun.isOpen else {
          let name = storage.catalog.name(begun.number)
          throw GCodableError(.locked, "\(name) is being written: commit or abort it before the next one")
        }
        try settle(begun.number)
      }
      // Files that cannot be removed now take room but do no harm, because numbers are not reused.
      try? storage.removeRemains()
      let number = try storage.freeNumber(from: nextNumber)
      try SeriesRecord.checkNumber(number, in: storage.catalog.name)
      nextNumber = number + 1
      let committer = try storage.begin(number, of: self)
      begun = Begun(number: number, committer: committer)
      return committer
    }
  }

  /// Removes entries.
  ///
  /// They are taken out of the index first, then from readers, each in one step, and then the files are removed.
  /// Whenever the process is killed, each entry is complete or absent.
  func remove(_ numbers: Set<Int>) throws {
    guard !numbers.isEmpty else { return }
    try mutex.withLock {
      try storage.check()
      let before = current
      current.remove(numbers)
      do {
        try writeIndex(without: numbers)
        try storage.retire(numbers.sortedOutOfLine(by: <))
      } catch {
        // Entries that still exist.
        do { try relist() } catch { current = before }
        throw error
      }
      try storage.removeRemains()
    }
  }

  /// Checks that nobody else has the catalog.
  func check() throws { try mutex.withLock { try storage.check() } }

  /// Lists a set that was committed, or removes what is left of one that was not.
  func finish(_ number: Int) throws {
    try mutex.withLock {
      guard begun?.number == number else { return }
      try settle(number)
      try storage.removeRemains()
    }
  }

  // MARK: With the mutex

  private func settle(_ number: Int) throws {
    do {
      let entry = try storage.settle(number)
      begun = nil
      if let entry { note(entry) }
    } catch let error as GCodableError where error.code == .damaged {
      // Nothing more can be learned about it later.
      begun = nil
      throw error
    }
  }

  private func note(_ entry: FolderEntry) {
    current.add(entry)
    newCount += 1
    // The entry exists; an index that cannot be written does not matter.
    if newCount >= Self.indexInterval { try? writeIndex() }
  }

  /// - Parameter removed: entries that are not to be listed any more.
  private func writeIndex(without removed: Set<Int> = []) throws {
    for _ in 0..<3 {
      var index = FolderIndex()
      index.entries = current.entries
      // The number of a set being written is not taken yet.
      let taken = begun.flatMap { $0.isOpen ? $0.number : nil } ?? nextNumber
      index.nextNumber = max(taken, (current.entries.last?.number ?? -1) + 1)
      if try storage.write(index) {
        newCount = 0
        return
      }
      // Another writer has written it, which may have committed sets, and removed some.
      try relist()
      storage.acceptFoundIndex()
      current.remove(removed)
    }
    throw GCodableError(.locked, "others keep writing the index of \(storage.catalog.name)")
  }

  /// Lists the entries anew.
  private func relist() throws {
    current = try EntryList(storage.catalog, known: current.entries)
    nextNumber = max(nextNumber, current.takenCount)
  }
}
