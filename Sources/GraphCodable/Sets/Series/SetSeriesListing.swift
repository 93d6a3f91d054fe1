/// The sets of a series at one moment.
struct SetSeriesListing {
  /// In ascending order of their numbers.
  private(set) var entries: [FolderEntry] = []
  private(set) var damage: [GCodableError] = []
  /// Above all numbers that are taken by sets, or have been.
  private(set) var takenCount = 0
  /// Above these, and the numbers of sets that were begun.
  private(set) var nextNumber = 0
  /// Sets whose manifests had to be read, because the index does not know them.
  private(set) var opened: [Int] = []
  /// Numbers that have no set: not committed, or removed.
  private(set) var abandoned: [Int] = []

  /// Lists the sets: by its index what that knows, and the others by reading their manifests.
  ///
  /// - Parameter known: sets that were listed before.
  /// - Throws: `file` when they cannot be listed.
  init(_ place: SetSeriesPlace, known: [FolderEntry] = []) throws {
    var numbers = Set(try place.names().compactMap(SetNames.number(of:)))
    // After the names: a set that the index has and the folder has not was lost then, or removed after that.
    let readable = try place.index()
    let index = readable ?? FolderIndex()
    var found: [Int: FolderEntry] = [:]
    for entry in index.entries { found[entry.number] = entry }
    // One that was listed before may have been removed; then an index that is younger does not have it.
    for entry in known where readable != nil && entry.number >= index.nextNumber {
      found[entry.number] = entry
      // Lists of a store may lack what was written a moment ago.
      if !numbers.contains(entry.number), place.set(entry.number).isThere { numbers.insert(entry.number) }
    }

    var lost: [FolderEntry] = []
    for entry in index.entries where !numbers.contains(entry.number) {
      // Or committed after the names were read.
      if place.set(entry.number).isThere {
        numbers.insert(entry.number)
      } else {
        lost.append(entry)
      }
    }
    if !lost.isEmpty {
      // A writer takes sets out of the index before it removes them.
      let remaining = Set((try place.index() ?? index).entries.map(\.number))
      for entry in lost where remaining.contains(entry.number) {
        damage.append(
          GCodableError(.damaged, "\(place.set(entry.number).url.path), step \(entry.step), is gone"))
      }
    }
    for number in numbers.sortedOutOfLine(by: <) {
      if let entry = found[number] {
        entries.append(entry)
        continue
      }
      do {
        if let entry = try place.set(number).entry(number) {
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
}
