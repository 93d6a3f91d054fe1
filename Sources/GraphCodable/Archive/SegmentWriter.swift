import CGraphArchive

/// Writes the segments of an archive one behind the other, their blocks by several threads.
final class SegmentWriter {
  /// A run of bytes that becomes a segment.
  struct Source {
    var kind: Segment.Kind
    var number = 0
    var format = PackedFormat.none
    var byteCount: Int
    /// Shows the bytes, to several threads at once.
    var owner: any PackedOwner

    /// Bytes that outlive the writing.
    init(_ kind: Segment.Kind, _ bytes: UnsafeRawBufferPointer) {
      self.kind = kind
      byteCount = bytes.count
      owner = PackedBytes(bytes)
    }

    init(_ array: BulkArray, number: Int) {
      kind = .bulk
      self.number = number
      format = array.format
      byteCount = array.byteCount
      owner = array.owner
    }
  }

  private let sources: [Source]
  private let compression: GraphEncoder.Compression
  private let threadCount: Int
  private let sink: any ArchiveSink
  private let progress: ProgressReport?
  /// The blocks of all segments, in order.
  private var items: [Item] = []
  private let pool = BlockScratchPool()
  private let methods: UnsafeMutableBufferPointer<BlockMethod>
  // Set by the threads, each its own elements.
  private let blocks: UnsafeMutableBufferPointer<Segment.Block>
  private let entries: UnsafeMutableBufferPointer<SegmentEntry>

  private struct Item {
    let segment: Int
    let block: Int
  }

  init(
    _ sources: [Source], compression: GraphEncoder.Compression, threadCount: Int, sink: any ArchiveSink,
    progress: ProgressReport? = nil
  ) {
    self.sources = sources
    self.compression = compression
    self.threadCount = min(max(threadCount, 1), BlockScratchPool.maximumThreadCount)
    self.sink = sink
    self.progress = progress
    for (segment, source) in sources.enumerated() {
      let blockCount = Segment.blockCount(rawByteCount: UInt64(source.byteCount))
      for block in 0..<blockCount { items.append(Item(segment: segment, block: block)) }
    }
    methods = .allocate(capacity: sources.count)
    methods.initialize(repeating: BlockMethod(compression))
    blocks = .allocate(capacity: items.count)
    blocks.initialize(repeating: Segment.Block(storedByteCount: 0, codec: 0, hash: 0))
    entries = .allocate(capacity: sources.count)
    entries.initialize(repeating: SegmentEntry(offset: 0, byteCount: 0, rawByteCount: 0, hash: 0))
  }

  deinit {
    methods.deallocate()
    blocks.deallocate()
    entries.deallocate()
  }

  /// Writes all segments, the first one at `offset`.
  func write(from offset: UInt64) throws -> [SegmentEntry] {
    if compression != .none { try chooseMethods() }
    let places = BlockPlaces(from: offset)
    try ParallelLoop(count: items.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      do { try write(index, places, scratch) } catch {
        places.abandon()
        throw error
      }
    }
    try finish(end: places.end)
    return Array(entries)
  }

  private func chooseMethods() throws {
    try ParallelLoop(count: sources.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      try progress?.checkCancellation()
      let source = sources[index]
      guard source.kind == .bulk else { return }
      methods[index] = source.owner.withPackedBytes {
        BlockMethod(for: $0, format: source.format, compression: compression, scratch)
      }
    }
  }

  /// Compresses, hashes and writes one block.
  private func write(_ index: Int, _ places: BlockPlaces, _ scratch: BlockScratch) throws {
    let item = items[index]
    let source = sources[item.segment]
    let start = item.block * Segment.blockByteCount
    let end = min(start + Segment.blockByteCount, source.byteCount)
    try source.owner.withPackedBytes {
      try write(index, item, $0.bytes(start..<end, scratch), places, scratch)
    }
  }

  private func write(
    _ index: Int, _ item: Item, _ raw: UnsafeRawBufferPointer, _ places: BlockPlaces, _ scratch: BlockScratch
  ) throws {
    let source = sources[item.segment]
    let compressed = methods[item.segment].compress(raw, scratch)
    let stored = compressed?.bytes ?? raw
    let place = try places.next(
      index, headerByteCount: item.block == 0 ? headerByteCount(source) : nil, byteCount: stored.count)
    // Not before: an error of a block that others do not wait for would be taken for theirs.
    try progress?.checkCancellation()
    if item.block == 0 { entries[item.segment].offset = place.start }
    blocks[index] = Segment.Block(stored, compressed)
    if source.byteCount <= Segment.blockByteCount {
      // The whole segment goes out in one call.
      let header = finishHeader(item.segment, blocks[index...index], end: place.block + UInt64(stored.count))
      try header.withUnsafeBytes { try sink.write([$0, stored], at: place.start) }
    } else {
      try sink.write([stored], at: place.block)
    }
    progress?.advance(by: raw.count)
  }

  private func headerByteCount(_ source: Source) -> Int {
    Segment.headerByteCount(blockCount: Segment.blockCount(rawByteCount: UInt64(source.byteCount)))
  }

  /// Writes the headers of the segments of several blocks: they are known only when all blocks are.
  private func finish(end: UInt64) throws {
    var first = 0
    for (number, source) in sources.enumerated() {
      let next = first + Segment.blockCount(rawByteCount: UInt64(source.byteCount))
      if next - first > 1 {
        let segmentEnd = number + 1 < sources.count ? entries[number + 1].offset : end
        let header = finishHeader(number, blocks[first..<next], end: segmentEnd)
        try header.withUnsafeBytes { try sink.write([$0], at: entries[number].offset) }
      }
      first = next
    }
  }

  /// Completes the entry of a segment whose blocks are known and returns its header with the padding.
  private func finishHeader(
    _ number: Int, _ blocks: Slice<UnsafeMutableBufferPointer<Segment.Block>>, end: UInt64
  ) -> [UInt8] {
    let source = sources[number]
    let offset = entries[number].offset
    let segment = Segment(
      kind: source.kind, number: UInt32(source.number), format: source.format,
      rawByteCount: UInt64(source.byteCount), blocks: Array(blocks))
    let (bytes, hash) = segment.header()
    entries[number] = SegmentEntry(
      offset: offset, byteCount: end - offset, rawByteCount: segment.rawByteCount, hash: hash)
    var builder = ByteBuilder(bytes)
    builder.pad(toMultipleOf: Segment.alignment, from: offset)
    return builder.bytes
  }
}

extension Segment.Block {
  fileprivate init(_ stored: UnsafeRawBufferPointer, _ compressed: BlockMethod.Compressed?) {
    storedByteCount = UInt32(stored.count)
    hash = gca_hash64_bytes(stored.baseAddress, stored.count)
    codec = UInt8((compressed == nil ? GCA_CODEC_STORED : GCA_CODEC_LZ4).rawValue)
    elementByteCount = UInt8(compressed?.elementByteCount ?? 1)
  }
}
