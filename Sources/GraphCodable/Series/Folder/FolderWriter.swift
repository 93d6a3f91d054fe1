import Foundation

/// Adds archives to a folder, and removes them; used by one thread at a time.
final class FolderWriter {
  let folder: OpenFile
  private var lockFile: LockFile?
  private(set) var series: GraphArchiveSeries
  private var nextNumber: Int
  /// Entries that the index does not know.
  private var newCount: Int
  /// The file of an entry that failed at last, and could not be removed.
  private var remains: String?

  /// How many entries it takes until the index is written anew.
  private static let indexInterval = 64

  /// Opens a folder, or creates it, and locks it.
  ///
  /// - Throws: `locked`; `file`.
  init(_ url: URL) throws {
    folder = try .lockedFolder(url)
    let lockFile = try LockFile(of: folder.path)
    var isOpen = false
    defer { if !isOpen { lockFile?.release() } }
    let listing = try FolderListing(folder.path)
    series = GraphArchiveSeries(ofFolder: folder)
    series.setListing(listing)
    (nextNumber, newCount) = (listing.nextNumber, listing.openedCount)
    self.lockFile = lockFile
    if listing.nextNumber == 0 { try folder.syncName() }
    isOpen = true
  }

  /// Writes the index, if it does not know all, and gives the locks back.
  func close() {
    guard folder.isOwn else { return }
    if newCount > 0, (try? lockFile?.check()) != nil { try? writeIndex() }
    lockFile?.release()
    lockFile = nil
    folder.unlock()
  }

  /// Writes an entry, which is there when its file has its name.
  func append(
    _ graph: EncodedGraph, _ writer: ArchiveWriter, _ label: SeriesLabel, _ progress: ProgressReport?
  ) throws {
    try check(progress)
    guard nextNumber <= SeriesRecord.maximumNumber else {
      throw GCodableError(.limitExceeded, "the entries of \(folder.path) have no number that is left")
    }
    var entry = FolderEntry(number: nextNumber, label)
    var writer = writer
    writer.progress = progress
    writer.metadata = entry.archiveMetadata(writer.metadata)
    let path = folder.path + "/" + FolderEntry.name(entry.number)
    let sink = try FileSink(URL(fileURLWithPath: path))
    let header = try writer.writeArchive(graph, to: sink)
    try folder.checkName()
    try lockFile?.check()
    // One that had the folder without this one's knowledge. Its entry is not replaced.
    guard !FileManager.default.fileExists(atPath: path) else {
      nextNumber = try FolderListing(folder.path).nextNumber
      throw GCodableError(.locked, "another writer has made \(path)")
    }
    do { try sink.publish(progress) } catch {
      // It may have its name, and the folder not be on the device.
      if sink.isPublished { remains = path }
      try? removeRemains()
      throw error
    }
    (entry.byteCount, entry.hash) = (header.byteCount, header.hash)
    series.add(entry)
    nextNumber += 1
    newCount += 1
    // The entry is there; an index that cannot be written is none.
    if newCount >= Self.indexInterval { try? writeIndex() }
  }

  /// Removes entries.
  ///
  /// They are taken out of the index first. If the process is killed while their files are removed, some are still
  /// there.
  func remove(where isRemoved: (GraphArchiveSeries.Entry) throws -> Bool) throws {
    try check(nil)
    let removed = try series.filter(isRemoved)
    guard !removed.isEmpty else { return }
    series.remove(Set(removed.map(\.number)))
    do {
      try writeIndex()
      for entry in removed {
        try FileOutcome.removeFile(folder.path + "/" + FolderEntry.name(entry.number))
      }
      try folder.syncFolder()
    } catch {
      // What is still there.
      try? series.list()
      throw error
    }
  }

  private func check(_ progress: ProgressReport?) throws {
    try progress?.checkCancellation()
    guard folder.isOwn else {
      throw GCodableError(.locked, "the process that this one was forked from appends to \(folder.path)")
    }
    try folder.checkName()
    try lockFile?.check()
    try removeRemains()
  }

  private func removeRemains() throws {
    guard let path = remains else { return }
    try FileOutcome.removeFile(path)
    remains = nil
  }

  private func writeIndex() throws {
    var index = FolderIndex()
    (index.entries, index.nextNumber) = (series.folderEntries ?? [], nextNumber)
    try index.write(to: folder.path)
    newCount = 0
  }
}
