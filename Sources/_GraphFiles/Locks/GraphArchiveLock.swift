import Foundation

/// The lock that a writer holds on a series or a folder of archives, and a way to break it.
///
///     if let lock = try GraphArchiveLock(of: url) {
///       print(lock.host, lock.processID, lock.date)
///       try lock.break()  // Only if that process is no longer running.
///     }
///
/// A writer makes a file beside the series, or in the folder, that says where it runs. The lock of a process that was
/// killed is taken over by the next writer on the same host. On other hosts it is an error with the code
/// ``GCodableError/Code/locked``, because only its own host knows whether the process still runs; such a lock has to be
/// broken by hand.
public struct GraphArchiveLock: Sendable {
  /// The lock file.
  public let url: URL
  /// The host of the process that holds the lock; empty if the file does not name it.
  public let host: String
  /// The number of the process on its host; 0 if the file does not name it.
  public let processID: Int
  /// When the lock was taken, by the clock of its host.
  public let date: Date

  private let subject: String
  private let text: LockText

  /// Finds the lock of a series or a folder.
  ///
  /// - Returns: nil if it is not locked.
  /// - Throws: `GCodableError` with the code `file` when the lock cannot be read.
  public init?(of url: URL) throws {
    subject = try SystemPath.path(url)
    self.url = URL(fileURLWithPath: try LockFile.path(of: subject))
    guard let text = try LockFile.read(self.url.path) else { return nil }
    self.text = text
    let holder = text.holder
    host = holder?.process.host ?? ""
    processID = holder?.process.processID ?? 0
    date = holder?.date ?? .distantPast
  }

  /// Whether the process is known to have ended; always false for processes of other hosts.
  ///
  /// Such a lock need not be broken: the next writer takes it over.
  public var isStale: Bool { text.isStale(for: nil) }

  /// Removes the lock, even if its process still runs.
  ///
  /// - Warning: If the process still writes, two writers can lose each other's entries. It notices before its next entry,
  ///   which fails if there is another writer. A lock of this node (`flock`) stays with its process.
  /// - Throws: `GCodableError`: code `locked` if another process has taken the lock since this value was made; `file` if it
  ///   cannot be removed.
  public func `break`() throws {
    guard let current = try LockFile.read(url.path) else { return }
    guard current.bytes == text.bytes else { throw LockFile.error(subject, url.path, current) }
    try FileOutcome.removeFile(url.path)
  }
}
