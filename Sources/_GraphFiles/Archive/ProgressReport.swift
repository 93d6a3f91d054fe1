import Foundation
import _GraphSupport

/// Reports progress to a `Progress`, and ends the work when that is cancelled.
///
/// Its unit is the byte, and the threads that work report together. The last `ArchiveHeader.byteCount` units are
/// done when everything is.
package final class ProgressReport: @unchecked Sendable {
  // `@unchecked`: the variables are used under `lock` alone.
  private let progress: Progress
  private let lock = NSLock()
  private var total: Int64 = 0
  private var completed: Int64 = 0
  /// Whether the numbers have changed since the progress was last set.
  private var hasNews = false
  /// Whether a thread is setting the progress.
  private var isSetting = false

  package init?(_ progress: Progress?) {
    guard let progress else { return nil }
    self.progress = progress
  }

  /// Sets how many bytes there are to work on, according to the files.
  @inline(never)
  package func begin(byteCount: UInt64) {
    change {
      total = Int64(clamping: byteCount).addingSaturated(Int64(ArchiveHeader.byteCount))
      completed = 0
    }
  }

  /// Adds to the bytes to work on, if their number turns out on the way.
  @inline(never)
  package func expect(_ byteCount: Int) { change { total = total.addingSaturated(Int64(byteCount)) } }

  /// Reports that more bytes are done.
  ///
  /// Bytes that are expanded again, for an object made again, do not count beyond the total.
  @inline(never)
  package func advance(by byteCount: Int) {
    change {
      completed = min(completed.addingSaturated(Int64(byteCount)), total - Int64(ArchiveHeader.byteCount))
    }
  }

  /// Reports that everything is done; no other thread works any more.
  @inline(never)
  package func finish() { change { completed = total } }

  /// - Throws: `CancellationError` if the progress was cancelled.
  package func checkCancellation() throws { try progress.checkCancellation() }

  /// Changes the numbers, then sets the progress.
  ///
  /// The progress is set outside of the lock, because an observer may wait for another thread that reports;
  /// and by one thread at a time, which also passes on what others report meanwhile, so that it never goes back.
  @inline(never)
  private func change(_ body: () -> Void) {
    let isFirst = lock.withLock {
      body()
      hasNews = true
      defer { isSetting = true }
      return !isSetting
    }
    guard isFirst else { return }
    while let (total, completed) = takeNews() {
      if progress.totalUnitCount != total { progress.totalUnitCount = total }
      if progress.completedUnitCount != completed { progress.completedUnitCount = completed }
    }
  }

  /// The numbers, if they have changed; otherwise the thread that asks has nothing more to set.
  private func takeNews() -> (total: Int64, completed: Int64)? {
    lock.withLock {
      isSetting = hasNews
      hasNews = false
      return isSetting ? (total, completed) : nil
    }
  }
}

extension Progress {
  /// - Throws: `CancellationError` if it was cancelled.
  @usableFromInline
  package func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
}
