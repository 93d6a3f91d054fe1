import CGraphArchive

/// How the blocks of one segment are made smaller.
struct BlockMethod: Equatable {
  /// LZ4's level, for the C target; nil if the blocks are stored as they are.
  var level: Int32?
  /// Bytes of an element whose bytes are shuffled; 1 for none.
  var elementByteCount = 1

  /// Finds the best method for packed elements, by trying it on a sample.
  ///
  /// Deterministic: it depends on the bytes alone.
  @inline(never)
  init(
    for bytes: PackedBytes, format: PackedFormat, compression: GraphEncoder.Compression,
    _ scratch: BlockScratch
  ) {
    guard let level = compression.blockLevel else { return }
    let sample = Sample(bytes)
    var best = sample.byteCount - sample.byteCount / Self.leastGain
    for candidate in Self.elementByteCounts(format, bytes.elementByteCount) {
      let storedByteCount = sample.storedByteCount(elementByteCount: candidate, scratch)
      guard storedByteCount < best else { continue }
      best = storedByteCount
      self.level = level
      elementByteCount = candidate
    }
  }

  /// Compression without a filter and without a trial.
  init(_ compression: GraphEncoder.Compression) { level = compression.blockLevel }

  /// The part of the bytes that compression must save to be worth its time: 1/32.
  private static let leastGain = 32

  /// Elements that may be shuffled: none, the scalars, and all of an element together.
  private static func elementByteCounts(_ format: PackedFormat, _ elementByteCount: Int) -> [Int] {
    // Of structs, the largest scalar that may recur at the same place.
    let scalarByteCount =
      format.scalar?.byteCount ?? [16, 8, 4, 2, 1].first { elementByteCount.isMultiple(of: $0) } ?? 1
    var counts = [1]
    for count in [scalarByteCount, elementByteCount] where count > 1 && count <= Int(UInt8.max) {
      if !counts.contains(count) { counts.append(count) }
    }
    return counts
  }

  /// A few pieces of the bytes, evenly spread.
  private struct Sample {
    let bytes: PackedBytes
    let pieces: [Range<Int>]

    init(_ bytes: PackedBytes) {
      self.bytes = bytes
      let pieceByteCount = min(bytes.byteCount, 16 << 10)
      let count = min(max(bytes.byteCount >> 17, 1), 8)
      let step = count > 1 ? (bytes.byteCount - pieceByteCount) / (count - 1) : 0
      pieces = (0..<count).map { ($0 * step)..<($0 * step + pieceByteCount) }
    }

    var byteCount: Int { pieces.reduce(0) { $0 + $1.count } }

    func storedByteCount(elementByteCount: Int, _ scratch: BlockScratch) -> Int {
      // The fast level is enough to tell which method suits, whatever level is used then.
      let method = BlockMethod(level: 0, elementByteCount: elementByteCount)
      return pieces.reduce(0) {
        unsafe $0 + (method.compress(bytes.bytes($1, scratch), scratch)?.count ?? $1.count)
      }
    }
  }

  private init(level: Int32?, elementByteCount: Int) {
    self.level = level
    self.elementByteCount = elementByteCount
  }
}

extension BlockMethod {
  /// As the header of a segment has them.
  var codec: UInt8 { UInt8((level == nil ? GCA_CODEC_STORED : GCA_CODEC_LZ4).rawValue) }
  /// As the header of a segment has them.
  var filters: [Segment.Filter] {
    level == nil || elementByteCount == 1 ? [] : [.shuffle(elementByteCount: elementByteCount)]
  }

  /// Compresses a block into memory of the scratch; nil where that does not make it smaller, or is not meant to.
  func compress(_ raw: UnsafeRawBufferPointer, _ scratch: BlockScratch) -> UnsafeRawBufferPointer? {
    guard let level else { return nil }
    var source = unsafe raw
    if elementByteCount > 1 {
      let shuffled = unsafe scratch.filtered(raw.count)
      unsafe gca_shuffle(
        shuffled.bytes, raw.bytes, raw.count, elementByteCount, gca_vectors_best())
      unsafe source = UnsafeRawBufferPointer(shuffled)
    }
    let target = unsafe scratch.stored(raw.count)
    var count = 0
    let status = unsafe gca_block_compress(
      target.bytes, target.count, source.bytes, source.count, level, &count)
    guard status == GCA_OK, count > 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: target[..<count])
  }
}

extension Segment {
  /// Undoes the filters of a block, the last one first.
  ///
  /// - Parameter filtered: memory of the scratch, from `filtered`; nothing is done where it is `raw`.
  func undoFilters(
    from filtered: UnsafeMutableRawBufferPointer, into raw: UnsafeMutableRawBufferPointer,
    _ scratch: BlockScratch
  ) {
    var (source, other) = unsafe (filtered, filters.count > 1 ? scratch.filteredTwice(raw.count) : raw)
    for (index, filter) in filters.enumerated().reversed() {
      let target = unsafe index == 0 ? raw : other
      unsafe gca_unshuffle(
        target.bytes, source.bytes, raw.count, Int(filter.parameter), gca_vectors_best())
      unsafe (source, other) = (target, source)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// As the C target wants it.
  var bytes: UnsafePointer<UInt8>? { unsafe baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  /// As the C target wants it.
  var bytes: UnsafeMutablePointer<UInt8>? { unsafe baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
