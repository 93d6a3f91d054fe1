import Foundation

extension GraphArchive {
  /// Checks every byte against its checksum, without decoding.
  ///
  /// Of a file, 1 MiB for each thread is in memory at a time, besides the tables of the archive. That all checksums
  /// match means that the archive is as it was written, not that this program has the types to decode it.
  ///
  /// - Parameter progress: reports the bytes that have been checked; cancelling it ends the check.
  /// - Throws: `GCodableError`: `damaged` or `malformed` with the offset of what is, `file` or `wrongSize` when the file
  ///   cannot be read; `CancellationError`.
  /// - Complexity: O(n) in the size of the archive, by all processors.
  public func verify(progress: Progress? = nil) throws {
    try verify(threadCount: ParallelLoop.processorCount, progress)
  }

  func verify(threadCount: Int, _ progress: Progress?) throws {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    report?.begin(byteCount: header.byteCount - UInt64(ArchiveHeader.byteCount))
    try verifySegments(threadCount: threadCount, report)
    try progress?.checkCancellation()
    report?.finish()
  }

  /// Checks all segments; header and contents have been checked before.
  func verifySegments(threadCount: Int, _ report: ProgressReport?) throws {
    try withReader(threadCount: threadCount, progress: report) { try $0.verifySegments() }
  }
}

extension ArchiveReader {
  fileprivate func verifySegments() throws {
    for placed in contents.segments { try verify(placed) }
  }

  private func verify(_ placed: PlacedSegment) throws {
    let open = try open(placed)
    let offsets = open.blockOffsets
    try ParallelLoop(count: offsets.count, threadCount: threadCount).run(source.scratchPool) {
      index, scratch in
      try progress?.checkCancellation()
      let count = Int(open.segment.blocks[index].storedByteCount)
      let room = source.memory == nil ? scratch.stored(count) : nil
      try check(source.bytes(count, from: offsets[index], room), index, open, offsets[index])
      progress?.advance(by: count)
    }
  }
}
