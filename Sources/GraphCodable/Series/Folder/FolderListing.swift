import Foundation

/// The entries of a folder at one moment.
struct FolderListing {
  private(set) var entries: [FolderEntry] = []
  private(set) var damage: [GCodableError] = []
  /// Above all numbers that entries have had.
  private(set) var nextNumber = 0
  /// How many entries had to be opened, because the index does not know them.
  private(set) var openedCount = 0

  /// Lists a folder: by its index what that knows, and the others by opening them.
  ///
  /// - Parameter known: entries that were listed before, in ascending order of their numbers.
  /// - Throws: `file` when the folder cannot be read.
  init(_ folder: String, known: [FolderEntry] = []) throws {
    var numbers = try Self.numbers(in: folder)
    // After the names: an entry that the index has and the folder has not was lost then, or removed after that.
    let index = FolderIndex(of: folder) ?? FolderIndex()
    var found: [Int: FolderEntry] = [:]
    for entry in known { found[entry.number] = entry }
    for entry in index.entries { found[entry.number] = entry }

    var lost: [FolderEntry] = []
    for entry in index.entries where !numbers.contains(entry.number) {
      if FileManager.default.fileExists(atPath: folder + "/" + FolderEntry.name(entry.number)) {
        numbers.insert(entry.number)
      } else {
        lost.append(entry)
      }
    }
    if !lost.isEmpty {
      // A writer takes entries out of the index before it removes their files.
      let remaining = Set((FolderIndex(of: folder) ?? index).entries.map(\.number))
      for entry in lost where remaining.contains(entry.number) {
        damage.append(
          GCodableError(
            .damaged, "\(folder)/\(FolderEntry.name(entry.number)), entry \(entry.number), is gone"))
      }
    }
    for number in numbers.sortedOutOfLine(by: <) {
      if let entry = found[number] {
        entries.append(entry)
        continue
      }
      do {
        openedCount += 1
        entries.append(try FolderEntry(reading: folder + "/" + FolderEntry.name(number), number: number))
      } catch let error as GCodableError {
        // Removed since the names were read.
        if (error.context.underlyingError as? POSIXError)?.code == .ENOENT { continue }
        damage.append(error)
      }
    }
    nextNumber = max(index.nextNumber, (numbers.max() ?? -1) + 1)
  }

  private static func numbers(in folder: String) throws -> Set<Int> {
    do {
      return Set(
        try FileManager.default.contentsOfDirectory(atPath: folder).compactMap(FolderEntry.number(of:)))
    } catch { throw GCodableError(.file, "cannot list \(folder)", underlyingError: error) }
  }
}
