import _GraphSupport

/// The entries of a catalog at one moment.
struct EntryList {
  /// In ascending order of their numbers.
  private(set) var entries: [FolderEntry] = []
  private(set) var damage: [GCodableError] = []
  /// Above all numbers that entries have, or have had.
  private(set) var takenCount = 0
  /// Above these, and the numbers of sets that were begun.
  private(set) var nextNumber = 0
  /// Entries that had to be read, because the index does not know them.
  private(set) var opened: [Int] = []
  /// Numbers without an entry: not committed, or removed.
  private(set) var abandoned: [Int] = []

  /// Lists the entries: known ones from the index, others by reading them.
  ///
  /// - Parameter known: entries that were listed before.
  /// - Throws: `file` when they cannot be listed.
  init(_ catalog: EntryCatalog, known: [FolderEntry] = []) throws {
    var numbers = try catalog.numbers()
    // Read after the names: an entry in the index but not in the folder was lost by then, or removed later.
    let readable = try catalog.index()
    let index = readable ?? FolderIndex()
    var found: [Int: FolderEntry] = [:]
    for entry in index.entries { found[entry.number] = entry }
    // One that was listed before may have been removed; then an index that is younger does not have it.
    for entry in known where readable != nil && entry.number >= index.nextNumber {
      found[entry.number] = entry
      // Lists of a store may lack recent writes.
      if !numbers.contains(entry.number), catalog.isThere(entry.number) { numbers.insert(entry.number) }
    }

    var lost: [FolderEntry] = []
    for entry in index.entries where !numbers.contains(entry.number) {
      // Or it was committed after the names were read.
      if catalog.isThere(entry.number) {
        numbers.insert(entry.number)
      } else {
        lost.append(entry)
      }
    }
    if !lost.isEmpty {
      // A writer takes entries out of the index before it removes them.
      let remaining = Set((try catalog.index() ?? index).entries.map(\.number))
      damage = lost.filter { remaining.contains($0.number) }.map(catalog.isGone)
    }
    for number in numbers.sortedOutOfLine(by: <) {
      do {
        if let entry = found[number] {
          entries.append(entry)
        } else if let entry = try catalog.entry(number) {
          opened.append(number)
          entries.append(entry)
        } else {
          abandoned.append(number)
        }
      } catch let error as GCodableError { damage.append(error) }
    }
    takenCount = max(index.nextNumber, (entries.last?.number ?? -1) + 1)
    nextNumber = max(takenCount, (numbers.max() ?? -1) + 1)
  }

  /// Adds an entry, unless it is known.
  mutating func add(_ entry: FolderEntry) {
    let position = entries.partitioningIndex { $0.number >= entry.number }
    if position < entries.count, entries[position].number == entry.number { return }
    entries.insert(entry, at: position)
  }

  /// Takes entries out of the list.
  mutating func remove(_ numbers: Set<Int>) { entries.removeAll { numbers.contains($0.number) } }
}
