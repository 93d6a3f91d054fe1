import CGraphArchive
import Foundation
import _GraphSupport

/// Writes into a file that gets its name only when it is complete.
package final class FileSink: ArchiveSink {
  fileprivate var file = gca_file(descriptor: -1)
  fileprivate let path: String
  private let folder: String
  private let temporaryPath: String
  /// Whether the temporary file is this sink's; another one may have that name.
  private var isCreated = false
  /// Whether the file has its name.
  package private(set) var isPublished = false
  /// A process that is forked has a copy of this, and must not remove the file.
  private let processID = getpid()

  /// Creates the temporary file beside `url`, which keeps what it holds until `publish`.
  ///
  /// - Parameters:
  ///   - temporaryName: a name that is not in use at the moment; nil for one that tells this process, where what killed ones have
  ///   left in the folder is removed before.
  ///   - followsLink: whether the file that a link leads to is replaced: the user may have linked a file that the user names. The
  ///   files of a set or a folder have names of the library, where a link of anybody's must not lead out of the folder.
  package init(_ url: URL, temporaryName: String? = nil, followsLink: Bool = true) throws {
    // A link is followed, so that the file it leads to is replaced and not the link.
    let named = try SystemPath.path(url)
    path = followsLink ? try SystemPath.followingLinks(named) : named
    folder = SystemPath.folder(of: path)
    // Not made of the file's name, which may already be as long as the system allows.
    temporaryPath = "\(folder)/\(temporaryName ?? ProcessIdentity.current.temporaryName())"
    let existing = followsLink || !SystemPath.isLink(path) ? SystemPath.status(path) : nil
    if let type = existing.map({ $0.st_mode & S_IFMT }), type != S_IFREG {
      // A rename would put a file in the place of a pipe, a device or a folder.
      var error = FileOutcome.error("replace", path, reason: type == S_IFDIR ? EISDIR : EINVAL)
      if type != S_IFDIR { error.context.debugDescription = "cannot replace \(path): Not a regular file" }
      throw error
    }
    // First of all, because they may take the room that this one needs.
    if temporaryName == nil { ProcessIdentity.removeAbandonedFiles(in: folder) }
    let mode = existing.map { UInt32($0.st_mode & 0o7777) }
    let creation = unsafe temporaryPath.withCString { path in
      FileOutcome { unsafe gca_file_create(&file, path, mode ?? 0o666) }
    }
    // The name that the caller knows.
    try creation.check("create", path)
    isCreated = true
    // The owner first, since the system takes bits of the mode away then. Creating applies the process's mask, which says
    // nothing about a file that is only replaced.
    if let existing, let mode {
      gca_file_set_owner(file, existing.st_uid, existing.st_gid)
      try FileOutcome { gca_file_set_permissions(file, mode) }.check("set the permissions of", path)
    }
  }

  deinit {
    // Closed last: it has its lock as long as it has this name.
    if isCreated, !isPublished, processID == getpid() { unsafe unlink(temporaryPath) }
    unsafe gca_file_close(&file)
  }

  package func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    try unsafe pieces.write(to: file, at: offset).check("write", path)
  }

  /// Puts the complete file in its place: it survives a crash of the system from then on.
  ///
  /// Until the very last, `progress` may be cancelled. An error leaves the older file, unless the folder alone could
  /// not be synced: then the new one is in its place, whole, and a crash of the system may still bring the older back.
  package func publish(_ progress: ProgressReport? = nil) throws {
    try FileOutcome { unsafe gca_file_sync(&file) }.check("sync", path)
    try progress?.checkCancellation()
    let outcome = unsafe temporaryPath.withCString { temporary in
      unsafe path.withCString { path in
        unsafe folder.withCString { folder in FileOutcome { unsafe gca_file_publish(temporary, path, folder) }
        }
      }
    }
    isPublished = outcome.status == GCA_OK || outcome.status == GCA_FILE_SYNC
    try outcome.check(outcome.status == GCA_FILE_SYNC ? "sync the folder of" : "replace", path)
    progress?.finish()
  }
}

extension FileSink {
  /// The file that is written or replaced, behind any link.
  var url: URL { URL(fileURLWithPath: path) }

  /// The file, to be used further: it has been locked since its creation, and stays so.
  package func openFile() throws -> OpenFile { try OpenFile(sharing: file, path) }

  /// Brings all bytes to the device and has the system forget them, so that they are read from there.
  package func forgetWritten() throws {
    try FileOutcome { unsafe gca_file_sync(&file) }.check("sync", path)
    #if os(Linux)
      // Where the system keeps them all the same, they are read from its memory.
      _ = posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED)
    #endif
  }
}

extension ArchiveWriter {
  /// Writes the archive into a file, which gets its name when it is complete.
  ///
  /// - Parameter followsLink: see `FileSink`.
  package func write(
    _ graph: EncodedGraph, to url: URL, _ progress: ProgressReport?, followsLink: Bool = true
  ) throws {
    try progress?.checkCancellation()
    var writer = self
    writer.progress = progress
    let sink = try FileSink(url, followsLink: followsLink)
    _ = try writer.write(graph, to: sink)
    try writer.readBack(sink)
    try writer.publish(sink)
  }
}
