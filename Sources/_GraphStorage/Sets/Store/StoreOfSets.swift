import Foundation
import _GraphCoding

/// An object store with a series of sets.
final class StoreOfSets: EntryStorage {
  let catalog: EntryCatalog
  var hasOthers: Bool { true }
  private let store: any GraphSetStore
  /// The highest number of a set that was committed, or cannot be any more.
  private var highestNumber = -1
  /// Sets that cannot be committed, and may have parts.
  private var remains: [Int] = []
  /// Numbers below it are known to the index as taken.
  private var indexedCount = 0
  /// The index by which the sets have been listed, or the last one that was written.
  private var knownIndex: Data?
  /// The one that was found in its place.
  private var foundIndex: Data?

  init(_ store: any GraphSetStore) throws {
    (self.store, catalog) = (store, .store(store))
    knownIndex = try store.indexBytes()
  }

  // There is no lock: a number belongs to the writer that commits it first.
  func check() {}

  func freeNumber(from number: Int) throws -> Int {
    // What is above all numbers that sets have had: another writer may have had more since.
    var number = max(number, try store.indexBytes().flatMap(FolderIndex.init)?.nextNumber ?? 0)
    // A list may lack recent writes.
    while try number <= SeriesRecord.maximumNumber && set(number).find() != .none {
      highestNumber = max(highestNumber, number)
      number += 1
    }
    return number
  }

  func begin(_ number: Int, of series: CatalogWriter) -> SetCommitter {
    SetCommitter(set(number), of: series)
  }

  func settle(_ number: Int) throws -> FolderEntry? {
    let entry = try set(number).settle()
    highestNumber = max(highestNumber, number)
    if entry == nil { remains.append(number) }
    return entry
  }

  func keep(_ numbers: [Int]) {}

  func write(_ index: FolderIndex) throws -> Bool {
    // The writer of a newer one may have removed sets that this one would list again.
    foundIndex = try store.indexBytes()
    guard foundIndex == knownIndex else { return false }
    let bytes: Data = try GraphEncoder().encode(index)
    try store.attempt("write", FolderIndex.name) { try store.write(bytes, as: FolderIndex.name) }
    knownIndex = bytes
    indexedCount = index.nextNumber
    return true
  }

  func acceptFoundIndex() { knownIndex = foundIndex }

  func retire(_ numbers: [Int]) throws {
    for number in numbers {
      try set(number).void()
      remains.append(number)
    }
  }

  func removeRemains() throws {
    let numbers = remains
    remains = []
    try numbers.tryEach { number in
      do {
        // Another writer may have set it free since, and somebody committed a set there.
        guard try set(number).find() == .void else { return }
        try set(number).removeParts { _ in true }
        // A number stays taken until others say that it is: what was sent a long time ago may still arrive, and neither
        // the index nor lists alone can be relied on.
        if number < highestNumber, highestNumber < indexedCount {
          try set(number).removeManifest()
        } else {
          remains.append(number)
        }
      } catch {
        remains.append(number)
        throw error
      }
    }
  }

  private func set(_ number: Int) -> SetInStore { SetInStore(store: store, number: number) }
}
