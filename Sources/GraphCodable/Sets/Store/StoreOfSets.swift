import Foundation

/// An object store with a series of sets.
final class StoreOfSets: SetSeriesStorage {
  let place: SetSeriesPlace
  private let store: any GraphSetStore
  /// The highest number of a set that was committed, or cannot be any more.
  private var highestNumber = -1
  /// Sets that cannot be committed, and may have parts.
  private var remains: [Int] = []
  /// Numbers below it are known to the index as taken.
  private var indexedCount = 0
  /// What the index can be if nobody else has written it.
  private var ownIndexes: Set<Data?> = []

  init(_ store: any GraphSetStore) throws {
    (self.store, place) = (store, .store(store))
    ownIndexes = [try index()]
  }

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
    // Who has written it since may have removed sets that this one would list again.
    guard ownIndexes.contains(try self.index()) else {
      throw GCodableError(.locked, "another writer has written the index of the series in the store")
    }
    let bytes: Data = try GraphEncoder().encode(index)
    // An answer that got lost does not say whether it has been written.
    ownIndexes.insert(bytes)
    try store.attempt("write", FolderIndex.name) { try store.write(bytes, as: FolderIndex.name) }
    ownIndexes = [bytes]
    indexedCount = index.nextNumber
  }

  private func index() throws -> Data? {
    try store.attempt("read", FolderIndex.name) { try store.read(FolderIndex.name, range: nil)?.bytes }
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
      // A number stays taken until others say that it is: what was sent a long time ago may still arrive, and neither
      // the index nor lists alone can be relied on.
      if number < highestNumber, number < indexedCount {
        try set(number).removeManifest()
      } else {
        kept.append(number)
      }
      remains.removeLast()
    }
    remains = kept
  }

  private func set(_ number: Int) -> StoredSet { StoredSet(store: store, number: number) }
}
