import Foundation
import _GraphFiles
import _GraphSupport

extension GraphArchive {
  /// Checks every byte: that checksums match, that all blocks expand, and that the graph is well-formed.
  ///
  /// The Swift types are not needed. A graph that passes can be decoded by a program that has the types and asks for what is
  /// there. For a file, the graph stream, the tables and 3 MiB for each thread are in memory.
  ///
  /// - Parameter progress: reports the bytes that have been checked; cancelling it ends the check.
  /// - Throws: `GCodableError`: `damaged` or `malformed` with the offset, `file` or `wrongSize` when the file cannot be
  ///   read; `CancellationError`.
  /// - Complexity: O(n) in the size of the archive before compression; blocks are checked on all processors.
  public func verify(progress: Progress? = nil) throws {
    try verify(threadCount: ParallelLoop.processorCount, progress)
  }

  package func verify(threadCount: Int, _ progress: Progress?) throws {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    report?.begin(byteCount: header.byteCount - UInt64(ArchiveHeader.byteCount))
    try verifyAll(threadCount: threadCount, report)
    try progress?.checkCancellation()
    report?.finish()
  }

  /// Checks all segments and the graph; header and contents have been checked before.
  package func verifyAll(threadCount: Int, _ report: ProgressReport?) throws {
    try withReader(threadCount: threadCount, progress: report) { try $0.check() }
  }
}

extension ArchiveReader {
  /// Checks all segments and the graph; header and contents have been checked before.
  package func check() throws {
    for placed in contents.segments { try verify(placed) }
    // Without them there is no graph to look at.
    guard contents.graph.segment?.segment.unknown == nil, contents.objectIndex.segment?.segment.unknown == nil
    else { return }
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
