import CGraphArchive
import _GraphSupport

/// Writes an encoded graph as an archive: segments, contents, and at last the header.
///
/// Blocks are compressed, hashed and written by several threads. Each gets its place in turn, so the bytes do not
/// depend on the number of threads.
package struct ArchiveWriter {
  package let compression: ArchiveCompression
  let userVersion: UInt16
  package var metadata = Metadata()
  /// The most threads that work.
  var threadCount = 1
  /// What arrays that are stored as they are, and their segments, begin at a multiple of.
  package var alignment = Segment.storedAlignment
  /// Reports the blocks that are written, and may end the work.
  package var progress: ProgressReport?
  /// What is written beside files.
  package var redundancy = ArchiveRedundancy.none
  /// Whether files are read back before they get their names.
  package var verifiesAfterWrite = false

  package init(
    compression: ArchiveCompression, userVersion: UInt16, metadata: Metadata = Metadata(),
    threadCount: Int = 1, progress: ProgressReport? = nil
  ) {
    (self.compression, self.userVersion, self.metadata) = (compression, userVersion, metadata)
    (self.threadCount, self.progress) = (threadCount, progress)
  }

  /// The most bytes that the archive of a graph can have.
  package func capacity(for graph: EncodedGraph) -> Int {
    func capacity(_ byteCount: Int, elementByteCount: Int = 1, rowElementCount: Int = 0) -> Int {
      // The codec for numbers would have as many blocks or fewer.
      let blockByteCount = Segment.blockByteCount(
        elementByteCount: elementByteCount, rowElementCount: rowElementCount)
      let blockCount = Segment.blockCount(rawByteCount: UInt64(byteCount), blockByteCount: blockByteCount)
      // The header stands in front of the blocks and in the contents.
      let headerByteCount = Segment.headerByteCount(
        blockCount: blockCount, filterCount: Segment.Filter.maximumCount)
      return 2 * headerByteCount + 2 * Int(alignment) + byteCount
    }
    // Stream and index are counted as segments and as embedded bytes: they are one of the two.
    return unsafe ArchiveHeader.byteCount + graph.bytes(of: contents(graph)).count
      + 2 * Contents.BytesOrSegment.maximumEmbeddedByteCount + 128
      + capacity(graph.stream.count) + capacity(graph.index.count)
      + graph.bulk.reduce(0) { sum, array in
        guard let copy = array.copy?.segment else {
          return sum
            + capacity(
              array.byteCount, elementByteCount: array.elementByteCount,
              rowElementCount: array.rowElementCount)
        }
        return sum + 2 * copy.paddedHeaderByteCount + Int(copy.alignment) + Int(copy.byteCount)
      }
  }

  /// What the contents say but for the places of segments.
  private func contents(_ graph: EncodedGraph) -> Contents {
    var contents = graph.contents
    contents.userVersion = userVersion
    contents.metadata = metadata
    return contents
  }

  /// Writes the archive and returns its byte count.
  package func write(_ graph: EncodedGraph, to sink: any ArchiveSink) throws -> UInt64 {
    try writeArchive(graph, to: sink).byteCount
  }

  /// Writes the archive and returns its header.
  @_semantics("optimize.sil.specialize.generic.never")
  package func writeArchive(_ graph: EncodedGraph, to sink: any ArchiveSink) throws -> ArchiveHeader {
    if !metadata.isEmpty { _ = try metadata.checked() }
    progress?.begin(byteCount: graph.byteCount)
    let stream = unsafe graph.stream
    defer { withExtendedLifetime(graph) {} }  // The stream is its.
    return try unsafe graph.index.withUnsafeBytes { index in
      var segments: [SegmentWriter.Source] = []
      if unsafe !isEmbedded(stream) { unsafe segments.append(.init(.graph, stream)) }
      for array in graph.bulk { segments.append(.init(array)) }
      if unsafe !isEmbedded(index) { unsafe segments.append(.init(.objectIndex, index)) }

      // A small message has none, and is not to pay for what threads share.
      var placed =
        segments.isEmpty
        ? []
        : try SegmentWriter(
          segments, compression: compression, alignment: alignment, threadCount: threadCount, sink: sink,
          progress: progress
        ).write(from: UInt64(ArchiveHeader.byteCount))
      let contentsOffset = placed.last?.end ?? UInt64(ArchiveHeader.byteCount)
      var contents = contents(graph)
      contents.graph =
        unsafe isEmbedded(stream) ? .embedded(Array(stream)) : .segment(placed.removeFirst())
      contents.objectIndex = unsafe isEmbedded(index) ? .embedded(graph.index) : .segment(placed.removeLast())
      contents.bulk = placed
      return try Self.write(graph.bytes(of: contents), at: contentsOffset, to: sink)
    }
  }

  /// Whether the archive of a graph has blocks.
  package func hasBlocks(_ graph: EncodedGraph) -> Bool {
    unsafe !isEmbedded(graph.stream) || !graph.bulk.isEmpty
      || graph.index.count > Contents.BytesOrSegment.maximumEmbeddedByteCount
  }

  private func isEmbedded(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count <= Contents.BytesOrSegment.maximumEmbeddedByteCount
  }

  /// Writes contents, and the header in front of all.
  @_semantics("optimize.sil.specialize.generic.never")
  package static func write(
    _ contents: [UInt8], at offset: UInt64, to sink: any ArchiveSink, _ features: FormatFeatures = []
  ) throws -> ArchiveHeader {
    try unsafe contents.withUnsafeBytes { contents in
      guard let contentsByteCount = UInt32(exactly: contents.count) else {
        throw GCodableError(
          .limitExceeded, "the archive's tables take \(contents.count) bytes, more than 2^32 - 1")
      }
      try unsafe sink.write([contents], at: offset)
      let header = unsafe ArchiveHeader(
        contentsByteCount: contentsByteCount, byteCount: offset + UInt64(contents.count),
        contentsHash: gca_hash64_bytes(contents.baseAddress, contents.count), features: features)
      try unsafe header.bytes.withUnsafeBytes { try unsafe sink.write([$0], at: 0) }
      return header
    }
  }
}
