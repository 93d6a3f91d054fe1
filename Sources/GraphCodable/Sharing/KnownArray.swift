/// An array of the last archive that a writer of a series has stored.
///
/// The trial of filters costs more than to look whether all blocks of an array are those of before; and it would find the
/// same again, because it depends on the bytes alone.
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
  /// Of all bytes of each block.
  let contents: [Fingerprint]
}

extension SegmentWriter {
  /// The methods of arrays that the last archive had as they are, by their numbers.
  func methodsOfKnownArrays() throws -> [Int: BlockMethod] {
    guard let sharing, sharing.knowsArrays else { return [:] }
    var known: [Int: KnownArray] = [:]
    for number in sources.indices {
      known[number] = arrayKey(number).flatMap(sharing.array)
    }
    let blocks = items.indices.filter { known[items[$0].segment] != nil }
    try ParallelLoop(count: blocks.count, threadCount: threadCount).run(pool) { [self] index, scratch in
      try progress?.checkCancellation()
      let item = items[blocks[index]]
      unsafe sources[item.segment].withBlock(item.block, nil, scratch) {
        contents[blocks[index]] = unsafe Fingerprint($0)
      }
    }
    return known.filter { number, array in array.contents == contents(ofArray: number) }.mapValues(\.method)
  }

  /// Notes the arrays whose contents are known for the next archive.
  func noteArrays() {
    guard let sharing else { return }
    for number in sources.indices {
      let contents = contents(ofArray: number)
      guard !contents.contains(.unknown), let key = arrayKey(number) else { continue }
      sharing.note(KnownArray(method: methods[number], contents: contents), key)
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
