import _GraphFiles
import _GraphSupport

/// Writes the blocks of one `SegmentWriter` into a series that has some of them already.
final class SharingRun: BlockSharing {
  private let sink: SharingSink
  /// It has this, and outlives what this does.
  private unowned let writer: SegmentWriter
  /// The fingerprints of the blocks' contents, as far as they were computed.
  private let contents: PinnedRow<Fingerprint>
  /// The fingerprints by which blocks are found, likewise.
  private let samples: PinnedRow<Fingerprint>
  /// Arrays unchanged from the previous archive.
  private var unchanged: Set<Int> = []

  init(_ sink: SharingSink, _ writer: SegmentWriter) {
    (self.sink, self.writer) = (sink, writer)
    contents = PinnedRow(repeating: .unknown, count: writer.items.count)
    samples = PinnedRow(repeating: .unknown, count: writer.items.count)
  }

  deinit {
    unsafe contents.release()
    unsafe samples.release()
  }

  func write(
    _ index: Int, _ raw: UnsafeRawBufferPointer, _ method: BlockMethod, _ places: BlockSequencer,
    _ scratch: BlockScratch
  ) throws {
    let item = writer.items[index]
    let source = writer.sources[item.segment]
    // Arrays change in other ways: all over, or not at all.
    let isArray = source.kind == .bulk
    let position =
      isArray
      ? nil
      : (
        position: StoredBlocks.Position(kind: source.kind, number: item.block),
        samples: unsafe BlockSamples(raw)
      )
    // One that its encoder does not want compressed is not stored as differences, which are.
    let isCompressed = source.compression != ArchiveCompression.none
    let arrayPosition =
      isArray && isCompressed
      ? StoredBlocks.ArrayPosition(writer.first.segment + item.segment, item.block, of: source) : nil
    if samples[index] == .unknown {
      samples[index] = unsafe isArray ? Fingerprint(sampling: raw) : Fingerprint(raw)
    }
    let candidate = try places.inTurn(index) {
      sink.candidate(samples[index], rawByteCount: raw.count, position, array: arrayPosition)
    }
    let known = contents[index] == .unknown ? nil : contents[index]
    let block = unsafe try sink.ready(raw, method, candidate, content: known, scratch)
    contents[index] = block.content ?? .unknown
    try write(index, block, places)
  }

  func write(
    _ index: Int, _ block: ReadyBlock, copiedFrom copy: SegmentCopy, _ places: BlockSequencer,
    _ scratch: BlockScratch
  ) throws {
    let block = SharedBlock(block)
    let candidate = try places.inTurn(index) { sink.candidate(copy, writer.items[index].block, block) }
    try write(index, sink.compared(block, candidate, scratch), places)
  }

  private func write(_ index: Int, _ block: SharedBlock, _ places: BlockSequencer) throws {
    var place: StoredBlocks.Location?
    try writer.write(index, block.ready, places) { place = sink.place($0, block) }
    if let place { try sink.note(writer.first.block + index, block, place) }
  }

  // MARK: Arrays that the archive before had

  func methodsOfKnownArrays() throws -> [Int: BlockMethod] {
    guard sink.knowsArrays else { return [:] }
    var known: [Int: KnownArray] = [:]
    for number in writer.sources.indices { known[number] = arrayKey(number).flatMap(sink.array) }
    let held = known.filter { number, array in array.isHeld(by: writer.sources[number]) }
    try unsafe forEachBlock(of: held.keys) { [samples] index, block in
      samples[index] = unsafe Fingerprint(sampling: block)
    }
    // Code may have kept a pointer to them, against the rules.
    let same = held.filter { number, array in
      writer.blocks(ofSegment: number).map { samples[$0] } == array.samples
    }
    for (number, array) in same {
      for (block, index) in writer.blocks(ofSegment: number).enumerated() {
        contents[index] = array.contents[block]
      }
    }
    try unsafe forEachBlock(of: known.keys.filter { same[$0] == nil }) { [contents] index, block in
      contents[index] = unsafe Fingerprint(block)
    }
    known = known.filter { number, array in array.contents == contents(ofArray: number) }
    for (number, array) in known {
      for (block, index) in writer.blocks(ofSegment: number).enumerated() {
        samples[index] = array.samples[block]
      }
    }
    unchanged = Set(known.keys)
    return known.mapValues(\.method)
  }

  /// Shows all blocks of some segments before filters and compression.
  private func forEachBlock(
    of segments: some Sequence<Int>, _ body: @escaping (Int, UnsafeRawBufferPointer) -> Void
  ) throws {
    let writer = writer
    let blocks = segments.sortedOutOfLine(by: <).flatMap { Array(writer.blocks(ofSegment: $0)) }
    try ParallelLoop(count: blocks.count, threadCount: writer.threadCount).run(writer.pool) {
      index, scratch in
      try writer.progress?.checkCancellation()
      let item = writer.items[blocks[index]]
      unsafe writer.sources[item.segment].withBlock(item.block, nil, scratch) {
        unsafe body(blocks[index], $0)
      }
    }
  }

  func noteArrays() {
    var room = KnownArray.heldByteCount
    for number in writer.sources.indices {
      let (contents, source) = (contents(ofArray: number), writer.sources[number])
      guard !contents.contains(.unknown), let key = arrayKey(number) else { continue }
      // One that changed may do so again: its owner would have to copy it.
      let isHeld = unchanged.contains(number) && source.owner.isCopiedOnWrite && source.byteCount <= room
      if isHeld { room -= UInt64(source.byteCount) }
      let array = KnownArray(
        method: writer.methods[number], samples: writer.blocks(ofSegment: number).map { samples[$0] },
        contents: contents, owner: isHeld ? source.owner : nil)
      sink.note(array, key)
    }
  }

  /// The key of an array for the next archive; nil if it needs no trial, or its elements are rounded.
  private func arrayKey(_ number: Int) -> KnownArray.Key? {
    let source = writer.sources[number]
    guard source.kind == .bulk, source.copy == nil, source.precision == nil, source.byteCount > 0 else {
      return nil
    }
    let scratch = writer.pool.take()
    defer { writer.pool.putBack(scratch) }
    let first = unsafe source.withBlock(0, nil, scratch) { unsafe Fingerprint(sampling: $0) }
    return KnownArray.Key(source, source.compression ?? writer.compression, first: first)
  }

  private func contents(ofArray number: Int) -> [Fingerprint] {
    writer.blocks(ofSegment: number).map { contents[$0] }
  }
}
