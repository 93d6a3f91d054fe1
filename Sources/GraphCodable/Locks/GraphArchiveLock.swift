import Foundation

/// The lock that a writer has on a series, or on a folder of archives: who it is, and a way to break it.
///
///     if let lock = try GraphArchiveLock(of: url) {
///       print(lock.host, lock.processID, lock.date)
///       try lock.break()  // Only when that process does not run any more.
///     }
///
/// A writer makes a file beside the series, or in the folder, that says where it runs. A writer on the same host takes
/// over what a process has left that was killed; what one of another host has left is an error with the code
/// ``GCodableError/Code/locked``, because nobody but that host knows whether the process still runs. That is when a
/// lock is to be broken by hand.
public struct GraphArchiveLock: Sendable {
  /// The lock file.
  public let url: URL
  /// The host of the process that has the lock; empty if the file does not say it.
  public let host: String
  /// The number of the process on its host; 0 if the file does not say it.
  public let processID: Int
  /// Since when it has the lock, by the clock of its host.
  public let date: Date

  private let subject: String
  private let text: LockText

  /// Looks for the lock of a series, or of a folder.
  ///
  /// - Returns: nil if nobody has one.
  /// - Throws: `GCodableError` with the code `file` when the lock cannot be read.
  public init?(of url: URL) throws {
    subject = url.path
    self.url = URL(fileURLWithPath: LockFile.path(of: url.path))
    guard let text = try LockFile.read(self.url.path) else { return nil }
    self.text = text
    let holder = text.holder
    host = holder?.process.host ?? ""
    processID = holder?.process.processID ?? 0
    date = holder?.date ?? .distantPast
  }

  /// Whether the process has ended, as far as this host can say: false for those of other hosts.
  ///
  /// Such a lock need not be broken: the next writer takes it over.
  public var isStale: Bool { text.isStale(for: nil) }

  /// Removes the lock, whoever has it.
  ///
  /// - Warning: if its process still writes, two writers can lose each other's entries. It finds out before its next
  ///   entry, which is an error then if there is another writer. A lock of this node (`flock`) stays with its process.
  /// - Throws: `GCodableError`: code `locked` when the lock has changed hands since this value was made; `file` when it
  ///   cannot be removed.
  public func `break`() throws {
    guard let current = try LockFile.read(url.path) else { return }
    guard current.bytes == text.bytes else { throw LockFile.error(subject, url.path, current) }
    guard unsafe unlink(url.path) == 0 || errno == ENOENT else {
      throw FileOutcome.error("remove", url.path, reason: errno)
    }
  }
}
