import Foundation

/// Begins sets of a series, lists them when they are committed, and removes them.
///
/// Those who write one of its sets keep it, and with it the lock of a folder.
final class SetSeriesLead: @unchecked Sendable {
  // `@unchecked`: what changes is used under `mutex` alone.
  private let storage: any SetSeriesStorage
  private let mutex = NSLock()
  private var current: GraphArchiveSetSeries
  private var nextNumber: Int
  /// Sets that the index does not know.
  private var newCount: Int
  /// The set that was begun, and of which nobody knows yet whether it was committed.
  private var begun: Begun?

  private struct Begun {
    let number: Int
    weak var lead: (any SetLeading)?
  }

  /// How many sets it takes until the index is written anew.
  private static let indexInterval = 64

  /// Lists the sets, and removes what is left of those that were not committed.
  init(_ storage: any SetSeriesStorage) throws {
    self.storage = storage
    let listing: SetSeriesListing
    do { listing = try SetSeriesListing(storage.place) } catch {
      storage.close()
      throw error
    }
    current = GraphArchiveSetSeries(storage.place, listing)
    nextNumber = listing.nextNumber
    // Until all went well, there is no index to be written at the end.
    newCount = 0
    // One that was committed just now is the next list's.
    for number in listing.abandoned { _ = try storage.settle(number) }
    try storage.keep(listing.opened)
    newCount = listing.opened.count
    // What cannot be removed now takes room and does no harm.
    try? storage.removeRemains()
  }

  deinit {
    if newCount > 0, (try? storage.check()) != nil, (try? writeIndex()) != nil {
      try? storage.removeRemains()
    }
    storage.close()
  }

  /// The series with all that has been committed so far.
  var series: GraphArchiveSetSeries { mutex.withLock { current } }

  /// The series with all that has been committed so far, also where the commit could not tell.
  ///
  /// - Parameter isFresh: also with what other writers have committed and removed, where there may be others.
  func settledSeries(isFresh: Bool = false) throws -> GraphArchiveSetSeries {
    try mutex.withLock {
      if let begun, begun.lead?.isOpen != true {
        try storage.check()
        try settle(begun.number)
      }
      if isFresh, storage.hasOthers { try list() }
      return current
    }
  }

  /// Begins the next set.
  func begin() throws -> any SetLeading {
    try mutex.withLock {
      try storage.check()
      if let begun {
        guard begun.lead?.isOpen != true else {
          let name = SetNames.folder(begun.number)
          throw GCodableError(.locked, "\(name) is being written: commit or abort it before the next one")
        }
        try settle(begun.number)
      }
      // What cannot be removed now takes room and does no harm: numbers are not given twice.
      try? storage.removeRemains()
      let number = try storage.freeNumber(from: nextNumber)
      guard number <= SeriesRecord.maximumNumber else {
        throw GCodableError(.limitExceeded, "the sets of \(storage.place.name) have no number that is left")
      }
      nextNumber = number + 1
      let lead = try storage.begin(number, of: self)
      begun = Begun(number: number, lead: lead)
      return lead
    }
  }

  /// Removes sets.
  ///
  /// They are taken out of the index first, then from readers, each in one step, and then the files are removed.
  /// Whenever the process is killed, each of the sets is there as a whole, or not at all.
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
        // What is still there.
        do { try list() } catch { current = before }
        throw error
      }
      try storage.removeRemains()
    }
  }

  /// Checks that nobody else has the series.
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
      guard let entry = try storage.settle(number) else {
        begun = nil
        return
      }
      begun = nil
      current.add(entry)
      newCount += 1
      // The set is there; an index that cannot be written is none.
      if newCount >= Self.indexInterval { try? writeIndex() }
    } catch let error as GCodableError where error.code == .damaged {
      // Nobody can say more of it later on.
      begun = nil
      throw error
    }
  }

  /// - Parameter removed: sets that are not to be listed any more.
  private func writeIndex(without removed: Set<Int> = []) throws {
    for _ in 0..<3 {
      var index = FolderIndex()
      index.entries = current.map(\.stored)
      // The number of a set that is being written is not taken yet.
      let taken = begun.map { $0.lead?.isOpen == true ? $0.number : nextNumber } ?? nextNumber
      index.nextNumber = max(taken, (current.last?.number ?? -1) + 1)
      if try storage.write(index) {
        newCount = 0
        return
      }
      // Another writer has written it, which may have committed sets, and removed some.
      try list()
      storage.acceptFoundIndex()
      current.remove(removed)
    }
    throw GCodableError(.locked, "others keep writing the index of \(storage.place.name)")
  }

  /// Lists the sets anew.
  private func list() throws {
    let listing = try SetSeriesListing(storage.place, known: current.map(\.stored))
    current = GraphArchiveSetSeries(storage.place, listing)
    nextNumber = max(nextNumber, listing.takenCount)
  }
}
