import Foundation
import _GraphSupport

/// An archive whose header and tables have been read and checked.
package final class OpenArchive: Sendable {
  package let storage: ArchiveStorage
  package let header: ArchiveHeader
  package let contents: Contents
  /// Of all that was read by way of this object.
  package let counts = BlockCounts()

  /// - Throws: `file` when the file cannot be read; `notAnArchive`, `wrongSize`, `damaged` or `malformed` if header or tables
  ///   are not valid.
  package init(_ storage: ArchiveStorage) throws {
    self.storage = storage
    (header, contents) = try storage.withSource { source in
      let reader = try ArchiveReader(source)
      return (reader.header, reader.contents)
    }
  }

  /// An archive whose tables have been found, or made, and whose bytes may be damaged.
  package init(_ storage: ArchiveStorage, _ header: ArchiveHeader, _ contents: Contents) {
    (self.storage, self.header, self.contents) = (storage, header, contents)
  }

  /// Calls `body` with a reader that is valid until it returns.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func withReader<Result>(
    threadCount: Int = ParallelLoop.processorCount, progress: ProgressReport? = nil,
    _ body: (ArchiveReader) throws -> Result
  ) rethrows -> Result {
    try storage.withSource {
      try body(
        ArchiveReader($0, header, contents, threadCount: threadCount, progress: progress, counts: counts))
    }
  }
}

/// How many blocks of an archive have been expanded, and copied as they are.
///
/// `@unchecked`: the numbers are used under `lock` alone.
package final class BlockCounts: @unchecked Sendable {
  private let lock = NSLock()
  private var numbers = (expanded: 0, copied: 0)

  var expanded: Int { lock.withLock { numbers.expanded } }
  var copied: Int { lock.withLock { numbers.copied } }

  func noteExpansion() { lock.withLock { numbers.expanded += 1 } }
  func noteCopy() { lock.withLock { numbers.copied += 1 } }
}
