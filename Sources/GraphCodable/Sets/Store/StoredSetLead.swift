import Foundation

/// Commits a set in an object store.
final class StoredSetLead: SetLeading, @unchecked Sendable {
  // `@unchecked`: `isClosed` is used under `stateMutex` alone.
  private let stored: StoredSet
  private let series: SetSeriesLead
  private let mutex = NSLock()
  private let stateMutex = NSLock()
  private var isClosed = false

  init(_ stored: StoredSet, of series: SetSeriesLead) { (self.stored, self.series) = (stored, series) }

  var place: SetPlace { .stored(stored) }
  var number: Int? { stored.number }
  var isOpen: Bool { stateMutex.withLock { !isClosed } }
  func close() { stateMutex.withLock { isClosed = true } }

  func publish(_ manifest: SetManifest) throws {
    try mutex.withLock {
      guard isOpen else {
        throw GCodableError(.locked, "\(stored.name) has been committed or aborted")
      }
      let bytes: Data = try SetManifest.encoder.encode(manifest)
      let hash = try GraphArchive(bytes).header.hash
      try checkNumber(orSetWith: hash)
      do { try manifest.checkParts(in: place, isPublished: false) } catch {
        // Who has the number has removed them.
        if let found = try? stored.manifest(), found != .none { throw isTaken(error) }
        throw error
      }
      guard try stored.decide(bytes) == .bytes(bytes) else { throw isTaken(nil) }
      do { try checkNumber(orSetWith: hash) } catch let error as GCodableError where error.code == .locked {
        try stored.removeManifest()
        throw error
      } catch {}  // The set is there; whether the number was free, the store did not say.
    }
    // The set is there; what could not be done now, the series does before the next one.
    close()
    try? series.finish(stored.number)
  }

  /// Checks that the number has not been given up and set free.
  ///
  /// A process that stood still for long may find nothing in the place of the manifest, and its parts removed, or others
  /// that have gone on behind the number. What stood there is removed only when the index has the number as taken; lists
  /// may lag.
  ///
  /// - Parameter hash: that of the own manifest, which another writer may have listed when the answer to a commit got lost.
  private func checkNumber(orSetWith hash: UInt64) throws {
    guard let bytes = try stored.store.indexBytes() else { return }
    // An index that makes no sense does not say that the number is free.
    guard let index = FolderIndex(bytes),
      index.nextNumber <= stored.number
        || index.entries.contains(where: { $0.number == stored.number && $0.hash == hash })
    else { throw isTaken(nil) }
  }

  private func isTaken(_ cause: (any Error)?) -> GCodableError {
    GCodableError(
      .locked, "another writer has committed \(stored.name), or given it up", underlyingError: cause)
  }

  func abort(_ token: String) throws {
    guard isOpen else { return }
    try series.finish(stored.number)
    close()
  }
}
