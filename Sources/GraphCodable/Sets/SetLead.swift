import Foundation

/// Begins a set in a folder, commits it, and removes what others have left.
final class SetLead: SetLeading, @unchecked Sendable {
  // `@unchecked`: what changes is used under `mutex` alone, which a call of the series may wait for, and not the other way
  // round; so `isClosed` has its own.
  private let folder: OpenFile
  private let mutex = NSLock()
  private let stateMutex = NSLock()
  private var lockFile: LockFile?
  /// It was committed, or given up.
  private var isClosed = false
  /// Which set of a series it is; nil for one that is none's.
  private let series: PlaceInSeries?
  let place: SetPlace

  struct PlaceInSeries: Sendable {
    let lead: SetSeriesLead
    let number: Int
  }

  var number: Int? { series?.number }
  var isOpen: Bool { stateMutex.withLock { !isClosed } }

  /// Opens a folder, or creates it, locks it, and removes parts that no manifest has.
  init(_ url: URL, inSeries series: PlaceInSeries? = nil) throws {
    (self.series, place) = (series, .folder(url))
    folder = try .lockedFolder(url)
    // In a series, that of the series is enough.
    lockFile = try series == nil ? LockFile(of: folder.path) : nil
    do {
      if !FileManager.default.fileExists(atPath: folder.path + "/" + SetNames.manifest) {
        try folder.syncName()
      } else {
        // Whoever committed it may have ended before that was on the device, where the previous set has to stay until then.
        try folder.syncFolder()
      }
      // A damaged manifest does not say which parts are its; they stay until there is another one.
      try? removeParts { _ in true }
    } catch {
      lockFile?.release()
      throw error
    }
  }

  /// Gives the locks back.
  func close() {
    mutex.withLock {
      // Not before: a commit may be under way, whose set would be taken for one that was given up.
      stateMutex.withLock { isClosed = true }
      lockFile?.release()
      lockFile = nil
    }
    folder.unlock()
  }

  /// Looks at all parts and gives the manifest its name; then the parts of the previous set are removed.
  func publish(_ manifest: SetManifest) throws {
    try mutex.withLock {
      try check()
      try manifest.checkParts(in: place, isPublished: false)
      try check()
      do {
        try SetManifest.encoder.write(
          manifest, to: URL(fileURLWithPath: folder.path + "/" + SetNames.manifest))
      } catch {
        // Where the folder could not be synced, it is the set that readers see.
        if (try? committedToken()) == manifest.token { stateMutex.withLock { isClosed = true } }
        throw error
      }
      // The set is there, whether or not the old one can be removed.
      try? removeParts { _ in true }
      if series == nil { stateMutex.withLock { isClosed = true } }
    }
    try? finish()
  }

  /// Removes the parts with a token, unless they are those of the set that readers see; in a series, the folder, too.
  func abort(_ token: String) throws {
    // Not while a commit is under way: it would remove the parts of one that is about to be the set.
    try mutex.withLock { if series == nil { try removeParts { $0 == token } } }
    try finish()
  }

  private func finish() throws {
    guard let series, isOpen else { return }
    close()
    try series.lead.finish(series.number)
  }

  /// Removes the parts with some tokens, but for those of the set that readers see.
  private func removeParts(where isRemoved: (String) -> Bool) throws {
    // Asked of the folder: an error of a commit does not tell whether the manifest has got its name.
    let committed = try committedToken()
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
      throw GCodableError(.file, "cannot list \(folder.path)", underlyingError: error)
    }
    for name in names {
      guard let token = SetNames.token(of: name), token != committed || name.hasPrefix("."), isRemoved(token)
      else { continue }
      try FileOutcome.removeFile(folder.path + "/" + name)
    }
  }

  /// The token of the set that readers see; nil if there is none.
  ///
  /// - Throws: for a manifest that cannot be read: nobody knows then which parts are its.
  private func committedToken() throws -> String? {
    do { return try place.manifest().manifest.token } catch let error as GCodableError {
      // Nothing else says that there is none: a file system may fail to tell.
      if error.code == .file, (error.context.underlyingError as? POSIXError)?.code == .ENOENT { return nil }
      throw GCodableError(
        .damaged,
        "the manifest of \(folder.path) cannot be read, so nobody knows which parts are its",
        underlyingError: error)
    }
  }

  private func check() throws {
    guard isOpen else {
      throw GCodableError(.locked, "the set in \(folder.path) has been committed or aborted")
    }
    guard folder.isOwn else {
      throw GCodableError(.locked, "the process that this one was forked from writes a set to \(folder.path)")
    }
    try folder.checkName()
    try lockFile?.check()
    try series?.lead.check()
  }
}
