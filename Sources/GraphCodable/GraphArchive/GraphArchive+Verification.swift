import Foundation

extension GraphArchive {
  /// Checks every byte: checksums, that all blocks expand, and the form of the graph, without the types it was made of.
  ///
  /// A graph that passes can be decoded by whoever has the types, and asks for what is there. Of a file, the graph
  /// stream and 3 MiB for each thread are in memory, besides the tables of the archive.
  ///
  /// - Parameter progress: reports the bytes that have been checked; cancelling it ends the check.
  /// - Throws: `GCodableError`: `damaged` or `malformed` with the offset of what is, `file` or `wrongSize` when the file
  ///   cannot be read; `CancellationError`.
  /// - Complexity: O(n) in the size of the archive before compression, by all processors for the blocks.
  public func verify(progress: Progress? = nil) throws {
    try verify(threadCount: ParallelLoop.processorCount, progress)
  }

  func verify(threadCount: Int, _ progress: Progress?) throws {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    report?.begin(byteCount: header.byteCount - UInt64(ArchiveHeader.byteCount))
    try verifyAll(threadCount: threadCount, report)
    try progress?.checkCancellation()
    report?.finish()
  }

  /// Checks all segments and the graph; header and contents have been checked before.
  func verifyAll(threadCount: Int, _ report: ProgressReport?) throws {
    try withReader(threadCount: threadCount, progress: report) { try $0.check() }
  }
}

extension ArchiveReader {
  /// Checks all segments and the graph; header and contents have been checked before.
  func check() throws {
    for placed in contents.segments { try verify(placed) }
    // The progress has been that of the segments.
    var check = try GraphCheck(ArchiveReader(source, header, contents, threadCount: threadCount))
    try check.run()
  }

  /// Checks that the blocks of a segment match their checksums, and expand.
  fileprivate func verify(_ placed: PlacedSegment) throws {
    let open = try open(placed)
    let ahead = readAhead(of: open.blockOffsets.indices, open)
    defer { ahead?.end() }
    try ParallelLoop(count: open.blockOffsets.count, threadCount: threadCount).run(source.scratchPool) {
      index, scratch in
      try progress?.checkCancellation()
      try verify(index, of: open, scratch)
      progress?.advance(by: Int(open.segment.blocks[index].storedByteCount))
    }
  }
}
