import Foundation
import _GraphSupport

/// The locks of the only writer of a file or a folder: the system's, and a lock file for where that does not reach.
///
/// Both are given back when it is released, except by a process that was forked from the writer's.
package final class WriterLock {
  /// The file or folder, which may stay open longer for its readers.
  package private(set) var file: OpenFile
  /// nil in a folder in which this process may not create files, and where another lock covers the folder.
  private var lockFile: LockFile?

  package var path: String { file.path }

  /// Opens a file for appending, or creates it, and locks it.
  ///
  /// - Throws: `locked`; `file`.
  package init(appendingTo url: URL) throws {
    file = try OpenFile(appending: url)
    lockFile = try LockFile(of: file.path)
  }

  /// Opens a folder, or creates it, and locks it.
  ///
  /// - Parameter hasLockFile: false for a folder inside another one that has a lock file.
  /// - Throws: `locked`; `file`.
  package init(folder url: URL, hasLockFile: Bool = true) throws {
    file = try .lockedFolder(url)
    lockFile = hasLockFile ? try LockFile(of: file.path) : nil
  }

  /// Checks that this process may write: it opened the file, which still has its name, and the lock was not taken.
  ///
  /// - Throws: `locked`; `file`.
  package func check() throws {
    try checkProcess()
    try file.checkName()
    try lockFile?.check()
  }

  /// Checks that this process opened the file.
  ///
  /// - Throws: `locked` in one that was forked from it.
  package func checkProcess() throws {
    guard file.isOwn else {
      throw GCodableError(.locked, "the process that this one was forked from writes to \(path)")
    }
  }

  /// Keeps the name locked while another file takes it.
  package func lockName() throws { lockFile = try lockFile?.followingName() }

  /// Holds the file that has taken the name.
  package func hold(_ newFile: OpenFile) { file = newFile }

  package func release() {
    lockFile?.release()
    lockFile = nil
    file.unlock()
  }

  deinit { release() }
}
