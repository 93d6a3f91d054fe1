import CGraphArchive

/// Writes an encoded graph as an archive: segments, contents, and at last the header.
///
/// Blocks are compressed, hashed and written by several threads. Each gets its place in turn, so the bytes do not
/// depend on the number of threads.
struct ArchiveWriter {
  let compression: GraphEncoder.Compression
  let userVersion: UInt16
  /// The most threads that work.
  var threadCount = 1
  /// Reports the blocks that are written, and may end the work.
  var progress: ProgressReport?

  /// The most bytes that the archive of a graph can have.
  func capacity(for graph: EncodedGraph) -> Int {
    func capacity(_ byteCount: Int) -> Int {
      Segment.headerByteCount(blockCount: Segment.blockCount(rawByteCount: UInt64(byteCount)))
        + Segment.alignment + byteCount
    }
    var contents = graph.contents
    let unknown = SegmentEntry(offset: .max, byteCount: .max, rawByteCount: .max, hash: 0)
    contents.bulk = Array(repeating: unknown, count: graph.bulk.count)
    // Both places are counted as segments and as embedded bytes: they are one of the two.
    return ArchiveHeader.byteCount + graph.bytes(of: contents).count + 2
      * Contents.Place.maximumEmbeddedByteCount + 128
      + capacity(graph.stream.count) + capacity(graph.index.count)
      + graph.bulk.reduce(0) { $0 + capacity($1.byteCount) }
  }

  /// Writes the archive and returns its byte count.
  func write(_ graph: EncodedGraph, to sink: some ArchiveSink) throws -> UInt64 {
    try writeArchive(graph, to: sink).byteCount
  }

  /// Writes the archive and returns its header.
  @_semantics("optimize.sil.specialize.generic.never")
  func writeArchive(_ graph: EncodedGraph, to sink: some ArchiveSink) throws -> ArchiveHeader {
    progress?.begin(byteCount: graph.byteCount)
    let stream = graph.stream
    defer { withExtendedLifetime(graph) {} }  // The stream is its.
    return try graph.index.withUnsafeBytes { index in
      var segments: [SegmentWriter.Source] = []
      if !isEmbedded(stream) { segments.append(.init(.graph, stream)) }
      for (number, array) in graph.bulk.enumerated() { segments.append(.init(array, number: number)) }
      if !isEmbedded(index) { segments.append(.init(.objectIndex, index)) }

      // A small message has none, and is not to pay for what threads share.
      var entries =
        segments.isEmpty
        ? []
        : try SegmentWriter(
          segments, compression: compression, threadCount: threadCount, sink: sink, progress: progress
        ).write(from: UInt64(ArchiveHeader.byteCount))
      let contentsOffset = entries.last.map { $0.offset + $0.byteCount } ?? UInt64(ArchiveHeader.byteCount)
      var contents = graph.contents
      contents.graph =
        isEmbedded(stream) ? .embedded(Array(stream)) : .segment(entries.removeFirst())
      contents.objectIndex = isEmbedded(index) ? .embedded(graph.index) : .segment(entries.removeLast())
      contents.bulk = entries
      return try write(graph.bytes(of: contents), at: contentsOffset, to: sink)
    }
  }

  private func isEmbedded(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count <= Contents.Place.maximumEmbeddedByteCount
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func write(
    _ contents: [UInt8], at offset: UInt64, to sink: some ArchiveSink
  ) throws -> ArchiveHeader {
    try contents.withUnsafeBytes { contents in
      guard let contentsByteCount = UInt32(exactly: contents.count) else {
        throw GCodableError(
          .limitExceeded, "the archive's tables take \(contents.count) bytes, more than 2^32 - 1")
      }
      try sink.write([contents], at: offset)
      let header = ArchiveHeader(
        userVersion: userVersion, contentsByteCount: contentsByteCount,
        byteCount: offset + UInt64(contents.count),
        contentsHash: gca_hash64_bytes(contents.baseAddress, contents.count))
      try header.bytes.withUnsafeBytes { try sink.write([$0], at: 0) }
      return header
    }
  }
}
