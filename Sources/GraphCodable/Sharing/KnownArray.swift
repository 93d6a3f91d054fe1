import Foundation

/// An array of the last archive that a writer of a series has stored.
///
/// The trial of filters costs more than to look whether all blocks of an array are those of before; and it would find the
/// same again, because it depends on the bytes alone. Elements that are held cannot change without being copied: where
/// they are the same in memory, samples of them are enough.
struct KnownArray {
  /// What an array is found by.
  struct Key: Hashable {
    let format: PackedFormat
    let byteCount: Int
    let elementByteCount: Int
    let rowElementCount: Int
    let compression: GraphEncoder.Compression
    /// Of a sample of the first block.
    let first: Fingerprint

    init(_ source: SegmentWriter.Source, _ compression: GraphEncoder.Compression, first: Fingerprint) {
      (format, byteCount) = (source.format, source.byteCount)
      (elementByteCount, rowElementCount) = (source.elementByteCount, source.rowElementCount)
      (self.compression, self.first) = (compression, first)
    }
  }

  let method: BlockMethod
  /// Of samples of each block, by which blocks are found.
  let samples: [Fingerprint]
  /// Of all bytes of each block.
  let contents: [Fingerprint]
  /// Has the elements where somebody would copy them to change them; nil for an array that may have changed.
  let owner: (any PackedOwner)?

  /// How many bytes of arrays a writer holds.
  static let heldByteCount = ProcessInfo.processInfo.physicalMemory / 8

  /// Whether these elements are the same in memory, and so have not changed.
  func isHeld(by source: SegmentWriter.Source) -> Bool {
    guard let owner, source.owner.isCopiedOnWrite else { return false }
    return owner.withPackedBytes { held in
      source.owner.withPackedBytes { unsafe $0.start == held.start && $0.byteCount == held.byteCount }
    }
  }
}

extension SegmentWriter {
  /// The methods of arrays that the last archive had as they are, by their numbers.
  func methodsOfKnownArrays() throws -> [Int: BlockMethod] {
    guard let sharing, sharing.knowsArrays else { return [:] }
    var known: [Int: KnownArray] = [:]
    for number in sources.indices { known[number] = arrayKey(number).flatMap(sharing.array) }
    let held = known.filter { number, array in array.isHeld(by: sources[number]) }
    try unsafe forEachBlock(of: held.keys) { [samples] index, block in
      samples[index] = unsafe Fingerprint(sampling: block)
    }
    // Somebody may have kept a pointer to them, against the rules.
    let same = held.filter { number, array in blocks(ofSegment: number).map { samples[$0] } == array.samples }
    for (number, array) in same {
      for (block, index) in blocks(ofSegment: number).enumerated() { contents[index] = array.contents[block] }
    }
    try unsafe forEachBlock(of: known.keys.filter { same[$0] == nil }) { [contents] index, block in
      contents[index] = unsafe Fingerprint(block)
    }
    known = known.filter { number, array in array.contents == contents(ofArray: number) }
    for (number, array) in known {
      for (block, index) in blocks(ofSegment: number).enumerated() { samples[index] = array.samples[block] }
    }
    unchanged = Set(known.keys)
    return known.mapValues(\.method)
  }

  /// Shows all blocks of some segments before filters and compression.
  private func forEachBlock(
    of segments: some Sequence<Int>, _ body: @escaping (Int, UnsafeRawBufferPointer) -> Void
  ) throws {
    let blocks = segments.sortedOutOfLine(by: <).flatMap { Array(self.blocks(ofSegment: $0)) }
    try ParallelLoop(count: blocks.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      try progress?.checkCancellation()
      let item = items[blocks[index]]
      unsafe sources[item.segment].withBlock(item.block, nil, scratch) { unsafe body(blocks[index], $0) }
    }
  }

  /// Notes the arrays whose contents are known for the next archive.
  func noteArrays() {
    guard let sharing else { return }
    var room = KnownArray.heldByteCount
    for number in sources.indices {
      let (contents, source) = (contents(ofArray: number), sources[number])
      guard !contents.contains(.unknown), let key = arrayKey(number) else { continue }
      // One that changed may do so again: its owner would have to copy it.
      let isHeld = unchanged.contains(number) && source.owner.isCopiedOnWrite && source.byteCount <= room
      if isHeld { room -= UInt64(source.byteCount) }
      let array = KnownArray(
        method: methods[number], samples: blocks(ofSegment: number).map { samples[$0] }, contents: contents,
        owner: isHeld ? source.owner : nil)
      sharing.note(array, key)
    }
  }

  /// What the next archive finds an array by; nil for one that no trial is made for, or whose elements are rounded.
  private func arrayKey(_ number: Int) -> KnownArray.Key? {
    let source = sources[number]
    guard source.kind == .bulk, source.copy == nil, source.precision == nil, source.byteCount > 0 else {
      return nil
    }
    let scratch = pool.take()
    defer { pool.putBack(scratch) }
    let first = unsafe source.withBlock(0, nil, scratch) { unsafe Fingerprint(sampling: $0) }
    return KnownArray.Key(source, compression, first: first)
  }

  private func contents(ofArray number: Int) -> [Fingerprint] {
    blocks(ofSegment: number).map { contents[$0] }
  }
}
