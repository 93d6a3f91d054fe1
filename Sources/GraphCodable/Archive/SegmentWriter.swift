import CGraphArchive

/// Writes the segments of an archive one behind the other, their blocks by several threads.
final class SegmentWriter {
  /// A run of bytes that becomes a segment.
  struct Source {
    var kind: Segment.Kind
    var format = PackedFormat.none
    var byteCount: Int
    var elementByteCount = 1
    /// Elements of a row, where they stand in rows; see `BulkArray`.
    var rowElementCount = 0
    /// What the elements are stored to; nil for exactly.
    var precision: GPrecision?
    /// How they are rounded to it in place; nil where they are not.
    var rounding: Rounding?
    /// Shows the bytes, to several threads at once.
    var owner: any PackedOwner
    /// Where the blocks come from as they are; nil where the owner has the bytes.
    var copy: SegmentCopy?

    /// Bytes that outlive the writing.
    init(_ kind: Segment.Kind, _ bytes: UnsafeRawBufferPointer) {
      self.kind = kind
      byteCount = bytes.count
      owner = unsafe PackedBytes(bytes)
    }

    init(_ kind: Segment.Kind, _ bytes: [UInt8]) {
      self.kind = kind
      byteCount = bytes.count
      owner = PackedCollection(elements: bytes, elementByteCount: 1)
    }

    /// Blocks of another archive.
    init(_ copy: SegmentCopy) {
      kind = copy.segment.kind
      byteCount = Int(copy.segment.rawByteCount)
      owner = unsafe PackedBytes(UnsafeRawBufferPointer(start: nil, count: 0))
      self.copy = copy
    }

    init(_ array: BulkArray) {
      kind = .bulk
      format = array.format
      byteCount = array.byteCount
      elementByteCount = array.elementByteCount
      rowElementCount = array.rowElementCount
      precision = array.precision
      rounding = array.rounding
      owner = array.owner
      copy = array.copy
    }

    var blockByteCount: Int {
      copy?.segment.blockByteCount ?? Segment.blockByteCount(elementByteCount: elementByteCount)
    }

    var blockCount: Int {
      copy?.segment.blocks.count
        ?? Segment.blockCount(rawByteCount: UInt64(byteCount), blockByteCount: blockByteCount)
    }
  }

  private let sources: [Source]
  private let compression: GraphEncoder.Compression
  private let threadCount: Int
  private let sink: any ArchiveSink
  /// The sink, if it has blocks already.
  private let sharing: SharingSink?
  private let progress: ProgressReport?
  /// The blocks of all segments, in order.
  private var items: [Item] = []
  private let pool = BlockScratchPool()
  private let methods: StoredRow<BlockMethod>
  // Set by the threads, each its own elements.
  private let blocks: StoredRow<Segment.Block>
  /// Where each segment begins, behind the padding.
  private let offsets: StoredRow<UInt64>

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
    sharing = sink as? SharingSink
    self.progress = progress
    for (segment, source) in sources.enumerated() {
      for block in 0..<source.blockCount { items.append(Item(segment: segment, block: block)) }
    }
    methods = StoredRow(repeating: BlockMethod(compression), count: sources.count)
    blocks = StoredRow(repeating: Segment.Block(storedByteCount: 0, hash: 0), count: items.count)
    offsets = StoredRow(repeating: 0, count: sources.count)
  }

  deinit {
    methods.release()
    blocks.release()
    offsets.release()
  }

  /// Writes all segments, the first one at `offset`.
  func write(from offset: UInt64) throws -> [PlacedSegment] {
    if compression != .none || sources.contains(where: { $0.precision != nil }) { try chooseMethods() }
    let places = BlockPlaces(from: offset)
    try ParallelLoop(count: items.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      do { try write(index, places, scratch) } catch {
        places.abandon()
        throw error
      }
    }
    return try finish(from: offset)
  }

  private func chooseMethods() throws {
    try ParallelLoop(count: sources.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      try progress?.checkCancellation()
      let source = sources[index]
      guard source.kind == .bulk, source.copy == nil else { return }
      methods[index] = source.owner.withPackedBytes {
        BlockMethod(for: $0, of: source, compression, scratch)
      }
    }
  }

  /// Compresses, hashes and writes one block.
  private func write(_ index: Int, _ places: BlockPlaces, _ scratch: BlockScratch) throws {
    let item = items[index]
    let source = sources[item.segment]
    if let copy = source.copy {
      return try unsafe copy.withBlock(item.block, scratch) { stored in
        let block = unsafe ReadyBlock(stored, rawByteCount: copy.segment.rawByteCount(ofBlock: item.block))
        guard let sharing else { return try write(index, item, block, places) }
        let candidate = try places.inTurn(index) { sharing.candidate(copy, item.block, block) }
        try write(index, item, sharing.compared(block, candidate, scratch), places)
      }
    }
    let start = item.block * source.blockByteCount
    let end = min(start + source.blockByteCount, source.byteCount)
    try source.owner.withPackedBytes {
      let method = methods[item.segment]
      let raw = unsafe method.raw(start..<end, of: $0, scratch)
      guard let sharing else {
        return try write(
          index, item, unsafe ReadyBlock(method.stored(raw, scratch), rawByteCount: raw.count), places)
      }
      let fingerprint = unsafe Fingerprint(raw)
      // Arrays change in other ways: their blocks are shared as a whole or not.
      let position =
        source.kind == .bulk
        ? nil
        : (
          position: StoredBlocks.Position(kind: source.kind, number: item.block),
          samples: unsafe BlockSamples(raw)
        )
      let candidate = try places.inTurn(index) {
        sharing.candidate(fingerprint, rawByteCount: raw.count, position)
      }
      try write(index, item, unsafe sharing.ready(raw, method, candidate, scratch), places)
    }
  }

  private func write(_ index: Int, _ item: Item, _ block: ReadyBlock, _ places: BlockPlaces) throws {
    let source = sources[item.segment]
    let byteCount = Int(block.entry.storedByteCount)
    var stored: StoredBlocks.Place?
    let place = try places.next(
      index, headerByteCount: item.block == 0 ? paddedHeaderByteCount(item.segment) : nil,
      byteCount: byteCount
    ) { headerByteCount in
      stored = sharing?.place(headerByteCount, block)
    }
    // Not before: an error of a block that others do not wait for would be taken for theirs.
    try progress?.checkCancellation()
    if item.block == 0 { offsets[item.segment] = Segment.aligned(place.start) }
    blocks[index] = block.entry
    let pieces = unsafe block.stored.map { unsafe [$0] } ?? []
    if source.blockCount == 1 {
      // The whole segment goes out in one call.
      try unsafe write(segment(item.segment, index..<index + 1), behind: place.start, pieces)
    } else {
      try unsafe sink.write(pieces, at: place.block)
    }
    if let sharing, let stored { try sharing.note(index, block, stored) }
    progress?.advance(by: block.rawByteCount)
  }

  private func paddedHeaderByteCount(_ number: Int) -> Int {
    if let copy = sources[number].copy { return copy.segment.paddedHeaderByteCount }
    let byteCount = Segment.headerByteCount(
      blockCount: sources[number].blockCount, filterCount: methods[number].filters.count)
    return Int(Segment.aligned(UInt64(byteCount)))
  }

  /// Writes the headers of the segments of several blocks: they are known only when all blocks are.
  private func finish(from offset: UInt64) throws -> [PlacedSegment] {
    var placed: [PlacedSegment] = []
    var (first, end) = (0, offset)
    for (number, source) in sources.enumerated() {
      let next = first + source.blockCount
      let segment = segment(number, first..<next)
      if next - first > 1 { try unsafe write(segment, behind: end, []) }
      let start = offsets[number]
      placed.append(PlacedSegment(segment: segment, offset: start, paddingByteCount: Int(start - end)))
      (first, end) = (next, placed[number].end)
    }
    return placed
  }

  /// Writes the header of a segment with the padding around it, and what stands behind it.
  private func write(_ segment: Segment, behind end: UInt64, _ pieces: [UnsafeRawBufferPointer]) throws {
    var builder = ByteBuilder()
    builder.pad(toMultipleOf: Segment.alignment, from: end)
    builder.append(segment.header)
    builder.pad(toMultipleOf: Segment.alignment, from: end)
    try unsafe builder.bytes.withUnsafeBytes { try unsafe sink.write([$0] + pieces, at: end) }
  }

  private func segment(_ number: Int, _ blocks: Range<Int>) -> Segment {
    let (source, method) = (sources[number], methods[number])
    if let copy = source.copy { return copy.segment }
    return Segment(
      kind: source.kind, format: source.format, codec: method.codec, filters: method.filters,
      rawByteCount: UInt64(source.byteCount), blockByteCount: source.blockByteCount,
      elementByteCount: source.elementByteCount, blocks: blocks.map { self.blocks[$0] })
  }
}
