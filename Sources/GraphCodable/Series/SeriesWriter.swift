import Foundation

extension GraphArchiveSeries {
  /// Appends to a series; `GraphEncoder.append` uses it.
  ///
  ///     let writer = try GraphArchiveSeries.Writer(url)
  ///     try encoder.append(simulation, to: writer, step: 100, time: 0.5)
  ///
  /// As long as it lives, it has an advisory lock on the file (`flock`), so that there is no second one, in this
  /// process or another. The lock ends with the process, however that ends. On file systems without such locks, it is up
  /// to you that there is one writer; readers need no lock.
  ///
  /// A process that is forked has a copy of the writer, which cannot append and does not give the lock back; until both
  /// processes have ended or started another program, the file stays locked. A file that is moved, removed or replaced
  /// while it is open is an error of the next append.
  ///
  /// Any thread may use it. What is appended by several at once is appended one after the other.
  public final class Writer: @unchecked Sendable {
    let file: OpenFile
    /// Appends one entry after the other, in the order of the calls.
    let queue = DispatchQueue(label: "GraphArchiveSeries.Writer")
    private let lock = NSLock()
    // Changed on the queue alone, with the lock; so the queue reads it without.
    private var current: GraphArchiveSeries
    // Used with the lock.
    private var chosenSharing = Sharing.blocks
    /// On the queue: what the entries have stored; nil until somebody asks, and after an error.
    private var stored: StoredBlocks?
    /// On the queue: which bytes of another series it has.
    var copied: CopiedRanges?
    /// On the queue: an append failed, and what it wrote could not be removed, nor is to be trusted.
    private var hasRemains = false

    /// Opens a series for appending, or creates it.
    ///
    /// Its entries are listed more thoroughly than by `GraphArchiveSeries.init`: also those that stand behind damage
    /// that looks like an entry which is not finished.
    ///
    /// - Throws: `GCodableError`: code `locked` when another writer appends to it, `file` when it cannot be opened or
    ///   created, `notAnArchive` when the file is something else, which stays as it is.
    /// - Complexity: O(n) in the number of entries; after a crash or damage, up to the whole file is read once.
    public init(_ url: URL) throws {
      file = try OpenFile(appending: url)
      current = try GraphArchiveSeries(file, isThorough: true)
      if !current.hasHeader {
        try unsafe SeriesHeader.bytes.withUnsafeBytes { try unsafe file.write([$0], at: 0) }
        try file.sync()
        try current.update()
      }
      // One who was killed may have created the file.
      if current.isEmpty { try file.syncName() }
    }

    // The file may stay open for those who read its entries.
    deinit { file.unlock() }

    /// The series with all that this writer has appended so far.
    public var series: GraphArchiveSeries { lock.withLock { current } }

    /// What the entries that are appended from now on store of what earlier ones have: ``Sharing/blocks``.
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
      var writer = writer
      writer.progress = progress
      guard sharing == .blocks, writer.hasBlocks(graph) else {
        return try append(label, progress) { try writeWhole(graph, writer, at: $0) }
      }
      var sink: SharingSink?
      try append(label, progress) { start in
        let known = stored ?? StoredBlocks(lastOf: current)
        stored = nil
        let new = SharingSink(file, start: start, known: known)
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
    /// - Parameter body: writes the archive to the place that it is told.
    func append(
      _ label: SeriesLabel, _ progress: ProgressReport?, _ body: (UInt64) throws -> StoredArchive
    ) throws {
      try progress?.checkCancellation()
      guard file.isOwn else {
        throw GCodableError(.locked, "the process that this one was forked from appends to \(file.path)")
      }
      try file.checkName()
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

  init(_ entry: GraphArchiveSeries.Entry) {
    (step, time, metadata) = (entry.step, entry.time, entry.storedMetadata)
  }
}
