import CGraphArchive
import _GraphSupport

/// Archives in pieces of which some blocks are changes of others.
///
/// What LZ4 makes of such a block depends on its release. So the copy has the same values and tables, and the same bytes where LZ4 makes
/// those that the writer's made; otherwise the sizes and checksums of these blocks are others.
extension ArchiveStorage {
  /// Whether blocks have to be made anew to copy the archive.
  var hasDerivedBlocks: Bool {
    if case .pieces(_, let table) = self { !table.features.isEmpty } else { false }
  }

  /// The most bytes that a copy can have.
  ///
  /// - Throws: as `OpenArchive.init`.
  package func copyCapacity(_ byteCount: UInt64) throws -> UInt64 {
    guard hasDerivedBlocks else { return byteCount }
    // No block becomes larger than before compression, and those behind it may need other padding.
    return try OpenArchive(self).contents.segments.reduce(byteCount) { sum, placed in
      sum.addingSaturated(placed.segment.rawByteCount).addingSaturated(2 * placed.segment.alignment)
    }
  }

  /// Writes the segments anew, and the contents with their headers.
  func rebuild(
    to sink: any ArchiveSink, _ progress: ProgressReport?, check: (ArchiveHeader) throws -> Void
  ) throws -> ArchiveHeader {
    let archive = try OpenArchive(self)
    try check(archive.header)
    try progress?.checkCancellation()
    let sources = try archive.contents.segments.map {
      SegmentWriter.Source(try SegmentCopy(archive, $0))
    }
    let placed = try SegmentWriter(
      sources, compression: .none, threadCount: ParallelLoop.processorCount, sink: sink
    ).write(from: UInt64(ArchiveHeader.byteCount))
    var contents = try contentsBytes(archive.header)
    // Behind the flags and the number of segments. As many blocks and filters take as many bytes.
    var place = 1 + contents[1].trailingZeroBitCount + 1
    for segment in placed.map(\.segment) {
      let header = segment.header
      contents.replaceSubrange(place..<(place + header.count), with: header)
      place += header.count
    }
    let end = placed.last?.end ?? UInt64(ArchiveHeader.byteCount)
    let header = try ArchiveWriter.write(contents, at: end, to: sink, archive.header.features)
    progress?.advance(by: Int(clamping: archive.header.byteCount))
    return header
  }

  private func contentsBytes(_ header: ArchiveHeader) throws -> [UInt8] {
    try withSource { source in
      try unsafe source.withBytes(Int(header.contentsByteCount), from: header.contentsOffset) {
        unsafe Array($0)
      }
    }
  }
}
