import CGraphArchive
import Foundation
import _GraphSupport

/// A file that says which process writes a file or a folder, for file systems where `flock` fails or holds on one node only.
///
/// It is made in one step, with all that it says. One of a process of this host that has ended is taken over; all
/// others stay until their processes remove them, or `GraphArchiveLock` does.
final class LockFile: Sendable {
  /// What is locked, for errors.
  private let subject: String
  private let path: String
  private let text: LockText
  private let fileNumber: UInt64
  private let processID = getpid()

  /// Locks a file or a folder.
  ///
  /// - Returns: nil where this process may not make files in the folder, and it is not locked.
  /// - Throws: `locked`; `file` where the lock file cannot be made.
  init?(of subject: String) throws {
    self.subject = subject
    path = try Self.path(of: subject)
    fileNumber = Self.fileNumber(subject)
    text = LockText(of: fileNumber)
    // A lock whose process was killed while making it.
    ProcessIdentity.removeAbandonedFiles(in: SystemPath.folder(of: path))
    guard try take(path) else { return nil }
    LockRegistry.shared.add(self)
  }

  private init(_ subject: String, _ path: String, ofFile fileNumber: UInt64) {
    (self.subject, self.path, self.fileNumber) = (subject, path, fileNumber)
    text = LockText(of: fileNumber)
  }

  /// The lock of whatever file has the name, replacing this one: for a writer that puts another file there.
  ///
  /// - Throws: `locked`; `file`.
  func followingName() throws -> LockFile {
    try check()
    guard fileNumber != LockText.anyFile else { return self }
    let new = LockFile(subject, path, ofFile: LockText.anyFile)
    let temporary = SystemPath.folder(of: path) + "/" + ProcessIdentity.current.temporaryName()
    try new.make(temporary).check("make the lock", temporary)
    let reason = FileOutcome.move(temporary, to: path)
    guard reason == 0 else {
      unsafe unlink(temporary)
      throw FileOutcome.error("make the lock", path, reason: reason)
    }
    LockRegistry.shared.remove(self)
    LockRegistry.shared.add(new)
    return new
  }

  /// Checks that the lock exists, and recreates it if it is gone.
  ///
  /// - Throws: `locked` if another process has it now.
  func check() throws {
    if let found = try Self.read(path), found.bytes == text.bytes { return }
    _ = try take(path)
  }

  /// Gives the lock back, unless this process was forked from the one that has it.
  func release() {
    LockRegistry.shared.remove(self)
    removeFile()
  }

  /// Removes the file, if it is still that of this lock.
  func removeFile() {
    guard processID == getpid(), let found = try? Self.read(path), found.bytes == text.bytes else { return }
    unsafe unlink(path)
  }

  // MARK: Taking

  /// Makes a file at `path` with what this lock says.
  ///
  /// - Returns: false where this process may not.
  private func take(_ path: String, depth: Int = 0) throws -> Bool {
    for _ in 0..<100 {
      let outcome = make(path)
      switch outcome.status {
      case GCA_OK: return true
      case GCA_FILE_EXISTS: break
      case GCA_FILE_OPEN where [EACCES, EPERM, EROFS].contains(outcome.reason): break
      default: try outcome.check("make the lock", path)
      }
      guard let found = try Self.read(path) else {
        // Gone meanwhile, or it cannot be created.
        if outcome.status == GCA_FILE_EXISTS { continue }
        return false
      }
      guard found.isStale(for: fileNumber), depth < 4 else { throw Self.error(subject, path, found) }
      if outcome.status != GCA_FILE_EXISTS { return false }
      if try replace(found, at: path, depth) { return true }
    }
    throw GCodableError(.locked, "the lock \(path) of \(subject) changes hands again and again")
  }

  /// Replaces another lock with this one.
  ///
  /// Of several contenders, one gets the right to: a file whose name is derived from the other lock's text. While it exists, only
  /// its owner replaces that lock, and it becomes the lock itself.
  ///
  /// - Returns: false if the other lock was replaced before.
  private func replace(_ other: LockText, at path: String, _ depth: Int) throws -> Bool {
    let right = try Self.right(to: other, Self.path(of: subject))
    guard try take(right, depth: depth + 1) else { return false }
    guard try Self.read(path)?.bytes == other.bytes, unsafe rename(right, path) == 0 else {
      unsafe unlink(right)
      return false
    }
    return true
  }

  private func make(_ path: String) -> FileOutcome {
    let temporary = SystemPath.folder(of: path) + "/" + ProcessIdentity.current.temporaryName()
    return unsafe text.bytes.withUnsafeBytes { bytes in
      FileOutcome { unsafe gca_file_make_exclusive(temporary, path, bytes.baseAddress, bytes.count) }
    }
  }

  // MARK: Files

  /// The ending of a lock file's name; in a locked folder, all of it.
  private static let suffix = ".gcodable-lock"

  /// The lock file of a file, beside it, or of a folder, in it.
  ///
  /// - Throws: `file` where links lead in a circle, or to a name that is not UTF-8.
  static func path(of subject: String) throws -> String {
    let path = try SystemPath.followingLinks(subject)
    if isFolder(path) { return path + "/" + suffix.dropFirst() }
    // The name of the file may be as long as the system allows.
    let name = SystemPath.name(of: path)
    let short = name.utf8.count <= 200 ? name : LockText(Array(name.utf8)).name
    return SystemPath.folder(of: path) + "/" + short + suffix
  }

  /// The file that gives the right to replace a lock.
  static func right(to text: LockText, _ path: String) -> String { "\(path).\(text.name)" }

  private static func isFolder(_ path: String) -> Bool {
    SystemPath.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  private static func fileNumber(_ path: String) -> UInt64 {
    SystemPath.status(path).map { UInt64($0.st_ino) } ?? 0
  }

  /// What a lock file says; nil if there is none.
  static func read(_ path: String) throws -> LockText? {
    do {
      let file = try OpenFile(reading: URL(fileURLWithPath: path))
      // Lock files are never longer, and no other file should fill the memory.
      var bytes = [UInt8](repeating: 0, count: Int(min(try file.byteCount(), 4096)))
      guard try unsafe bytes.withUnsafeMutableBytes({ try unsafe file.read($0, from: 0) }) else {
        return LockText([])
      }
      return LockText(bytes)
    } catch let error as GCodableError {
      let reason = (error.context.underlyingError as? POSIXError)?.code
      if reason == .ENOENT || reason == .ESTALE { return nil }
      throw error
    }
  }

  /// The error for a lock that the system reports.
  static func error(_ subject: String) -> GCodableError {
    if let path = try? path(of: subject), let found = try? read(path) { return error(subject, path, found) }
    return GCodableError(.locked, "another writer has \(subject)")
  }

  /// The error for a lock file that is found.
  static func error(_ subject: String, _ path: String, _ found: LockText) -> GCodableError {
    guard let holder = found.holder else {
      return GCodableError(
        .locked,
        "\(subject) is locked by \(path), which does not say by whom: remove it if nobody writes there (GraphArchiveLock)"
      )
    }
    let who =
      "process \(holder.process.processID) on host \(holder.process.host), since \(holder.date.formatted(.iso8601))"
    switch holder.process.state {
    case .runs: return GCodableError(.locked, "another writer has \(subject): \(who)")
    case .isGone, .isElsewhere:
      return GCodableError(
        .locked,
        "another writer has \(subject): \(who). Whether it still runs cannot be said here; if it does not, break its lock "
          + "\(path) with GraphArchiveLock, or remove that file")
    }
  }
}

/// The locks that are given back when the process ends, also those of writers in global variables.
private final class LockRegistry: @unchecked Sendable {
  // `@unchecked`: `locks` is used under `mutex` alone.
  static let shared = LockRegistry()
  private let mutex = NSLock()
  private var locks: [ObjectIdentifier: Weak] = [:]

  private struct Weak { weak var lock: LockFile? }

  private init() { atexit { LockRegistry.shared.removeAll() } }

  func add(_ lock: LockFile) { mutex.withLock { locks[ObjectIdentifier(lock)] = Weak(lock: lock) } }

  func remove(_ lock: LockFile) { mutex.withLock { _ = locks.removeValue(forKey: ObjectIdentifier(lock)) } }

  private func removeAll() {
    let locks = mutex.withLock { self.locks.values.compactMap(\.lock) }
    for lock in locks { lock.removeFile() }
  }
}
