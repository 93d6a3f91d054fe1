import CGraphArchive

/// Checks an archive and expands its segments.
struct ArchiveReader {
  let source: ArchiveSource
  let header: ArchiveHeader
  let contents: Contents

  /// Reads and checks header and contents.
  init(_ source: ArchiveSource) throws {
    self.source = source
    let headerByteCount = min(source.byteCount, UInt64(ArchiveHeader.byteCount))
    let header = try source.withBytes(Int(headerByteCount), from: 0) {
      try ArchiveHeader(parsing: $0, archiveByteCount: source.byteCount)
    }
    let count = Int(header.byteCount - header.contentsOffset)
    contents = try source.withBytes(count, from: header.contentsOffset) { bytes in
      let hash = gca_hash128_bytes(bytes.baseAddress, bytes.count)
      guard (hash.low, hash.high) == header.contentsHash else {
        throw GCodableError(
          .damaged, "the contents do not match their checksum", byteOffset: header.contentsOffset)
      }
      return try Contents(parsing: bytes, origin: header.contentsOffset)
    }
    self.header = header
  }

  /// A segment that has been found and whose lead is sound.
  struct OpenSegment {
    let segment: Segment
    /// Where the first block lies.
    let blocksOffset: UInt64
  }

  /// Finds a segment and checks its lead.
  ///
  /// The contents have been checked to have it inside the archive.
  ///
  /// - Throws: `damaged` or `malformed`, with the offset of the segment.
  func open(_ entry: SegmentEntry, _ kind: Segment.Kind, number: Int = 0) throws -> OpenSegment {
    let leadByteCount = Segment.leadByteCount(
      blockCount: Segment.blockCount(rawByteCount: entry.rawByteCount))
    let end = entry.offset + UInt64(leadByteCount)
    let padding = (UInt64(Segment.alignment) - end % UInt64(Segment.alignment)) % UInt64(Segment.alignment)
    let segment = try source.withBytes(leadByteCount + Int(padding), from: entry.offset) { bytes in
      guard bytes[leadByteCount...].allSatisfy({ $0 == 0 }) else {
        throw GCodableError(.damaged, "the padding behind a segment's lead is not zero", byteOffset: end)
      }
      return try Segment(
        parsing: UnsafeRawBufferPointer(rebasing: bytes[..<leadByteCount]), entry: entry, kind: kind,
        number: number)
    }
    let storedByteCount = segment.blocks.reduce(0) { $0 + UInt64($1.storedByteCount) }
    guard end + padding + storedByteCount == entry.offset + entry.byteCount else {
      throw GCodableError(
        .malformed, "the blocks of segment \(number) (\(kind)) do not fill it", byteOffset: entry.offset)
    }
    return OpenSegment(segment: segment, blocksOffset: end + padding)
  }

  /// Expands all blocks of a segment into `destination`, which has the segment's raw byte count.
  ///
  /// Each block's hash is checked before it is expanded; blocks stored as they are come straight to their
  /// place.
  ///
  /// - Throws: `damaged`, with the offset of the block.
  func expand(_ open: OpenSegment, into destination: UnsafeMutableRawBufferPointer) throws {
    var offset = open.blocksOffset
    for (index, block) in open.segment.blocks.enumerated() {
      let start = index * Segment.blockByteCount
      let raw = UnsafeMutableRawBufferPointer(
        rebasing: destination[start..<(start + open.segment.rawByteCount(ofBlock: index))])
      if block.codec == GCA_CODEC_STORED.rawValue, Int(block.storedByteCount) == raw.count {
        try source.read(raw, from: offset)
        try check(UnsafeRawBufferPointer(raw), block, index, open, offset)
      } else {
        try source.withBytes(Int(block.storedByteCount), from: offset) { stored in
          try check(stored, block, index, open, offset)
          let status = gca_block_expand(
            raw.baseAddress?.assumingMemoryBound(to: UInt8.self), raw.count,
            stored.baseAddress?.assumingMemoryBound(to: UInt8.self), stored.count,
            gca_codec(rawValue: UInt32(block.codec)))
          guard status == GCA_OK else {
            throw GCodableError(
              .malformed, "block \(index) of the \(open.segment.kind) segment cannot be expanded",
              byteOffset: offset)
          }
        }
      }
      offset += UInt64(block.storedByteCount)
    }
  }

  private func check(
    _ stored: UnsafeRawBufferPointer, _ block: Segment.Block, _ index: Int, _ open: OpenSegment,
    _ offset: UInt64
  ) throws {
    guard gca_hash64_bytes(stored.baseAddress, stored.count) == block.hash else {
      throw GCodableError(
        .damaged,
        "block \(index) of segment \(open.segment.number) (\(open.segment.kind)) does not match its checksum",
        byteOffset: offset)
    }
  }

  /// The bytes of a segment where they lie in memory, if none of its blocks is compressed; checked.
  private func inPlace(_ open: OpenSegment) throws -> UnsafeRawBufferPointer? {
    guard let memory = source.memory,
      open.segment.blocks.allSatisfy({ $0.codec == GCA_CODEC_STORED.rawValue }),
      open.segment.rawByteCount <= UInt64(memory.count) - open.blocksOffset
    else { return nil }
    var offset = Int(open.blocksOffset)
    for (index, block) in open.segment.blocks.enumerated() {
      let count = open.segment.rawByteCount(ofBlock: index)
      guard Int(block.storedByteCount) == count else { return nil }
      try check(
        UnsafeRawBufferPointer(rebasing: memory[offset..<(offset + count)]), block, index, open,
        UInt64(offset))
      offset += count
    }
    let start = Int(open.blocksOffset)
    return UnsafeRawBufferPointer(rebasing: memory[start..<(start + Int(open.segment.rawByteCount))])
  }

  /// The bytes of a place, in memory: as they lie in the archive where they can be used there, otherwise
  /// expanded.
  func bytes(of place: Contents.Place, _ kind: Segment.Kind) throws -> RawBytes {
    switch place {
    case .embedded(let bytes): return try RawBytes(copying: bytes)
    case .segment(let entry):
      let open = try open(entry, kind)
      if let inPlace = try inPlace(open) { return RawBytes(borrowing: inPlace) }
      let bytes = try RawBytes(byteCount: Int(entry.rawByteCount))
      try bytes.fill { try expand(open, into: $0) }
      return bytes
    }
  }
}
