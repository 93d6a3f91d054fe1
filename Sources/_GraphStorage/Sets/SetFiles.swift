import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// The files of a set, in a folder or in an object store.
protocol SetFiles: Sendable {
  /// The folder; in a store, its name.
  var url: URL { get }
  /// Whether the set can no longer be committed, although nothing is damaged.
  var isVoid: Bool { get }
  /// Reads the manifest, and the hash at the end of its header.
  ///
  /// - Throws: `file` when there is none; otherwise as `GraphArchive.decode`.
  func manifest() throws -> (manifest: SetManifest, hash: UInt64)
  /// Writes the manifest when all parts are there, so that readers see the set.
  ///
  /// - Parameter check: is called again where writing takes long.
  func commit(_ manifest: SetManifest, _ check: () throws -> Void) throws
  /// Removes the parts with some tokens, except those of the set that readers see.
  func removeParts(where isRemoved: (String) -> Bool) throws
  /// Opens a part and compares its size and its header.
  func open(_ part: SetManifest.Part) throws -> GraphArchive
  /// Compares the size and the header of a part.
  func check(_ part: SetManifest.Part) throws
  /// Encodes a part.
  ///
  /// - Parameters:
  ///   - staging: where a part that goes to a folder is written first.
  ///   - look: looks at the archive before it is a part, if it has to be looked at.
  func write(
    _ graph: EncodedGraph, _ encoder: GraphEncoder, as name: String, staging: URL?,
    _ progress: ProgressReport?, _ look: ((GraphArchive) throws -> Void)?
  ) throws -> ArchiveHeader
  /// Reuses a part of another set.
  ///
  /// - Parameter url: the file of the archive, or its name in a store.
  func reuse(_ archive: GraphArchive, at url: URL, as name: String) throws
}

extension SetFiles {
  /// What the manifest says of the set.
  ///
  /// - Returns: nil if there is no manifest, or one without bytes, which says that there will be none.
  /// - Throws: `damaged` where it is no valid one; `file` when it cannot be read.
  func entry(_ number: Int) throws -> FolderEntry? {
    do {
      let (manifest, hash) = try manifest()
      return FolderEntry(number: number, manifest, hash)
    } catch let error as GCodableError {
      // ESTALE: it is being removed, and a network file system knows that later.
      if [.ENOENT, .ENOTDIR, .ESTALE].contains(error.posixCode) || isVoid { return nil }
      if error.code == .file { throw error }
      throw GCodableError(.damaged, "\(url.path) has no valid manifest", underlyingError: error)
    }
  }
}

extension GCodableError {
  /// The same error, which says what it is about.
  func about(_ subject: String) -> GCodableError {
    GCodableError(
      code, "\(subject): \(context.debugDescription)", byteOffset: byteOffset,
      underlyingError: context.underlyingError)
  }
}

extension FolderEntry {
  init(number: Int, _ manifest: SetManifest, _ hash: UInt64) {
    self.init(
      number: number, step: manifest.step, time: manifest.time, metadata: Metadata(manifest.metadata),
      byteCount: manifest.byteCount, hash: hash)
  }
}
