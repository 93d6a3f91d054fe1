import CGraphArchive
import _GraphFiles

extension SharingSink {
  /// How an archive is stored whose arrays may be differences.
  struct Differences {
    /// Whether it is one that later archives have differences to.
    let isKey: Bool
    /// Of LZ4, for differences.
    let level: Int32
  }

  /// Stores a block as differences to one of the key entry, if that saves an eighth of its bytes.
  func difference(
    _ raw: UnsafeRawBufferPointer, _ plain: SharedBlock, _ method: BlockMethod, _ candidate: Candidate,
    _ scratch: BlockScratch
  ) -> SharedBlock {
    // Numbers have a codec of their own, which takes differences better than LZ4 does.
    guard let level = differences?.level, let key = candidate.keyBlock, method.numbers == nil,
      let position = candidate.arrayPosition,
      plain.place == nil, let plainBytes = unsafe plain.stored
    else { return plain }
    let isStored = plainBytes.count == raw.count
    let filters = isStored ? [] : method.filters.filter { !$0.isNote }
    // Neither is what the block would be stored as, which is in memory of its own.
    let numbers = unsafe isStored ? plainBytes : Self.numbers(of: raw, filters, scratch)
    guard filters.quantised == key.filters.quantised,
      let differences = unsafe differences(numbers, to: key, position, scratch.other)
    else { return plain }
    let differenceFilters = unsafe position.bestFilters(for: differences, scratch.other)
    let small = BlockMethod(level: level, filters: differenceFilters)
    guard let stored = unsafe small.compressed(differences, scratch.other),
      stored.count + Self.tableByteCount <= plainBytes.count / 8 * 7,
      let recipe = NumberDifferences(
        width: position.numberByteCount, filters: filters, baseFilters: key.filters,
        differenceFilters: differenceFilters)
    else { return plain }
    let derived = DerivedBlock(
      base: key.run, change: .differences(DerivedBlock.Run(unplaced: stored.count), recipe),
      rawByteCount: raw.count, level: isStored ? nil : method.level, hash: unsafe Fingerprint(numbers).low)
    return unsafe SharedBlock(plain, derived, Array(stored))
  }

  /// What an extent of differences takes of the table, and some more.
  private static let tableByteCount = 64

  /// The numbers of a block: where it is, or in memory of the scratch.
  private static func numbers(
    of raw: UnsafeRawBufferPointer, _ filters: [Segment.Filter], _ scratch: BlockScratch
  ) -> UnsafeRawBufferPointer {
    guard let quantised = filters.quantised else { return unsafe raw }
    let codes = unsafe scratch.filtered(raw.count)
    unsafe [quantised].apply(to: raw, into: codes, scratch.filteredTwice(raw.count))
    return UnsafeRawBufferPointer(codes)
  }

  /// The differences of numbers to those of a key entry, in memory of the scratch; nil where that cannot be read.
  private func differences(
    _ numbers: UnsafeRawBufferPointer, to key: StoredBlocks.KeyBlock, _ position: StoredBlocks.ArrayPosition,
    _ scratch: BlockScratch
  ) -> UnsafeRawBufferPointer? {
    let block = DerivedBlock(
      base: key.run, change: .overlays([]), rawByteCount: key.rawByteCount, level: nil, hash: 0)
    guard let base = unsafe try? block.baseNumbers(key.filters, from: file, scratch) else { return nil }
    let differences = unsafe scratch.stored(numbers.count)
    unsafe gca_difference(
      differences.bytes, numbers.bytes, base.bytes, numbers.count, position.numberByteCount,
      gca_vectors_best())
    // To memory that they can be compressed from.
    let result = unsafe scratch.packed(numbers.count)
    unsafe result.copyMemory(from: UnsafeRawBufferPointer(differences))
    return UnsafeRawBufferPointer(result)
  }
}

extension StoredBlocks.KeyBlock {
  /// - Parameters:
  ///   - place: where the block is.
  ///   - stored: what has the method by which it was made.
  /// - Returns: nil for a block that is made of another one, that somebody else has made, or that has the codec for numbers.
  init?(_ block: SharingSink.NotedBlock, _ place: StoredBlocks.Location, _ stored: StoredBlocks) {
    guard place.isByItself, let method = place.method else { return nil }
    let isStored = Int(place.byteCount) == block.rawByteCount
    let made = stored.method(method)
    guard isStored || made.numbers == nil else { return nil }
    self.init(
      run: place.run, rawByteCount: block.rawByteCount,
      filters: isStored ? [] : made.filters.filter { !$0.isNote })
  }
}

extension StoredBlocks.ArrayPosition {
  init(_ segment: Int, _ block: Int, of source: SegmentWriter.Source) {
    let byteCount = min(source.scalarByteCount, 8)
    self.init(
      segment: segment, block: block, numberByteCount: byteCount,
      numberCount: source.elementByteCount / byteCount)
  }

  /// Pieces of this many bytes are tried, at as many places.
  private static let (pieceByteCount, pieceCount) = (16 << 10, 4)

  /// The filters with which LZ4 makes pieces of differences smallest.
  func bestFilters(
    for differences: UnsafeRawBufferPointer, _ scratch: BlockScratch
  ) -> [Segment.Filter] {
    let bits = Segment.Filter.bitShuffle(elementByteCount: numberByteCount)
    let bytes = numberByteCount > 1 ? [Segment.Filter.shuffle(elementByteCount: numberByteCount)] : []
    let candidates = [bytes, [bits], [.delta(width: numberByteCount, lag: numberCount), bits]]
    let scores = candidates.map { unsafe Self.score($0, numberByteCount, differences, scratch) }
    return candidates[candidates.indices.min { scores[$0] < scores[$1] } ?? 0]
  }

  /// Bytes that pieces of differences have when they are compressed.
  private static func score(
    _ filters: [Segment.Filter], _ width: Int, _ differences: UnsafeRawBufferPointer, _ scratch: BlockScratch
  ) -> Int {
    let method = BlockMethod(level: 0, filters: filters)
    let isShort = differences.count <= pieceByteCount * pieceCount
    let byteCount = isShort ? differences.count : pieceByteCount
    return (0..<(isShort ? 1 : pieceCount)).reduce(0) { sum, index in
      let start = (differences.count - byteCount) / width * index / (pieceCount - 1) * width
      // Within the block.
      let piece = unsafe UnsafeRawBufferPointer(rebasing: differences[start..<(start + byteCount)])
      return unsafe sum + (method.compressed(piece, scratch)?.count ?? byteCount)
    }
  }
}
