import _GraphFiles
import _GraphSupport

/// Writes the blocks of one `SegmentWriter` into a series that has some of them already.
final class SharingRun: BlockSharing {
  private let sink: SharingSink
  /// It has this, and outlives what this does.
  private unowned let writer: SegmentWriter
  /// Of each segment.
  private var prints: [BlockPrints]
  /// Arrays unchanged from the previous archive.
  private var unchanged: Set<Int> = []

  init(_ sink: SharingSink, _ writer: SegmentWriter) {
    (self.sink, self.writer) = (sink, writer)
    prints = writer.sources.map(BlockPrints.init)
  }

  func begin() {
    for (number, source) in writer.sources.enumerated()
    where prints[number].source.hasNumbers != source.hasNumbers {
      prints[number] = BlockPrints(source)
    }
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
    let (samples, contents) = (prints[item.segment].samples, prints[item.segment].contents)
    if samples[item.block] == .unknown {
      samples[item.block] = unsafe isArray ? Fingerprint(sampling: raw) : Fingerprint(raw)
    }
    let candidate = try places.inTurn(index) {
      sink.candidate(samples[item.block], rawByteCount: raw.count, position, array: arrayPosition)
    }
    let known = contents[item.block] == .unknown ? nil : contents[item.block]
    let block = unsafe try sink.ready(raw, method, candidate, content: known, scratch)
    contents[item.block] = block.content ?? .unknown
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
    for (number, array) in known where array.method.numbers != nil {
      var source = writer.sources[number]
      source.hasNumbers = true
      prints[number] = BlockPrints(source)
    }
    let held = known.filter { number, array in array.isHeld(by: writer.sources[number]) }
    try unsafe forEachBlock(of: held.keys) { prints, number, block in
      prints.samples[number] = unsafe Fingerprint(sampling: block)
    }
    // Code may have kept a pointer to them, against the rules.
    let same = held.filter { number, array in Array(prints[number].samples) == array.samples }
    for (number, array) in same { prints[number].contents.set(array.contents) }
    try unsafe forEachBlock(of: known.keys.filter { same[$0] == nil }) { prints, number, block in
      prints.contents[number] = unsafe Fingerprint(block)
    }
    known = known.filter { number, array in Array(prints[number].contents) == array.contents }
    for (number, array) in known { prints[number].samples.set(array.samples) }
    unchanged = Set(known.keys)
    return known.mapValues(\.method)
  }

  /// Shows all blocks of some segments, with their numbers, before filters and compression.
  private func forEachBlock(
    of segments: some Sequence<Int>, _ body: @escaping (BlockPrints, Int, UnsafeRawBufferPointer) -> Void
  ) throws {
    let (writer, prints) = (writer, prints)
    let blocks = segments.sortedOutOfLine(by: <).flatMap { segment in
      (0..<prints[segment].source.blockCount).map { (segment: segment, number: $0) }
    }
    try ParallelLoop(count: blocks.count, threadCount: writer.threadCount).run(writer.pool) {
      index, scratch in
      try writer.progress?.checkCancellation()
      let (prints, number) = (prints[blocks[index].segment], blocks[index].number)
      unsafe prints.source.withBlock(number, nil, scratch) { unsafe body(prints, number, $0) }
    }
  }

  func noteArrays() {
    var room = KnownArray.heldByteCount
    for number in writer.sources.indices {
      let (contents, source) = (Array(prints[number].contents), writer.sources[number])
      guard !contents.contains(.unknown), let key = arrayKey(number) else { continue }
      // One that changed may do so again: its owner would have to copy it.
      let isHeld = unchanged.contains(number) && source.owner.isCopiedOnWrite && source.byteCount <= room
      if isHeld { room -= UInt64(source.byteCount) }
      let array = KnownArray(
        method: writer.methods[number], samples: Array(prints[number].samples), contents: contents,
        owner: isHeld ? source.owner : nil)
      sink.note(array, key)
    }
  }

  /// The key of an array for the next archive; nil if it needs no trial, or its elements are rounded.
  private func arrayKey(_ number: Int) -> KnownArray.Key? {
    var source = writer.sources[number]
    // The same before the method is known.
    source.hasNumbers = false
    guard source.kind == .bulk, source.copy == nil, source.precision == nil, source.byteCount > 0 else {
      return nil
    }
    let scratch = writer.pool.take()
    defer { writer.pool.putBack(scratch) }
    let first = unsafe source.withBlock(0, nil, scratch) { unsafe Fingerprint(sampling: $0) }
    return KnownArray.Key(source, source.compression ?? writer.compression, first: first)
  }
}

/// The fingerprints of a segment's blocks, as far as they were computed.
private final class BlockPrints {
  /// The segment, with the size of the blocks.
  let source: SegmentWriter.Source
  /// Of the blocks' contents.
  let contents: PinnedRow<Fingerprint>
  /// Those by which blocks are found.
  let samples: PinnedRow<Fingerprint>

  init(_ source: SegmentWriter.Source) {
    self.source = source
    contents = PinnedRow(repeating: .unknown, count: source.blockCount)
    samples = PinnedRow(repeating: .unknown, count: source.blockCount)
  }

  deinit {
    unsafe contents.release()
    unsafe samples.release()
  }
}

extension [Fingerprint] {
  fileprivate init(_ row: PinnedRow<Fingerprint>) { self = (0..<row.count).map { row[$0] } }
}

extension PinnedRow<Fingerprint> {
  /// - Parameter elements: as many as there are.
  fileprivate func set(_ elements: [Fingerprint]) {
    for (index, element) in elements.enumerated() { self[index] = element }
  }
}
