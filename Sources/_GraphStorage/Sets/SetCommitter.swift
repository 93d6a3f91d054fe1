import Foundation
import _GraphFiles
import _GraphSupport

/// Begins a set, and commits or aborts it.
final class SetCommitter: @unchecked Sendable {
  // `@unchecked`: what changes is used under `mutex` alone, which a call of the series may wait for, and not the other way
  // round; so `isClosed` has its own.
  let files: any SetFiles
  /// That of the folder; a store has none.
  private let lock: WriterLock?
  private let series: CatalogWriter?
  /// The set's number in its series.
  let number: Int?
  private let mutex = NSLock()
  private let stateMutex = NSLock()
  /// It was committed, or given up.
  private var isClosed = false

  /// Whether the set may still be committed.
  var isOpen: Bool { stateMutex.withLock { !isClosed } }

  /// Begins a set in a folder, which is created if it does not exist.
  init(_ folder: SetInFolder, of series: CatalogWriter? = nil, _ number: Int? = nil) throws {
    (files, self.series, self.number) = (folder, series, number)
    // In a series, the lock file of the series is enough.
    lock = try folder.lock(hasLockFile: series == nil)
  }

  /// Begins a set in a store.
  init(_ set: SetInStore, of series: CatalogWriter) {
    (files, lock, self.series, number) = (set, nil, series, set.number)
  }

  /// Gives the locks back.
  func close() {
    // Not during a commit: its set would be taken for an aborted one.
    mutex.withLock {
      noteClosed()
      lock?.release()
    }
  }

  private func noteClosed() { stateMutex.withLock { isClosed = true } }

  /// Looks at all parts, and makes them the set that readers see.
  func publish(_ manifest: SetManifest) throws {
    try mutex.withLock {
      try check()
      do { try files.commit(manifest, check) } catch {
        // Where the folder could not be synced, it is the set that readers see.
        if lock != nil, (try? files.manifest().manifest.token) == manifest.token { noteClosed() }
        throw error
      }
      noteClosed()
      if series != nil { lock?.release() }
    }
    // The set exists; the series completes the rest before the next one.
    try? finish()
  }

  /// Removes the parts with a token, unless they are those of the set that readers see; in a series, the whole set.
  func abort(_ token: String) throws {
    // Not during a commit: this would remove the parts of the set about to appear.
    try mutex.withLock { if series == nil { try files.removeParts { $0 == token } } }
    guard series != nil, isOpen else { return }
    // A store prevents commits from then on; in a folder, this does.
    if lock != nil { close() }
    try finish()
    close()
  }

  private func finish() throws { if let series, let number { try series.finish(number) } }

  private func check() throws {
    guard isOpen else {
      throw GCodableError(.locked, "the set in \(files.url.path) has been committed or aborted")
    }
    try lock?.check()
    try series?.check()
  }
}
