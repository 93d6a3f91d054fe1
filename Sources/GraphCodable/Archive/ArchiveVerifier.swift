import CGraphArchive
import Foundation

extension GraphDecoder {
  /// Checks every byte of an archive in a file against its checksums, without decoding it.
  ///
  /// Of the file, 1 MiB for each thread is in memory at a time, and the tables of the archive. That all checksums
  /// match says that the archive is as it was written, not that this program has the types to decode it.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - progress: is told of the bytes that have been checked; to cancel it ends the check.
  /// - Throws: `GCodableError`, as `read` does for a file that is damaged; `CancellationError`.
  /// - Complexity: O(n) in the size of the file, by `threadCount` threads.
  public func verify(_ url: URL, progress: Progress? = nil) throws {
    try verify(ArchiveSource(url), progress)
  }

  /// Checks every byte of an archive in memory against its checksums, without decoding it.
  ///
  /// - Parameters:
  ///   - bytes: a whole archive; contiguous collections as `[UInt8]` and `Data` are used in place.
  ///   - progress: is told of the bytes that have been checked; to cancel it ends the check.
  /// - Throws: `GCodableError`, as `decode` does for bytes that are damaged; `CancellationError`.
  /// - Complexity: O(n) in the size of the archive, by `threadCount` threads.
  public func verify(_ bytes: some Collection<UInt8>, progress: Progress? = nil) throws {
    let isDone: Void? = try bytes.withContiguousStorageIfAvailable {
      try verify(ArchiveSource(UnsafeRawBufferPointer($0)), progress)
    }
    if isDone == nil { try verify([UInt8](bytes), progress: progress) }
  }

  private func verify(_ source: ArchiveSource, _ progress: Progress?) throws {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    let reader = try ArchiveReader(source, threadCount: threadCount, progress: report)
    report?.begin(byteCount: reader.header.byteCount - UInt64(ArchiveHeader.byteCount))
    try reader.verifySegments()
    try progress?.checkCancellation()
    report?.finish()
  }
}

extension ArchiveReader {
  /// Checks all segments; header and contents have been checked before.
  func verifySegments() throws {
    try verify(contents.graph, .graph)
    for (number, entry) in contents.bulk.enumerated() { try verify(entry, .bulk, number) }
    try verify(contents.objectIndex, .objectIndex)
  }

  private func verify(_ place: Contents.Place, _ kind: Segment.Kind) throws {
    if case .segment(let entry) = place { try verify(entry, kind, 0) }
  }

  private func verify(_ entry: SegmentEntry, _ kind: Segment.Kind, _ number: Int) throws {
    let open = try open(entry, kind, number: number)
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
