import _GraphSupport

/// Tries the codec for numbers on the block in the middle of an array.
struct NumbersTrial {
  private let method: BlockMethod
  /// As the codec for numbers divides it into blocks.
  private let source: SegmentWriter.Source
  private let scratch: BlockScratch
  private let block: Int
  /// What the block becomes.
  private let storedByteCount: Int

  /// The share of LZ4's bytes that numbers must stay below to have their codec while few filters have been tried.
  private static let farAhead = 15.0 / 16
  /// The share of bytes that numbers must save to have their codec.
  private static let leastShare = 64

  /// - Parameter keep: receives what the block becomes, and its number.
  init(
    _ method: BlockMethod, _ source: SegmentWriter.Source, _ scratch: BlockScratch,
    keep: (UnsafeRawBufferPointer, _ block: Int) -> Void
  ) {
    var source = source
    source.hasNumbers = true
    let block = Self.middle(of: source)
    (self.method, self.source, self.scratch, self.block) = (method, source, scratch, block)
    storedByteCount = unsafe source.withBlock(block, method.rounding, scratch) { raw in
      guard let stored = unsafe method.compressed(raw, scratch) else { return raw.count }
      unsafe keep(stored, block)
      return stored.count
    }
  }

  /// Whether the codec for numbers makes its block so much smaller than LZ4 makes its own in the middle, by the filters that seem
  /// best, that no others need be tried.
  func isFarAhead(of trial: inout Trial) -> Bool {
    guard isWorthwhile else { return false }
    let middle = Self.middle(of: lz4)
    return trial.leaders().allSatisfy { leader in
      var other = method
      (other.filters, other.numbers) = (method.filters + leader.candidate.filters, nil)
      return share <= shareOfLZ4(other, middle...middle) * leader.best * Self.farAhead
    }
  }

  /// Whether it makes the block smaller than another method makes those of LZ4 at the same place, and smaller at all.
  func isSmaller(than other: BlockMethod?) -> Bool {
    let start = block * source.blockByteCount
    let last = (start + rawByteCount - 1) / lz4.blockByteCount
    return isWorthwhile && other.map { share <= shareOfLZ4($0, start / lz4.blockByteCount...last) } ?? true
  }

  private var isWorthwhile: Bool { storedByteCount < rawByteCount - rawByteCount / Self.leastShare }
  private var rawByteCount: Int { source.rawByteCount(ofBlock: block) }
  private var share: Double { Double(storedByteCount) / Double(rawByteCount) }

  /// As LZ4 divides it into blocks.
  private var lz4: SegmentWriter.Source {
    var source = source
    source.hasNumbers = false
    return source
  }

  /// A whole one, if there is one: the last block may have a few bytes.
  private static func middle(of source: SegmentWriter.Source) -> Int {
    source.byteCount / source.blockByteCount / 2
  }

  /// The share of bytes that another method leaves of some blocks of LZ4.
  private func shareOfLZ4(_ other: BlockMethod, _ blocks: ClosedRange<Int>) -> Double {
    let storedByteCount = blocks.reduce(0) { sum, block in
      unsafe lz4.withBlock(block, other.rounding, scratch) { raw in
        unsafe sum + (other.compressed(raw, scratch)?.count ?? raw.count)
      }
    }
    let rawByteCount = blocks.reduce(0) { $0 + lz4.rawByteCount(ofBlock: $1) }
    return Double(storedByteCount) / Double(rawByteCount)
  }
}
