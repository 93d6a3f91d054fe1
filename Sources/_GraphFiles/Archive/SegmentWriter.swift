import CGraphArchive
import _GraphSupport

/// Writes the segments of an archive one after the other, with several threads for their blocks.
package final class SegmentWriter {
  package private(set) var sources: [Source]
  package let compression: ArchiveCompression
  package let threadCount: Int
  /// Of segments that are not compressed.
  private let alignment: UInt64
  private let sink: any ArchiveSink
  /// Writes blocks in the sink's own way; nil where the sink takes bytes alone.
  private var sharing: (any BlockSharing)?
  package let progress: ProgressReport?
  package let first: Item
  /// The blocks of all segments, in order, once their methods are known.
  package private(set) var items: [Item] = []
  /// The number of each segment's first block.
  private var firstBlocks: [Int] = []
  package let pool = BlockScratchPool()
  package let methods: PinnedRow<BlockMethod>
  /// What the trials of methods have made of blocks.
  private let kept = KeptBlocks()
  // Set by the threads, each its own elements.
  private var blocks: PinnedRow<Segment.Block>
  /// Where each segment begins, after the padding.
  private let offsets: PinnedRow<UInt64>

  private static let noBlock = Segment.Block(storedByteCount: 0, hash: 0)

  package struct Item {
    package let segment: Int
    package let block: Int

    package init(segment: Int, block: Int) {
      (self.segment, self.block) = (segment, block)
    }
  }

  /// - Parameter first: the number of the first segment of the archive that this one writes, and that of its first block
  ///   among all of the archive.
  package init(
    _ sources: [Source], compression: ArchiveCompression, alignment: UInt64 = Segment.storedAlignment,
    threadCount: Int, sink: any ArchiveSink, progress: ProgressReport? = nil,
    first: Item = Item(segment: 0, block: 0)
  ) {
    self.sources = sources
    self.compression = compression
    self.alignment = alignment
    self.threadCount = min(max(threadCount, 1), BlockScratchPool.maximumThreadCount)
    self.sink = sink
    self.progress = progress
    self.first = first
    methods = PinnedRow(repeating: BlockMethod(compression), count: sources.count)
    blocks = PinnedRow(repeating: Self.noBlock, count: 0)
    offsets = PinnedRow(repeating: 0, count: sources.count)
    sharing = sink.sharing(of: self)
  }

  deinit {
    unsafe methods.release()
    unsafe blocks.release()
    unsafe offsets.release()
  }

  /// Writes all segments, the first one at `offset`.
  package func write(from offset: UInt64) throws -> [PlacedSegment] {
    if compression != .none || sources.contains(where: { $0.precision != nil || $0.compression != nil }) {
      try chooseMethods()
    }
    divide()
    let places = BlockSequencer(from: offset)
    try ParallelLoop(count: items.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      do { try write(index, places, scratch) } catch {
        places.abandon(index)
        throw error
      }
    }
    return try finish(from: offset)
  }

  private func chooseMethods() throws {
    let known = try sharing?.methodsOfKnownArrays() ?? [:]
    try ParallelLoop(count: sources.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      try progress?.checkCancellation()
      let source = sources[index]
      guard source.kind == .bulk, source.copy == nil else { return }
      if let method = known[index] {
        methods[index] = method
        return
      }
      methods[index] = source.owner.withPackedBytes {
        unsafe BlockMethod(for: $0, of: source, source.compression ?? compression, scratch) {
          if sharing == nil { unsafe kept.keep($0, Item(segment: index, block: $1)) }
        }
      }
      if methods[index].numbers == nil { kept.forget(segment: index) }
    }
  }

  /// Cuts all segments into blocks, whose size depends on the codec.
  private func divide() {
    for number in sources.indices {
      sources[number].hasNumbers = methods[number].numbers != nil
      firstBlocks.append(items.count)
      for block in 0..<sources[number].blockCount { items.append(Item(segment: number, block: block)) }
    }
    unsafe blocks.release()
    blocks = PinnedRow(repeating: Self.noBlock, count: items.count)
    sharing?.begin()
  }

  /// Compresses, hashes and writes one block.
  private func write(_ index: Int, _ places: BlockSequencer, _ scratch: BlockScratch) throws {
    let item = items[index]
    let source = sources[item.segment]
    if let copy = source.copy {
      return try unsafe copy.withBlock(item.block, scratch) { stored in
        let block = unsafe ReadyBlock(stored, rawByteCount: copy.segment.rawByteCount(ofBlock: item.block))
        guard let sharing else { return try write(index, block, places) }
        try sharing.write(index, block, copiedFrom: copy, places, scratch)
      }
    }
    let method = methods[item.segment]
    if method.numbers != nil, let stored = kept.take(item) {
      return try unsafe stored.withUnsafeBytes { stored in
        try write(
          index, unsafe ReadyBlock(stored, rawByteCount: source.rawByteCount(ofBlock: item.block)), places)
      }
    }
    if sharing == nil, let packed = unsafe source.compressed(item.block, method, scratch) {
      return try write(
        index, unsafe ReadyBlock(packed, rawByteCount: source.rawByteCount(ofBlock: item.block)), places)
    }
    try unsafe source.withBlock(item.block, method.rounding, scratch) { raw in
      guard let sharing else {
        return try write(
          index, unsafe ReadyBlock(method.stored(raw, scratch), rawByteCount: raw.count), places)
      }
      try unsafe sharing.write(index, raw, method, places, scratch)
    }
  }

  /// Gives a block its place, and writes it there.
  ///
  /// - Parameter note: receives the number of bytes in front of the block, in the order of the blocks.
  package func write(
    _ index: Int, _ block: ReadyBlock, _ places: BlockSequencer, note: (UInt64) -> Void = { _ in }
  ) throws {
    let item = items[index]
    let source = sources[item.segment]
    let place = try places.next(
      index, front: item.block == 0 ? front(item.segment) : nil,
      byteCount: Int(block.entry.storedByteCount), note)
    // Not earlier: otherwise, an error of a block that others do not wait for would be taken for theirs.
    try progress?.checkCancellation()
    if item.block == 0 { offsets[item.segment] = front(item.segment).start(behind: place.start) }
    blocks[index] = block.entry
    let pieces = unsafe block.stored.map { unsafe [$0] } ?? []
    if source.blockCount == 1 {
      // The whole segment goes out in one call.
      try unsafe write(segment(item.segment, index..<index + 1), behind: place.start, pieces)
    } else {
      try unsafe sink.write(pieces, at: place.block)
    }
    progress?.advance(by: block.rawByteCount)
  }

  private func front(_ number: Int) -> Segment.Front {
    let (source, method) = (sources[number], methods[number])
    return source.copy?.segment.front
      ?? Segment.Front(
        alignment: alignment(of: method), blockCount: source.blockCount, filterCount: method.filters.count)
  }

  /// The numbers of a segment's blocks among those of all segments.
  package func blocks(ofSegment number: Int) -> Range<Int> {
    firstBlocks[number]..<(firstBlocks[number] + sources[number].blockCount)
  }

  /// Writes the headers of segments with several blocks, which are known only when all blocks are.
  private func finish(from offset: UInt64) throws -> [PlacedSegment] {
    var placed: [PlacedSegment] = []
    var end = offset
    for number in sources.indices {
      let segment = segment(number, blocks(ofSegment: number))
      if segment.blocks.count > 1 { try unsafe write(segment, behind: end, []) }
      let start = offsets[number]
      placed.append(PlacedSegment(segment: segment, offset: start, paddingByteCount: Int(start - end)))
      end = placed[number].end
    }
    sharing?.noteArrays()
    return placed
  }

  /// Writes the header of a segment with the padding around it, and whatever follows.
  private func write(_ segment: Segment, behind end: UInt64, _ pieces: [UnsafeRawBufferPointer]) throws {
    var builder = ByteBuilder()
    let start = Int(segment.front.start(behind: end) - end)
    builder.pad(to: start)
    builder.append(segment.header)
    builder.pad(to: start + segment.paddedHeaderByteCount)
    try unsafe builder.bytes.withUnsafeBytes { try unsafe sink.write([$0] + pieces, at: end) }
  }

  private func alignment(of method: BlockMethod) -> UInt64 { method.level == nil ? alignment : 1 }

  private func segment(_ number: Int, _ blocks: Range<Int>) -> Segment {
    let (source, method) = (sources[number], methods[number])
    if var copy = source.copy?.segment {
      copy.blocks = blocks.map { self.blocks[$0] }
      return copy
    }
    return Segment(
      kind: source.kind, format: source.format, codec: method.codec, filters: method.filters,
      rawByteCount: UInt64(source.byteCount), blockByteCount: source.blockByteCount,
      elementByteCount: source.elementByteCount, alignment: alignment(of: method),
      codecParameter: method.codecParameter, blocks: blocks.map { self.blocks[$0] })
  }
}
