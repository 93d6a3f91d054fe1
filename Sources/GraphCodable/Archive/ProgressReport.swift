import Foundation

/// Tells a `Progress` how far the work is, and ends the work when it is cancelled.
///
/// Its unit is the byte, and the threads that work report together. The last `ArchiveHeader.byteCount` units are
/// done when all is.
final class ProgressReport: @unchecked Sendable {
  private let progress: Progress
  private let lock = NSLock()
  private var total: Int64 = 0
  private var completed: Int64 = 0

  init?(_ progress: Progress?) {
    guard let progress else { return nil }
    self.progress = progress
  }

  /// Sets how many bytes there are to work on.
  func begin(byteCount: UInt64) {
    lock.withLock {
      total = Int64(clamping: byteCount) + Int64(ArchiveHeader.byteCount)
      progress.totalUnitCount = total
      progress.completedUnitCount = 0
    }
  }

  /// Adds to the bytes that there are to work on, where these turn out on the way.
  func expect(_ byteCount: Int) {
    lock.withLock {
      total += Int64(byteCount)
      progress.totalUnitCount = total
    }
  }

  /// Reports that so many more bytes are done.
  ///
  /// Bytes that are expanded a second time, for an object that is made anew, do not count beyond the total.
  func advance(by byteCount: Int) {
    lock.withLock {
      completed = min(completed + Int64(byteCount), total - Int64(ArchiveHeader.byteCount))
      progress.completedUnitCount = completed
    }
  }

  /// Reports that all is done.
  func finish() { lock.withLock { progress.completedUnitCount = total } }

  /// - Throws: `CancellationError` if the progress was cancelled.
  func checkCancellation() throws { try progress.checkCancellation() }
}

extension Progress {
  /// - Throws: `CancellationError` if it was cancelled.
  @usableFromInline
  func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
}
