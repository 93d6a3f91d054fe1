import Foundation

/// The sets of a series at one moment.
struct SetSeriesListing {
  /// In ascending order of their numbers.
  private(set) var entries: [FolderEntry] = []
  private(set) var damage: [GCodableError] = []
  /// Above all numbers that sets have had.
  private(set) var nextNumber = 0
  /// How many manifests had to be read, because the index does not know them.
  private(set) var openedCount = 0
  /// The names of folders that have no set: not committed, or about to be removed.
  private(set) var abandoned: [String] = []

  /// Lists a folder: by its index what that knows, and the others by reading their manifests.
  ///
  /// - Parameter known: sets that were listed before.
  /// - Throws: `file` when the folder cannot be read.
  init(_ folder: String, known: [FolderEntry] = []) throws {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw GCodableError(.file, "cannot list \(folder)", underlyingError: error)
    }
    abandoned = names.filter(SetNames.isRemoved)
    var numbers = Set(names.compactMap(SetNames.number(of:)))
    // After the names: a set that the index has and the folder has not was lost then, or removed after that.
    let index = FolderIndex(of: folder) ?? FolderIndex()
    var found: [Int: FolderEntry] = [:]
    for entry in known + index.entries { found[entry.number] = entry }

    var lost: [FolderEntry] = []
    for entry in index.entries where !numbers.contains(entry.number) {
      // Or committed after the names were read.
      if FileManager.default.fileExists(atPath: folder + "/" + SetNames.folder(entry.number)) {
        numbers.insert(entry.number)
      } else {
        lost.append(entry)
      }
    }
    if !lost.isEmpty {
      // A writer takes sets out of the index before it removes them.
      let remaining = Set((FolderIndex(of: folder) ?? index).entries.map(\.number))
      for entry in lost where remaining.contains(entry.number) {
        damage.append(
          GCodableError(.damaged, "\(folder)/\(SetNames.folder(entry.number)), step \(entry.step), is gone"))
      }
    }
    for number in numbers.sorted() {
      if let entry = found[number] {
        entries.append(entry)
        continue
      }
      let name = SetNames.folder(number)
      do {
        if let entry = try FolderEntry(ofSetIn: folder + "/" + name, number: number) {
          openedCount += 1
          entries.append(entry)
        } else {
          abandoned.append(name)
        }
      } catch let error as GCodableError { damage.append(error) }
    }
    nextNumber = max(index.nextNumber, (numbers.max() ?? -1) + 1)
  }
}
