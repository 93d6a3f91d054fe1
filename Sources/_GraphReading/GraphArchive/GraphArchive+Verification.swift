import Foundation
import _GraphCoding
import _GraphFiles
import _GraphSupport

extension GraphArchive {
  /// Checks every byte: that checksums match, that all blocks expand, and that the graph is well-formed.
  ///
  /// The Swift types are not needed. A graph that passes can be decoded by a program that has the types and asks for what is
  /// there. For a file, the graph stream, the tables and, for each thread, three times the bytes of a block are in memory.
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
    try checkDirectory()
  }

  /// Checks that the directory says what the graph stream has.
  ///
  /// - Throws: `malformed`.
  private func checkDirectory() throws {
    guard let part = contents.extensions.directory else { return }
    let directory = try ArrayDirectory(parsing: part)
    let decoder = try ArchiveReader(source, header, contents, threadCount: threadCount)
      .walkingDecoder(isPartial: false)
    let own = try ArrayDirectory(of: decoder)
    for entry in directory.entries {
      let known = own.entry(leadingTo: GraphPath(entry.steps))
      // Most entries are those that this library makes.
      if let known, known.steps == entry.steps, known.offset == entry.offset, known.value == entry.value {
        continue
      }
      let isThere = try? decoder.withWalk { walk in
        try walk.move(along: GraphPath(entry.steps))
        return try walk.isAtArray(entry)
      }
      guard isThere == true else {
        throw GCodableError(
          .malformed,
          "the directory has \"\(GraphPath(entry.steps))\" for another value than the graph stream",
          byteOffset: part.origin)
      }
    }
  }

  /// Checks that the blocks of a segment match their checksums, and expand.
  fileprivate func verify(_ placed: PlacedSegment) throws {
    let open = try open(placed)
    let ahead = readAhead(of: open.blockOffsets.indices, open)
    defer { ahead?.end() }
    let loop = ParallelLoop(
      count: open.blockOffsets.count, threadCount: open.threadCount(atMost: threadCount))
    try loop.run(source.scratchPool) { index, scratch in
      try progress?.checkCancellation()
      try verify(index, of: open, scratch)
      progress?.advance(by: Int(open.segment.blocks[index].storedByteCount))
    }
  }
}
