import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// The files of a set in a folder.
struct SetInFolder: SetFiles {
  let url: URL

  init(url: URL) { self.url = SystemPath.url(url) }

  private func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  func manifest() throws -> (manifest: SetManifest, hash: UInt64) {
    try SetManifest.read(GraphArchive(file(SetNames.manifest)))
  }

  /// Whether it was copied from a store, where nobody can commit it any more.
  ///
  /// Its manifest has no bytes then, and it has no parts. With parts, the bytes have been lost.
  var isVoid: Bool {
    guard let manifest = try? FileManager.default.attributesOfItem(atPath: file(SetNames.manifest).path),
      manifest[.type] as? FileAttributeType == .typeRegular, (manifest[.size] as? NSNumber)?.intValue == 0,
      let names = try? FileManager.default.names(in: url.path)
    else { return false }
    return !names.contains { SetNames.token(of: $0) != nil }
  }

  /// Opens the folder, or creates it, locks it, and removes parts that no manifest has.
  func lock(hasLockFile: Bool) throws -> WriterLock {
    let lock = try WriterLock(folder: url, hasLockFile: hasLockFile)
    if !FileManager.default.fileExists(atPath: file(SetNames.manifest).path) {
      try lock.file.syncName()
    } else {
      // The process that committed it may have ended before that was on the device, where the previous set has to stay until
      // then.
      try lock.file.syncFolder()
    }
    // A damaged manifest does not say which parts are its; they stay until there is another one.
    try? removeParts { _ in true }
    return lock
  }

  func commit(_ manifest: SetManifest, _ check: () throws -> Void) throws {
    try manifest.checkParts(in: self, isPublished: false)
    try check()
    let encoder = SetManifest.encoder
    if manifest.parts.contains(where: { ParityFile.exists(for: file($0.name)) }) {
      encoder.redundancy = .percent(2)
    }
    try encoder.archiveWriter.write(
      encoder.walk { try $0.writeRoot(manifest) }, to: file(SetNames.manifest), nil, followsLink: false)
    // The set is there, whether or not the old one can be removed.
    try? removeParts { _ in true }
  }

  func removeParts(where isRemoved: (String) -> Bool) throws {
    // Asked of the folder: an error of a commit does not tell whether the manifest has got its name.
    let committed = try committedToken()
    for name in try FileManager.default.names(in: url.path) {
      guard let token = SetNames.token(of: name), token != committed || name.hasPrefix("."), isRemoved(token)
      else { continue }
      try FileOutcome.removeFile(file(name).path)
      try ParityFile.remove(for: file(name).path)
    }
  }

  /// The token of the set that readers see; nil if there is none.
  ///
  /// - Throws: for a manifest that cannot be read: nobody knows then which parts are its.
  private func committedToken() throws -> String? {
    do { return try manifest().manifest.token } catch let error as GCodableError {
      // Nothing else says that there is none: a file system may fail to tell.
      if error.code == .file, error.posixCode == .ENOENT { return nil }
      throw GCodableError(
        .damaged, "the manifest of \(url.path) cannot be read, so nobody knows which parts are its",
        underlyingError: error)
    }
  }

  // MARK: Parts

  func open(_ part: SetManifest.Part) throws -> GraphArchive {
    let file = try OpenFile(reading: file(part.name))
    let found = try file.byteCount()
    guard found == part.byteCount else {
      throw GCodableError.wrongSize(file.path, part.byteCount, found: found)
    }
    let archive = try GraphArchive(file: file, byteCount: found)
    try part.check(archive.header, file.path)
    return archive
  }

  func check(_ part: SetManifest.Part) throws { _ = try open(part) }

  /// Writes the part to its file, or to another one that is copied there.
  ///
  /// The folder is not looked through for what killed processes have left, as by other saves: each of thousands of
  /// processes would read the names of all parts.
  func write(
    _ graph: EncodedGraph, _ encoder: GraphEncoder, as name: String, staging: URL?,
    _ progress: ProgressReport?, _ look: ((GraphArchive) throws -> Void)?
  ) throws -> ArchiveHeader {
    let first = staging?.appendingPathComponent(name) ?? file(name)
    var writer = encoder.archiveWriter
    writer.progress = progress
    let sink = try FileSink(
      first, temporaryName: staging == nil ? SetNames.temporary(name) : nil, followsLink: staging != nil)
    let header = try writer.writeArchive(graph, to: sink)
    try writer.readBack(sink)
    guard staging != nil || look != nil else {
      try writer.publish(sink)
      return header
    }
    try sink.publish(progress)
    defer { if staging != nil { unsafe unlink(first.path) } }
    let archive = try GraphArchive(first)
    do { try look?(archive) } catch {
      unsafe unlink(first.path)
      throw error
    }
    if staging != nil { try copy(archive, as: name) }
    try writer.protect(file(name))
    return header
  }

  func reuse(_ archive: GraphArchive, at other: URL, as name: String) throws {
    let target = file(name).path
    try FileOutcome.removeFile(target, to: "replace")
    if other.isFileURL, unsafe link(SystemPath.url(other).path, target) == 0 {
      try OpenFile(folder: url, isLocked: false).syncFolder()
    } else {
      try copy(archive, as: name)
    }
  }

  private func copy(_ archive: GraphArchive, as name: String) throws {
    let sink = try FileSink(file(name), temporaryName: SetNames.temporary(name), followsLink: false)
    _ = try archive.storage.copy(to: sink, nil)
    try sink.publish()
  }
}
