import Foundation

/// Where the files of a set are.
enum SetPlace: Sendable {
  case folder(URL)
  case stored(StoredSet)

  /// The folder; in a store, its name.
  var url: URL {
    switch self {
    case .folder(let url): url
    case .stored(let set): URL(string: set.name) ?? URL(fileURLWithPath: set.name)
    }
  }

  /// Reads the manifest, and the hash at the end of its header.
  ///
  /// - Throws: `file` when there is none; otherwise as `GraphArchive.decode`.
  func manifest() throws -> (manifest: SetManifest, hash: UInt64) {
    switch self {
    case .folder(let url):
      return try SetManifest.read(GraphArchive(url.appendingPathComponent(SetNames.manifest)))
    case .stored(let set):
      guard case .bytes(let bytes) = try set.manifest() else {
        throw GCodableError(.file, "there is no set in \(set.name)", underlyingError: POSIXError(.ENOENT))
      }
      return try SetManifest.read(GraphArchive(bytes))
    }
  }

  /// What the manifest says of the set.
  ///
  /// - Returns: nil if there is no manifest, or one without bytes, which says that there will be none.
  /// - Throws: `damaged` where it is no valid one; `file` when it cannot be read.
  func entry(_ number: Int) throws -> FolderEntry? {
    do {
      let (manifest, hash) = try manifest()
      return FolderEntry(number: number, manifest, hash)
    } catch let error as GCodableError {
      let reason = (error.context.underlyingError as? POSIXError)?.code
      // ESTALE: it is being removed, and a network file system knows that later.
      if reason == .ENOENT || reason == .ENOTDIR || reason == .ESTALE || isVoid { return nil }
      if error.code == .file { throw error }
      throw GCodableError(.damaged, "\(url.path) has no valid manifest", underlyingError: error)
    }
  }

  /// Whether it was copied from a store, where nobody can commit it any more.
  ///
  /// Its manifest has no bytes then, and it has no parts. With parts, the bytes have been lost.
  private var isVoid: Bool {
    guard case .folder(let url) = self,
      let file = try? FileManager.default.attributesOfItem(
        atPath: url.appendingPathComponent(SetNames.manifest).path),
      file[.type] as? FileAttributeType == .typeRegular, (file[.size] as? NSNumber)?.intValue == 0,
      let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
    else { return false }
    return !names.contains { SetNames.token(of: $0) != nil }
  }

  /// Whether something is there that may be a set, or nobody can say.
  var isThere: Bool {
    switch self {
    case .folder(let url): return FileManager.default.fileExists(atPath: url.path)
    case .stored(let set):
      guard let found = try? set.manifest() else { return true }
      if case .bytes = found { return true }
      return false
    }
  }

  /// Opens a part and compares its size and its header.
  func open(_ part: SetManifest.Part) throws -> GraphArchive {
    switch self {
    case .folder(let url):
      let file = try OpenFile(reading: url.appendingPathComponent(part.name))
      let found = try file.byteCount()
      guard found == part.byteCount else {
        throw GCodableError(
          .wrongSize, "\(file.path) should have \(part.byteCount) bytes but has \(found)",
          byteOffset: min(found, part.byteCount))
      }
      let archive = try GraphArchive(file: file, byteCount: found)
      guard archive.header.hash == part.hash else {
        throw GCodableError(
          .damaged, "\(file.path) is another archive than the one of the set", byteOffset: 0)
      }
      return archive
    case .stored(let set): return try set.archive(part)
    }
  }

  /// Compares the size and the header of a part.
  func check(_ part: SetManifest.Part) throws {
    switch self {
    case .folder: _ = try open(part)
    case .stored(let set): try set.check(part)
    }
  }
}

extension SetManifest {
  /// Reads a manifest, and the hash at the end of its header.
  static func read(_ archive: GraphArchive) throws -> (manifest: SetManifest, hash: UInt64) {
    (try archive.decode(), archive.header.hash)
  }

  /// Bytes of all parts.
  var byteCount: UInt64 { parts.lazy.map(\.byteCount).saturatedSum() }

  /// Checks that each part is there with its size and its header.
  ///
  /// - Parameter isPublished: whether it is a set that readers see, and may be replaced meanwhile.
  /// - Throws: `file`, `wrongSize`, `damaged`: that of the first part that is not.
  func checkParts(in place: SetPlace, isPublished: Bool) throws {
    try ParallelLoop(count: parts.count, threadCount: min(ParallelLoop.processorCount, 16)).run({}, { _ in })
    { number, _ in
      try withErrors(of: number, in: place, isPublished: isPublished) { try place.check(parts[number]) }
    }
  }

  /// Opens a part and compares its size and its header.
  func openPart(_ number: Int, in place: SetPlace) throws -> GraphArchive {
    try withErrors(of: number, in: place, isPublished: true) { try place.open(parts[number]) }
  }

  private func withErrors<Result>(
    of number: Int, in place: SetPlace, isPublished: Bool, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as GCodableError {
      // A set that is replaced takes its parts along.
      if isPublished, error.code == .file, let now = try? place.manifest().manifest, now.token != token {
        throw GCodableError(
          .file, "the set was replaced while it was in use: open it again", underlyingError: error)
      }
      throw GCodableError(
        error.code, "part \(number) of \(parts.count) of the set: \(error.context.debugDescription)",
        byteOffset: error.byteOffset, underlyingError: error.context.underlyingError)
    }
  }
}

extension FolderEntry {
  init(number: Int, _ manifest: SetManifest, _ hash: UInt64) {
    self.init(
      number: number, step: manifest.step, time: manifest.time, metadata: Metadata(manifest.metadata),
      byteCount: manifest.byteCount, hash: hash)
  }
}
