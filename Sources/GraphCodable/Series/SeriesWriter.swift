import Foundation

extension GraphArchiveSeries {
  /// Appends to a series; `GraphEncoder.append` uses it.
  ///
  ///     let writer = try GraphArchiveSeries.Writer(url)
  ///     try encoder.append(simulation, to: writer, step: 100, time: 0.5)
  ///
  /// As long as it lives, it has an advisory lock on the file (`flock`), and a lock file beside it for file systems
  /// where that fails or holds on one node only; so there is no second one, in this process or another, on this node or
  /// another. The locks end with the process. Of one that was killed, the lock file stays: the next writer on the same
  /// host takes it over, and on another host ``GraphArchiveLock`` breaks it. Readers need no lock.
  ///
  /// A process that is forked has a copy of the writer, which cannot append and does not give the lock back; until both
  /// processes have ended or started another program, the file stays locked. A file that is moved, removed or replaced
  /// while it is open is an error of the next append.
  ///
  /// Any thread may use it. What is appended by several at once is appended one after the other.
  public final class Writer: @unchecked Sendable {
    /// Changed on the queue alone, with the lock.
    private var file: OpenFile
    /// nil in a folder in which this process may not make files.
    private let lockFile: LockFile?
    /// Appends one entry after the other, in the order of the calls.
    let queue = DispatchQueue(label: "GraphArchiveSeries.Writer")
    private let lock = NSLock()
    // Changed on the queue alone, with the lock; so the queue reads it without.
    private var current: GraphArchiveSeries
    /// On the queue: what writes, where the series is a folder.
    private let folder: FolderWriter?
    /// On the queue: an append failed, and what it wrote could not be removed, nor is to be trusted.
    private var hasRemains = false

    /// Opens a series for appending, or creates it.
    ///
    /// Its entries are listed more thoroughly than by `GraphArchiveSeries.init`: also those that stand behind damage
    /// that looks like an entry which is not finished.
    ///
    /// - Throws: `GCodableError`: code `locked` when another writer appends to it, with its host and process; `file`
    ///   when it cannot be opened or created, `notAnArchive` when the file is something else, which stays as it is.
    /// - Complexity: O(n) in the number of entries; after a crash or damage, up to the whole file is read once.
    public init(_ url: URL) throws {
      folder = nil
      file = try OpenFile(appending: url)
      let lockFile = try LockFile(of: file.path)
      self.lockFile = lockFile
      // What follows may fail, and then `deinit` does not run.
      var isOpen = false
      defer { if !isOpen { lockFile?.release() } }
      current = try GraphArchiveSeries(file, isThorough: true)
      if !current.hasHeader {
        try unsafe SeriesHeader.bytes.withUnsafeBytes { try unsafe file.write([$0], at: 0) }
        try file.sync()
        try current.update()
      }
      // One who was killed may have created the file.
      if current.isEmpty { try file.syncName() }
      isOpen = true
    }

    /// Opens a series that is a folder of archives for appending, or creates it.
    ///
    /// It is used as one in a file: see ``GraphArchiveSeries/init(folder:)``.
    ///
    /// - Parameter url: the folder; the one that it is in must be there.
    /// - Throws: `GCodableError`: code `locked` when another writer appends to it, `file` when it cannot be opened or
    ///   created.
    /// - Complexity: O(n) in the number of entries, and one file to open for each that the index does not know.
    public init(folder url: URL) throws {
      let folder = try FolderWriter(url)
      self.folder = folder
      current = folder.series
      (file, lockFile) = (current.file, nil)
    }

    /// Removes entries.
    ///
    /// Of a series that is a folder, their files are removed: the others keep their numbers, and no new one gets the
    /// number of one that was removed.
    ///
    /// A series in one file is written anew beside the file, and takes its place when it is complete and on the device: a
    /// crash leaves the one of before or the new one, whole. Readers that have the old file open go on with it, and its
    /// bytes are the system's again when the last of them has closed it. The numbers of the entries begin with 0. The
    /// writer goes on with the new file, and nobody else can append in between.
    ///
    /// - Parameter isRemoved: whether an entry is to be removed.
    /// - Throws: `GCodableError`: code `file` when a file cannot be removed or written, which leaves the entries that are
    ///   still there; `damaged` or `malformed` for a file with damage between its entries, which stays as it is, and
    ///   which `GraphArchive.recover` may help; `locked`; what `isRemoved` throws.
    /// - Complexity: of a file, O(n) in the bytes that stay, or nothing where no entry is removed.
    public func removeEntries(where isRemoved: (Entry) throws -> Bool) throws {
      try queue.sync {
        guard let folder else {
          let kept = try current.entries.filter { try !isRemoved($0) }
          if kept.count < current.count { try replace(with: kept) }
          return
        }
        defer { lock.withLock { current = folder.series } }
        try folder.remove(where: isRemoved)
      }
    }

    // The file may stay open for those who read its entries.
    deinit {
      folder?.close()
      lockFile?.release()
      file.unlock()
    }

    /// The series with all that this writer has appended so far.
    public var series: GraphArchiveSeries { lock.withLock { current } }

    /// Appends an entry; on the queue.
    ///
    /// After an error the file is as it was before, as far as the system lets it; what is left of the entry is removed
    /// by the next call.
    @inline(never)
    func append(
      _ graph: EncodedGraph, _ writer: ArchiveWriter, _ label: SeriesLabel, _ progress: ProgressReport?
    ) throws {
      if let folder {
        defer { lock.withLock { current = folder.series } }
        return try folder.append(graph, writer, label, progress)
      }
      try progress?.checkCancellation()
      guard file.isOwn else {
        throw GCodableError(.locked, "the process that this one was forked from appends to \(file.path)")
      }
      var writer = writer
      writer.progress = progress
      try file.checkName()
      try lockFile?.check()
      try repair()
      let end = current.end
      do {
        let stored = try write(graph, writer, label)
        lock.withLock { current.add(stored) }
      } catch {
        hasRemains = true
        try? removeRemains(behind: end)
        throw error
      }
      progress?.finish()
    }

    /// Puts a series of some entries in the place of the file; on the queue.
    func replace(with entries: [GraphArchiveSeries.Entry]) throws {
      guard folder == nil else { return }
      guard file.isOwn else {
        throw GCodableError(.locked, "the process that this one was forked from appends to \(file.path)")
      }
      if let damage = current.damage.first { throw damage }
      try file.checkName()
      try lockFile?.check()
      let sink = try GraphArchiveSeries.write(entries, to: URL(fileURLWithPath: file.path), nil)
      let replaced = try sink.openFile()
      let series = try GraphArchiveSeries(replaced, isThorough: true)
      lock.withLock { (file, current) = (replaced, series) }
      hasRemains = false
    }

    /// Removes what stands behind the last entry.
    private func repair() throws {
      // They may be an entry that is whole but not on the device, because the last sync failed. Nor would a later one
      // say so again.
      if hasRemains { try removeRemains(behind: current.end) }
      let byteCount = try file.byteCount()
      guard byteCount >= current.end else {
        throw GCodableError(
          .wrongSize, "\(file.path) was cut short while it was open for appending", byteOffset: byteCount)
      }
      guard byteCount > current.end else { return }
      // Nothing is removed that has an entry behind it. Not under the lock: the rest of the file is read.
      var repaired = current
      try repaired.extend(isThorough: true)
      lock.withLock { current = repaired }
      try file.truncate(to: current.end)
    }

    private func removeRemains(behind end: UInt64) throws {
      if try file.byteCount() > end { try file.truncate(to: end) }
      hasRemains = false
    }

    /// Writes archive and record.
    private func write(
      _ graph: EncodedGraph, _ writer: ArchiveWriter, _ label: SeriesLabel
    ) throws -> SeriesRecord.Stored {
      let start = current.end
      let number = current.last.map { $0.number + 1 } ?? 0
      guard number <= SeriesRecord.maximumNumber else {
        throw GCodableError(.limitExceeded, "the entries of \(file.path) have no number that is left")
      }
      let header = try writer.writeArchive(graph, to: SeriesSink(file: file, start: start))
      guard let place = SeriesRecord.offset(behind: start, header.byteCount) else {
        throw GCodableError(.limitExceeded, "\(file.path) would be larger than a file can be")
      }
      var record = SeriesRecord(
        offset: place, archiveOffset: start, archiveByteCount: header.byteCount, archiveHash: header.hash,
        number: number, previousHash: current.lastHash, step: label.step,
        time: label.time, metadata: label.metadata)
      record.index = current.index.copies(room: try record.indexRoom())
      let bytes = try record.bytes()
      // A record says that its archive is on the device.
      try file.sync()
      try writer.progress?.checkCancellation()
      try file.checkName()
      try lockFile?.check()
      let end = start + header.byteCount
      let padding = [UInt8](repeating: 0, count: Int(place - end))
      try unsafe padding.withUnsafeBytes { padding in
        try unsafe bytes.withUnsafeBytes { try unsafe file.write([padding, $0], at: end) }
      }
      try file.sync()
      return unsafe bytes.withUnsafeBytes { unsafe SeriesRecord.Stored(record, $0) }
    }
  }
}

/// What an entry is found by.
struct SeriesLabel: Sendable {
  let step: Int
  let time: Double
  let metadata: Metadata

  /// - Throws: `limitExceeded` when there is too much metadata.
  init(step: Int, time: Double, metadata: [String: String]) throws {
    self.metadata = Metadata(metadata)
    try SeriesRecord.check(self.metadata)
    (self.step, self.time) = (step, time)
  }
}

/// Writes an archive into a file of several.
private struct SeriesSink: ArchiveSink {
  let file: OpenFile
  /// Where the archive begins.
  let start: UInt64

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    try unsafe file.write(pieces, at: start + offset)
  }
}
