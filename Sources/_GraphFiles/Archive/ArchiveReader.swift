import CGraphArchive
import _GraphSupport

/// Checks an archive and expands its segments.
package struct ArchiveReader {
  package let source: ArchiveSource
  package let header: ArchiveHeader
  package let contents: Contents
  /// The most threads that expand blocks.
  package let threadCount: Int
  /// Reports the blocks that are done, and may end the work.
  package var progress: ProgressReport?
  /// Whether the headers of segments, which repeat what the contents say, may be damaged.
  package var trustsContents = false
  /// Counts the blocks; nil if the progress is not reported.
  var counts: BlockCounts?

  /// Reads an archive whose header and contents are known.
  package init(
    _ source: ArchiveSource, _ header: ArchiveHeader, _ contents: Contents, threadCount: Int,
    progress: ProgressReport? = nil, counts: BlockCounts? = nil
  ) {
    self.counts = counts
    self.source = source
    self.header = header
    self.contents = contents
    self.threadCount = min(max(threadCount, 1), BlockScratchPool.maximumThreadCount)
    self.progress = progress
  }

  /// Reads and checks header and contents.
  package init(_ source: ArchiveSource, threadCount: Int = 1) throws {
    let headerByteCount = min(source.byteCount, UInt64(ArchiveHeader.byteCount))
    let header = try unsafe source.withBytes(Int(headerByteCount), from: 0) {
      try unsafe ArchiveHeader(parsing: $0, archiveByteCount: source.byteCount)
    }
    try source.extents?.checkHasNoDerivedBlock(in: header.contentsOffset..<header.byteCount)
    let contents = try unsafe source.withBytes(Int(header.contentsByteCount), from: header.contentsOffset) {
      bytes in
      guard unsafe gca_hash64_bytes(bytes.baseAddress, bytes.count) == header.contentsHash else {
        throw GCodableError(
          .damaged, "the contents do not match their checksum", byteOffset: header.contentsOffset)
      }
      return try unsafe Contents(parsing: bytes, origin: header.contentsOffset)
    }
    try source.extents?.check(contents)
    self.init(source, header, contents, threadCount: threadCount)
  }

  /// A segment whose header has been checked.
  package struct OpenSegment {
    package let segment: Segment
    /// Where its header lies.
    package let offset: UInt64
    /// Where each block lies.
    package let blockOffsets: [UInt64]

    package init(_ placed: PlacedSegment) {
      segment = placed.segment
      offset = placed.offset
      var next = placed.offset + UInt64(segment.paddedHeaderByteCount)
      blockOffsets = segment.blocks.map { block in
        defer { next += UInt64(block.storedByteCount) }
        return next
      }
    }

    /// As many threads as may expand its blocks at once.
    package func threadCount(atMost most: Int) -> Int {
      min(most, BlockScratchPool.blocksByteCount / segment.blockByteCount)
    }

    /// Where the first block lies: a segment has one.
    package var blocksOffset: UInt64 { blockOffsets[0] }
  }

  /// Checks that the header of a segment, with the zeros around it, matches the contents.
  ///
  /// - Throws: `damaged`, with the offset of the segment.
  package func open(_ placed: PlacedSegment) throws -> OpenSegment {
    guard !trustsContents else { return OpenSegment(placed) }
    let segment = placed.segment
    let header = segment.header
    let byteCount = placed.paddingByteCount + segment.paddedHeaderByteCount
    try unsafe source.withBytes(byteCount, from: placed.offset - UInt64(placed.paddingByteCount)) { bytes in
      let found = unsafe bytes.dropFirst(placed.paddingByteCount)
      guard unsafe found.starts(with: header) else {
        throw GCodableError(
          .damaged, "the header of a segment (\(segment.kind)) is not the one that the contents have",
          byteOffset: placed.offset)
      }
      guard unsafe bytes.prefix(placed.paddingByteCount).allSatisfy({ $0 == 0 }),
        unsafe found.dropFirst(header.count).allSatisfy({ $0 == 0 })
      else {
        throw GCodableError(
          .damaged, "the padding around a segment's header is not zero", byteOffset: placed.offset)
      }
    }
    return OpenSegment(placed)
  }

  /// Expands all blocks of a segment into `room`, which has its place for the segment's raw byte count.
  ///
  /// Each block's hash is checked before it is expanded; uncompressed blocks are read straight into place. Several
  /// threads do this, each one block at a time.
  ///
  /// - Throws: `damaged`, with the offset of the first such block.
  package func expand(_ open: OpenSegment, into room: PackedRoom) throws {
    unsafe gca_memory_expect_fill(room.memory.baseAddress, room.memory.count)
    let offsets = open.blockOffsets
    let ahead = readAhead(of: offsets.indices, open)
    defer { ahead?.end() }
    let loop = ParallelLoop(
      count: offsets.count, threadCount: open.threadCount(atMost: threadCount),
      order: ahead == nil ? .neighbours : .ascending)
    try loop.run(source.scratchPool) { index, scratch in
      try progress?.checkCancellation()
      // Blocks have places of their own, and all of them are as long as the room.
      let start = index * open.segment.blockByteCount
      let count = open.segment.rawByteCount(ofBlock: index)
      room.makePages(for: start..<(start + count))
      if room.hasPadding {
        let packed = unsafe scratch.packed(count)
        try unsafe expand(index, of: open, at: offsets[index], into: packed, scratch)
        unsafe room.fill(from: start, UnsafeRawBufferPointer(packed))
      } else {
        let raw = unsafe UnsafeMutableRawBufferPointer(rebasing: room.memory[start..<(start + count)])
        try unsafe expand(
          index, of: open, at: offsets[index], into: raw, pastCaches: !room.isReadSoon, scratch)
      }
      progress?.advance(by: count)
    }
  }

  /// Expands some blocks of a segment, each to its place in `memory`, which has room for all of them.
  ///
  /// - Throws: `damaged`, with the offset of the first such block.
  package func expand(_ blocks: [Int], of open: OpenSegment, into memory: UnsafeMutableRawBufferPointer)
    throws
  {
    progress?.expect(blocks.reduce(0) { $0 + open.segment.rawByteCount(ofBlock: $1) })
    let ahead = readAhead(of: blocks, open)
    defer { ahead?.end() }
    let loop = ParallelLoop(
      count: blocks.count, threadCount: open.threadCount(atMost: threadCount),
      order: ahead == nil ? .neighbours : .ascending)
    try loop.run(source.scratchPool) { index, scratch in
      try progress?.checkCancellation()
      let block = blocks[index]
      let start = block * open.segment.blockByteCount
      let count = open.segment.rawByteCount(ofBlock: block)
      let raw = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + count)])
      try unsafe expand(block, of: open, at: open.blockOffsets[block], into: raw, scratch)
      progress?.advance(by: count)
    }
  }

  /// Some bytes of a segment; expands the blocks that contain them.
  ///
  /// - Parameter range: bytes that the segment has.
  /// - Throws: `damaged`, with the offset of the first such block; `noMemory`.
  package func bytes(_ range: Range<Int>, of open: OpenSegment) throws -> RawBytes {
    let result = try RawBytes(byteCount: range.count)
    let blocks = open.segment.blocks(of: range)
    progress?.expect(blocks.reduce(0) { $0 + open.segment.rawByteCount(ofBlock: $1) })
    let ahead = readAhead(of: blocks, open)
    defer { ahead?.end() }
    let scratch = source.scratchPool.take()
    defer { source.scratchPool.putBack(scratch) }
    try unsafe result.fill { memory in
      for block in blocks {
        try progress?.checkCancellation()
        let raw = unsafe scratch.packed(open.segment.rawByteCount(ofBlock: block))
        try unsafe expand(block, of: open, at: open.blockOffsets[block], into: raw, scratch)
        progress?.advance(by: raw.count)
        let start = block * open.segment.blockByteCount
        let wanted = range.clamped(to: start..<(start + raw.count))
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(wanted.lowerBound - range.lowerBound)...])
          .copyMemory(
            from: UnsafeRawBufferPointer(
              rebasing: raw[(wanted.lowerBound - start)..<(wanted.upperBound - start)]))
      }
    }
    return result
  }

  /// Expands a block into memory that has as many bytes.
  ///
  /// - Parameter pastCaches: whether the result should bypass the caches.
  @inline(never)
  func expand(
    _ index: Int, of open: OpenSegment, at offset: UInt64, into raw: UnsafeMutableRawBufferPointer,
    pastCaches: Bool = false, _ scratch: BlockScratch
  ) throws {
    counts?.noteExpansion()
    let segment = open.segment
    let byteCount = Int(segment.blocks[index].storedByteCount)
    if !segment.isStored(index) { try segment.checkIsKnown(at: offset) }
    if let derived = source.derivedBlock(byteCount, from: offset, rawByteCount: raw.count) {
      try unsafe source.expand(derived, at: offset, segment.filters(ofBlock: index), into: raw, scratch)
    } else if segment.isStored(index) {
      try unsafe source.read(raw, from: offset)
      try unsafe check(UnsafeRawBufferPointer(raw), index, open, offset)
    } else {
      let stored = try unsafe storedBytes(index, of: open, scratch)
      guard segment.changesBlocks else {
        return try unsafe expand(stored, index, segment, offset, into: raw, scratch)
      }
      // Anything that large is read from start to end.
      let next = unsafe pastCaches ? next(behind: stored, index, open) : nil
      guard try unsafe segment.restore(stored, into: raw, pastCaches: pastCaches, next: next, scratch) else {
        throw cannotExpand(index, segment, offset)
      }
    }
  }

  /// The stored bytes of the next block, which the thread expands after this one, if they are in memory.
  private func next(
    behind stored: UnsafeRawBufferPointer, _ index: Int, _ open: OpenSegment
  ) -> UnsafeRawBufferPointer? {
    let block = open.segment.blocks.dropFirst(index + 1).first
    guard unsafe source.memory != nil, let block,
      open.blockOffsets[index + 1] + UInt64(block.storedByteCount) <= source.byteCount
    else { return nil }
    // Blocks are contiguous, and the source contains this one.
    return unsafe UnsafeRawBufferPointer(
      start: stored.baseAddress! + stored.count, count: Int(block.storedByteCount))
  }

  /// Checks the blocks that contain a range of a segment whose blocks are all uncompressed.
  ///
  /// - Parameter stored: all bytes of the segment.
  /// - Throws: `damaged`, with the offset of the first such block.
  package func check(_ open: OpenSegment, _ range: Range<Int>, in stored: UnsafeRawBufferPointer) throws {
    let blocks = open.segment.blocks(of: range)
    try ParallelLoop(count: blocks.count, threadCount: threadCount).run(source.scratchPool) { index, _ in
      let block = blocks[blocks.startIndex + index]
      let start = block * open.segment.blockByteCount
      // The segment has the block, and the bytes are all of the segment's.
      try unsafe check(
        UnsafeRawBufferPointer(rebasing: stored[start..<(start + open.segment.rawByteCount(ofBlock: block))]),
        block, open, open.blockOffsets[block])
    }
  }

  /// Checks the stored bytes of a block against its hash.
  @inline(never)
  func check(
    _ stored: UnsafeRawBufferPointer, _ index: Int, _ open: OpenSegment, _ offset: UInt64
  ) throws {
    guard unsafe gca_hash64_bytes(stored.baseAddress, stored.count) == open.segment.blocks[index].hash else {
      throw GCodableError(
        .damaged,
        "block \(index) of the \(open.segment.kind) segment does not match its checksum",
        byteOffset: offset)
    }
  }

  /// The bytes of a segment where they lie in memory, if none of its blocks is compressed; checked.
  package func inPlace(_ open: OpenSegment) throws -> UnsafeRawBufferPointer? {
    guard let memory = unsafe source.memory, open.segment.blocks.indices.allSatisfy(open.segment.isStored)
    else {
      return nil
    }
    // The contents were checked: the segment is in the archive, which is all of the memory.
    let offsets = open.blockOffsets
    try ParallelLoop(count: offsets.count, threadCount: threadCount).run(source.scratchPool) { index, _ in
      let block = open.segment.blocks[index]
      let offset = Int(offsets[index])
      let stored = unsafe UnsafeRawBufferPointer(
        rebasing: memory[offset..<(offset + Int(block.storedByteCount))])
      try unsafe check(stored, index, open, offsets[index])
    }
    let start = Int(open.blocksOffset)
    return unsafe UnsafeRawBufferPointer(rebasing: memory[start..<(start + Int(open.segment.rawByteCount))])
  }

  /// The bytes of a place, in memory: as they lie in the archive where they can be used there, otherwise
  /// expanded.
  package func bytes(of place: Contents.BytesOrSegment) throws -> RawBytes {
    switch place {
    case .embedded(let bytes): return try RawBytes(copying: bytes)
    case .segment(let placed):
      let open = try open(placed)
      if let inPlace = try unsafe inPlace(open) { return unsafe RawBytes(borrowing: inPlace) }
      let bytes = try RawBytes(byteCount: Int(placed.segment.rawByteCount))
      try unsafe bytes.fill { try unsafe expand(open, into: PackedRoom($0)) }
      return bytes
    }
  }
}
