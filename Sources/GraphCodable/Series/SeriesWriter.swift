import Foundation

extension GraphArchiveSeries {
  /// Appends to a series; `GraphEncoder.append` uses it.
  ///
  ///     let writer = try GraphArchiveSeries.Writer(url)
  ///     try encoder.append(simulation, to: writer, step: 100, time: 0.5)
  ///
  /// While it exists, a writer holds an advisory lock on the file (`flock`), and a lock file beside it for file systems where
  /// `flock` fails or holds on one node only; so there is no second writer in any process on any node. The locks end with
  /// the process. If the process is killed, the lock file stays: the next writer on the same host takes it over, and on
  /// another host ``GraphArchiveLock`` breaks it. Readers need no lock.
  ///
  /// A forked process has a copy of the writer that cannot append and does not release the lock; the file stays locked until
  /// both processes have ended or started another program. If the file is moved, removed or replaced while it is open, the
  /// next append throws.
  ///
  /// Any thread may use a writer. Concurrent appends happen one after the other.
  public final class Writer: @unchecked Sendable {
    // Changed on the queue alone, with the lock.
    private(set) var file: OpenFile
    /// On the queue; nil in a folder in which this process may not make files.
    private var lockFile: LockFile?
    /// Appends one entry after the other, in the order of the calls.
    let queue = DispatchQueue(label: "GraphArchiveSeries.Writer")
    private let lock = NSLock()
    // Changed on the queue alone, with the lock; so the queue reads it without.
    private var current: GraphArchiveSeries
    /// On the queue: what writes, where the series is a folder.
    private let folder: FolderWriter?
    // Used with the lock.
    private var chosenSharing = Sharing.blocks
    /// On the queue: what the entries have stored; nil until somebody asks, and after an error.
    private var stored: StoredBlocks?
    /// On the queue: an append failed, and what it wrote could not be removed, nor is to be trusted.
    private var hasRemains = false

    /// Opens a series for appending, or creates it.
    ///
    /// Unlike `GraphArchiveSeries.init`, it also finds entries after damage that looks like an unfinished entry.
    ///
    /// - Throws: `GCodableError`: code `locked` when another writer appends to it, with its host and process; `file` when it
    ///   cannot be opened or created, `notAnArchive` when the file is not a series; it is then left unchanged.
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
    /// It is used like a series in a file: see ``GraphArchiveSeries/init(folder:)``.
    ///
    /// - Parameter url: the folder, whose parent folder must exist.
    /// - Throws: `GCodableError`: code `locked` when another writer appends to it, `file` when it cannot be opened or
    ///   created.
    /// - Complexity: O(n) in the number of entries, and one file to open for each entry that the index does not have.
    public init(folder url: URL) throws {
      let folder = try FolderWriter(url)
      self.folder = folder
      current = folder.series
      (file, lockFile) = (folder.folder, nil)
    }

    // The file may stay open for those who read its entries.
    deinit {
      folder?.close()
      lockFile?.release()
      file.unlock()
    }

    /// The series with everything that this writer has appended so far.
    public var series: GraphArchiveSeries { lock.withLock { current } }

    /// How entries share blocks with earlier ones, from the next append on.
    ///
    /// Default: ``Sharing/blocks``.
    public var sharing: Sharing {
      get { lock.withLock { chosenSharing } }
      set { lock.withLock { chosenSharing = newValue } }
    }

    /// Appends an entry; on the queue.
    @inline(never)
    func append(
      _ graph: EncodedGraph, _ writer: ArchiveWriter, _ label: SeriesLabel, _ sharing: Sharing,
      _ progress: ProgressReport?
    ) throws {
      if let folder {
        defer { lock.withLock { current = folder.series } }
        return try folder.append(graph, writer, label, progress)
      }
      var writer = writer
      writer.progress = progress
      guard sharing != .none, writer.hasBlocks(graph) else {
        return try append(label, progress) { try writeWhole(graph, writer, at: $0) }
      }
      var sink: SharingSink?
      try append(label, progress) { start in
        let known = stored ?? StoredBlocks(lastOf: current)
        stored = nil
        let differences = sharing.differences(behind: known.countSinceKey, writer.compression)
        let new = SharingSink(file, start: start, known: known, differences)
        sink = new
        return try write(graph, writer, to: new)
      }
      stored = sink?.takeKnown()
    }

    /// Appends an entry; on the queue.
    ///
    /// After an error the file is as it was before, as far as the system lets it; what is left of the entry is removed
    /// by the next call.
    ///
    /// - Parameter body: writes the archive to the place that it receives.
    func append(
      _ label: SeriesLabel, _ progress: ProgressReport?, _ body: (UInt64) throws -> StoredArchive
    ) throws {
      try progress?.checkCancellation()
      guard file.isOwn else {
        throw GCodableError(.locked, "the process that this one was forked from appends to \(file.path)")
      }
      try file.checkName()
      try lockFile?.check()
      try repair()
      let end = current.end
      do {
        let stored = try write(label, progress, body)
        lock.withLock { current.add(stored) }
      } catch {
        hasRemains = true
        try? removeRemains(behind: end)
        throw error
      }
      progress?.finish()
    }

    /// Keeps some of the entries and no other; on the queue.
    func keep(_ entries: [Entry], _ progress: ProgressReport?) throws {
      guard let folder else { return try replace(with: entries, progress) }
      let numbers = Set(entries.map(\.number))
      defer { lock.withLock { current = folder.series } }
      try folder.remove { !numbers.contains($0.number) }
    }

    /// Puts a series of some entries in the place of the file.
    private func replace(with entries: [Entry], _ progress: ProgressReport?) throws {
      try progress?.checkCancellation()
      guard file.isOwn else {
        throw GCodableError(.locked, "the process that this one was forked from appends to \(file.path)")
      }
      if let damage = current.damage.first { throw damage }
      try file.checkName()
      lockFile = try lockFile?.followingName()
      let sink = try GraphArchiveSeries.write(entries, to: URL(fileURLWithPath: file.path), progress)
      let replaced = try sink.openFile()
      let series = try GraphArchiveSeries(replaced, isThorough: true)
      lock.withLock { (file, current) = (replaced, series) }
      (stored, hasRemains) = (nil, false)
    }

    /// Appends an archive as it is; on the queue.
    func append(_ archive: GraphArchive, _ label: SeriesLabel, _ progress: ProgressReport?) throws {
      guard folder == nil else {
        throw GCodableError(
          .invalidValue,
          "the archives of \(current.file.path) have their steps in them: they are encoded there")
      }
      try append(label, progress) { start in
        progress?.begin(byteCount: archive.header.byteCount)
        return StoredArchive(
          whole: try archive.storage.copy(to: OffsetSink(sink: file, start: start), progress))
      }
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
      _ label: SeriesLabel, _ progress: ProgressReport?, _ body: (UInt64) throws -> StoredArchive
    ) throws -> SeriesRecord.Stored {
      let start = current.end
      let number = current.last.map { $0.number + 1 } ?? 0
      guard number <= SeriesRecord.maximumNumber else {
        throw GCodableError(.limitExceeded, "the entries of \(file.path) have no number that is left")
      }
      let archive = try body(start)
      guard let place = SeriesRecord.offset(behind: start, archive.storedByteCount) else {
        throw GCodableError(.limitExceeded, "\(file.path) would be larger than a file can be")
      }
      var record = SeriesRecord(
        offset: place, archiveOffset: start, storedByteCount: archive.storedByteCount,
        archiveHash: archive.hash, number: number, previousHash: current.lastHash, step: label.step,
        time: label.time, archiveByteCount: archive.archiveByteCount, metadata: label.metadata)
      record.index = current.index.copies(room: try record.indexRoom())
      let bytes = try record.bytes()
      // A record says that its archive is on the device.
      try file.sync()
      try progress?.checkCancellation()
      try file.checkName()
      try lockFile?.check()
      let end = start + archive.storedByteCount
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
