import Foundation

/// What the one process has that begins a set, commits it and removes what others have left.
final class SetLead: @unchecked Sendable {
  // `@unchecked`: what changes is used under `mutex` alone.
  private let folder: OpenFile
  private let mutex = NSLock()
  private var lockFile: LockFile?
  private var isClosed = false
  /// Which set of a series it is; nil for one that is none's.
  private let place: PlaceInSeries?

  struct PlaceInSeries: Sendable {
    let lead: SetSeriesLead
    let number: Int
  }

  var url: URL { URL(fileURLWithPath: folder.path) }

  /// Opens a folder, or creates it, locks it, and removes parts that no manifest has.
  init(_ url: URL, inSeries place: PlaceInSeries? = nil) throws {
    self.place = place
    folder = try .lockedFolder(url)
    // In a series, that of the series is enough.
    lockFile = try place == nil ? LockFile(of: folder.path) : nil
    do {
      if !FileManager.default.fileExists(atPath: folder.path + "/" + SetNames.manifest) {
        try folder.syncName()
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
      isClosed = true
      lockFile?.release()
      lockFile = nil
    }
    folder.unlock()
  }

  /// Looks at all parts and gives the manifest its name; then the parts of the set of before are removed.
  func publish(_ manifest: SetManifest) throws {
    try mutex.withLock {
      try check()
      try manifest.checkParts(in: folder.path, isPublished: false)
      let encoder = GraphEncoder()
      encoder.metadata = ["gcset": "1"]
      try check()
      try encoder.write(manifest, to: URL(fileURLWithPath: folder.path + "/" + SetNames.manifest))
    }
    // The set is there, whether or not the old one can be removed.
    try? removeParts { _ in true }
    try? finish()
  }

  /// Removes the parts with a token, unless they are those of the set that readers see; in a series, the folder, too.
  func abort(_ token: String) throws {
    if place == nil { try removeParts { $0 == token } }
    try finish()
  }

  private func finish() throws {
    guard let place, !mutex.withLock({ isClosed }) else { return }
    close()
    try place.lead.finish(place.number)
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
      let path = folder.path + "/" + name
      guard unsafe unlink(path) == 0 || errno == ENOENT else {
        throw FileOutcome.error("remove", path, reason: errno)
      }
    }
  }

  /// The token of the set that readers see; nil if there is none.
  ///
  /// - Throws: for a manifest that cannot be read: nobody knows then which parts are its.
  private func committedToken() throws -> String? {
    let path = folder.path + "/" + SetNames.manifest
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do { return try SetManifest(of: folder.path).token } catch {
      throw GCodableError(
        .damaged, "the manifest \(path) cannot be read, so nobody knows which parts are its",
        underlyingError: error)
    }
  }

  private func check() throws {
    guard !isClosed else {
      throw GCodableError(.locked, "the set in \(folder.path) has been committed or aborted")
    }
    guard folder.isOwn else {
      throw GCodableError(.locked, "the process that this one was forked from writes a set to \(folder.path)")
    }
    try folder.checkName()
    try lockFile?.check()
    try place?.lead.check()
  }
}

extension SetManifest {
  /// Checks that each part is there with its size and its header.
  ///
  /// - Parameter isPublished: whether it is a set that readers see, and may be replaced meanwhile.
  /// - Throws: `file`, `wrongSize`, `damaged`: that of the first part that is not.
  func checkParts(in folder: String, isPublished: Bool) throws {
    try ParallelLoop(count: parts.count, threadCount: min(ParallelLoop.processorCount, 16)).run({}, { _ in })
    {
      number, _ in
      _ = try openPart(number, in: folder, isPublished: isPublished)
    }
  }

  /// Opens a part and compares its size and its header.
  func openPart(_ number: Int, in folder: String, isPublished: Bool = true) throws -> GraphArchive {
    let part = parts[number]
    let path = folder + "/" + part.name
    func name(_ error: GCodableError) -> GCodableError {
      GCodableError(
        error.code, "part \(number) of \(parts.count) of the set: \(error.context.debugDescription)",
        byteOffset: error.byteOffset, underlyingError: error.context.underlyingError)
    }
    do {
      let file = try OpenFile(reading: URL(fileURLWithPath: path))
      let found = try file.byteCount()
      guard found == part.byteCount else {
        throw GCodableError(
          .wrongSize, "\(path) should have \(part.byteCount) bytes but has \(found)",
          byteOffset: min(found, part.byteCount))
      }
      let archive = try GraphArchive(file: file, byteCount: found)
      guard archive.header.hash == part.hash else {
        throw GCodableError(.damaged, "\(path) is another archive than the one of the set", byteOffset: 0)
      }
      return archive
    } catch let error as GCodableError {
      // A set that is replaced takes its parts along.
      if isPublished, error.code == .file, let now = try? SetManifest(of: folder), now.token != token {
        throw GCodableError(
          .file, "the set was replaced while it was in use: open it again", underlyingError: error)
      }
      throw name(error)
    }
  }
}
