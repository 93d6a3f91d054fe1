import CGraphArchive

/// Writes an encoded graph as an archive: header, segments, contents; and at last the header again.
struct ArchiveWriter {
  let compression: Compression
  let userVersion: UInt16

  /// An encoded graph, before it is cut into blocks.
  struct Graph {
    var stream: UnsafeRawBufferPointer
    var index: [UInt8]
    var bulk: [BulkArray]
    /// All tables but the places of the segments.
    var contents: Contents
  }

  /// The most bytes that the archive of a graph can have.
  func capacity(for graph: Graph) -> Int {
    func capacity(_ byteCount: Int) -> Int {
      Segment.leadByteCount(blockCount: Segment.blockCount(rawByteCount: UInt64(byteCount)))
        + Segment.alignment + byteCount
    }
    var contents = graph.contents
    let unknown = SegmentEntry(offset: .max, byteCount: .max, rawByteCount: .max, hash: 0)
    contents.bulk = Array(repeating: unknown, count: graph.bulk.count)
    // Both places are counted as segments and as embedded bytes: they are one of the two.
    return ArchiveHeader.byteCount + contents.bytes.count + 2 * Contents.Place.maximumEmbeddedByteCount + 128
      + capacity(graph.stream.count) + capacity(graph.index.count)
      + graph.bulk.reduce(0) { $0 + capacity($1.byteCount) }
  }

  /// Writes the archive.
  ///
  /// The sink holds nothing before.
  func write(_ graph: Graph, to sink: inout some ArchiveSink) throws {
    try sink.append([UInt8](repeating: 0, count: ArchiveHeader.byteCount))
    var contents = graph.contents
    contents.graph = try place(graph.stream, .graph, to: &sink)
    for (number, array) in graph.bulk.enumerated() {
      let bytes = UnsafeRawBufferPointer(start: array.bytes, count: array.byteCount)
      contents.bulk.append(
        try writeSegment(bytes, kind: .bulk, number: number, format: array.format, to: &sink))
    }
    contents.objectIndex = try graph.index.withUnsafeBytes { try place($0, .objectIndex, to: &sink) }

    let contentsOffset = sink.position
    let bytes = contents.bytes
    try sink.append(bytes)
    let hash = bytes.withUnsafeBytes { gca_hash128_bytes($0.baseAddress, $0.count) }
    let header = ArchiveHeader(
      userVersion: userVersion, byteCount: sink.position, contentsOffset: contentsOffset,
      contentsHash: (hash.low, hash.high))
    try header.bytes.withUnsafeBytes { try sink.overwrite(at: 0, $0) }
  }

  private func place(
    _ bytes: UnsafeRawBufferPointer, _ kind: Segment.Kind, to sink: inout some ArchiveSink
  ) throws -> Contents.Place {
    if bytes.count <= Contents.Place.maximumEmbeddedByteCount { return .embedded(Array(bytes)) }
    return .segment(try writeSegment(bytes, kind: kind, number: 0, format: .none, to: &sink))
  }

  private func writeSegment(
    _ raw: UnsafeRawBufferPointer, kind: Segment.Kind, number: Int, format: PackedFormat,
    to sink: inout some ArchiveSink
  ) throws -> SegmentEntry {
    let offset = sink.position
    let blockCount = Segment.blockCount(rawByteCount: UInt64(raw.count))
    // The lead is known only when all blocks are compressed; its place is kept until then.
    var lead = ByteBuilder()
    for _ in 0..<Segment.leadByteCount(blockCount: blockCount) { lead.byte(0) }
    lead.pad(toMultipleOf: Segment.alignment, from: offset)
    try sink.append(lead.bytes)

    var segment = Segment(
      kind: kind, number: UInt32(number), format: format, rawByteCount: UInt64(raw.count), blocks: [])
    segment.blocks.reserveCapacity(blockCount)
    for index in 0..<blockCount {
      let start = index * Segment.blockByteCount
      let block = UnsafeRawBufferPointer(
        rebasing: raw[start..<(start + segment.rawByteCount(ofBlock: index))])
      segment.blocks.append(try writeBlock(block, to: &sink))
    }
    let (bytes, hash) = segment.lead()
    try bytes.withUnsafeBytes { try sink.overwrite(at: offset, $0) }
    return SegmentEntry(
      offset: offset, byteCount: sink.position - offset, rawByteCount: segment.rawByteCount, hash: hash)
  }

  private func writeBlock(
    _ raw: UnsafeRawBufferPointer, to sink: inout some ArchiveSink
  ) throws -> Segment.Block {
    if let level = compression.blockLevel {
      var stored: (byteCount: Int, hash: UInt64) = (0, 0)
      try sink.append(capacity: raw.count) { room in
        let status = gca_block_compress(
          room.baseAddress?.assumingMemoryBound(to: UInt8.self), room.count,
          raw.baseAddress?.assumingMemoryBound(to: UInt8.self), raw.count, level, &stored.byteCount)
        guard status == GCA_OK else {
          throw GCodableError(.internalInconsistency, "a block of \(raw.count) bytes was not compressed")
        }
        stored.hash = gca_hash64_bytes(room.baseAddress, stored.byteCount)
        return stored.byteCount
      }
      if stored.byteCount > 0 {
        return Segment.Block(
          storedByteCount: UInt32(stored.byteCount), codec: UInt8(GCA_CODEC_LZ4.rawValue), hash: stored.hash)
      }
    }
    try sink.append(raw)
    return Segment.Block(
      storedByteCount: UInt32(raw.count), codec: UInt8(GCA_CODEC_STORED.rawValue),
      hash: gca_hash64_bytes(raw.baseAddress, raw.count))
  }
}
