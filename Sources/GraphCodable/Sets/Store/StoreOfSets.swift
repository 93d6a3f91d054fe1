import Foundation

/// An object store with a series of sets.
final class StoreOfSets: SetSeriesStorage {
  let place: SetSeriesPlace
  private let store: any GraphSetStore
  /// The highest number of a set that was committed, or cannot be any more.
  private var highestNumber = -1
  /// Sets that cannot be committed, and may have parts.
  private var remains: [Int] = []

  init(_ store: any GraphSetStore) { (self.store, place) = (store, .store(store)) }

  // There is no lock: a number is the one's who commits it first.
  func check() {}
  func close() {}

  func freeNumber(from number: Int) throws -> Int {
    var number = number
    // A list may lack what was written a moment ago.
    while try set(number).manifest() != .none {
      highestNumber = max(highestNumber, number)
      number += 1
    }
    return number
  }

  func begin(_ number: Int, of series: SetSeriesLead) -> any SetLeading {
    StoredSetLead(set(number), of: series)
  }

  func settle(_ number: Int) throws -> FolderEntry? {
    let entry = try set(number).settle()
    highestNumber = max(highestNumber, number)
    if entry == nil { remains.append(number) }
    return entry
  }

  func write(_ index: FolderIndex) throws {
    let bytes: Data = try GraphEncoder().encode(index)
    try store.attempt("write", FolderIndex.name) { try store.write(bytes, as: FolderIndex.name) }
  }

  func retire(_ numbers: [Int]) throws {
    for number in numbers {
      try set(number).void()
      remains.append(number)
    }
  }

  func removeRemains() throws {
    var kept: [Int] = []
    while let number = remains.last {
      try set(number).removeParts { _ in true }
      // The highest number stays taken: what was sent a long time ago may still arrive.
      if number < highestNumber { try set(number).removeManifest() } else { kept.append(number) }
      remains.removeLast()
    }
    remains = kept
  }

  private func set(_ number: Int) -> StoredSet { StoredSet(store: store, number: number) }
}
