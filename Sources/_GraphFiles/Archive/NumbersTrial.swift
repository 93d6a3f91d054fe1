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
    var lz4 = source
    lz4.hasNumbers = false
    let most = Double(storedByteCount) / Double(rawByteCount) / Self.farAhead
    return trial.leaders().allSatisfy { leader in
      var other = method
      (other.filters, other.numbers) = (method.filters + leader.filters, nil)
      let middle = Self.middle(of: lz4)
      return Double(count(other, middle, of: lz4)) >= most * Double(lz4.rawByteCount(ofBlock: middle))
    }
  }

  /// Whether it makes the block smaller than another method, and smaller at all.
  func isSmaller(than other: BlockMethod?) -> Bool {
    isWorthwhile && other.map { storedByteCount <= count($0, block, of: source) } ?? true
  }

  private var isWorthwhile: Bool { storedByteCount < rawByteCount - rawByteCount / Self.leastShare }
  private var rawByteCount: Int { source.rawByteCount(ofBlock: block) }

  /// A whole one, if there is one: the last block may have a few bytes.
  private static func middle(of source: SegmentWriter.Source) -> Int {
    source.byteCount / source.blockByteCount / 2
  }

  /// What another method makes of a block.
  private func count(_ other: BlockMethod, _ block: Int, of source: SegmentWriter.Source) -> Int {
    unsafe source.withBlock(block, other.rounding, scratch) { raw in
      unsafe other.compressed(raw, scratch)?.count ?? raw.count
    }
  }
}
