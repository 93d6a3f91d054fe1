import _GraphSupport

/// Tries the codec for numbers on an array: on all of it if it is one block, otherwise on the block in its middle, and on parts of that.
struct NumbersTrial {
  private let method: BlockMethod
  /// As the codec for numbers divides it into blocks.
  private let source: SegmentWriter.Source
  private let scratch: BlockScratch
  /// What the block takes, if it is the only one.
  private let storedByteCount: Int?

  /// The share of LZ4's bytes that numbers must stay below to have their codec while only parts have been tried.
  private static let farAhead = 15.0 / 16
  /// The share of bytes below which LZ4 may find much more in a block than in a piece of it, and takes little time.
  private static let smallShare = 0.3
  /// The share of bytes that numbers must save to have their codec.
  private static let leastShare = 64
  /// Bytes of the part that the codec is tried on first, a multiple of all elements' sizes.
  private static let firstByteCount = 48 << 10

  /// - Parameter keep: receives what the only block of an array becomes.
  init(
    _ method: BlockMethod, _ source: SegmentWriter.Source, _ scratch: BlockScratch,
    keep: (UnsafeRawBufferPointer) -> Void
  ) {
    var source = source
    source.hasNumbers = true
    (self.method, self.source, self.scratch) = (method, source, scratch)
    guard source.blockCount == 1 else {
      storedByteCount = nil
      return
    }
    storedByteCount = unsafe source.withBlock(0, method.rounding, scratch) { block in
      guard let stored = unsafe method.compressed(block, scratch) else { return block.count }
      unsafe keep(stored)
      return stored.count
    }
  }

  /// Whether the codec for numbers makes the array so much smaller than LZ4 seems to that nothing else need be tried.
  func isFarAhead(of trial: inout Trial) -> Bool {
    let most = min(shareOfLZ4(&trial) * Self.farAhead, 1 - 1 / Double(Self.leastShare))
    if let storedByteCount { return Double(storedByteCount) <= most * Double(source.byteCount) }
    return unsafe withBlock { block in
      // Numbers take a larger share of a part than of a block, which has as many tables, and rows before its rows.
      let quarter = block.count / 4 / Self.firstByteCount * Self.firstByteCount
      let parts = [Self.firstByteCount] + (quarter > Self.firstByteCount ? [quarter] : [])
      return parts.contains { partByteCount in
        guard partByteCount * 2 < block.count else { return false }
        let (method, part) = unsafe part(of: block, partByteCount)
        return unsafe part.withUnsafeBytes { unsafe Double(count(method, $0)) <= most * Double($0.count) }
      }
    }
  }

  /// The share of the bytes that LZ4 leaves behind the filters that do best on a few pieces.
  private func shareOfLZ4(_ trial: inout Trial) -> Double {
    let leader = trial.leader()
    let large = trial.largePiece(leader.candidate)
    let share = min(leader.share, large.share)
    guard share < Self.smallShare, large.byteCount * 2 < source.byteCount else { return share }
    var other = method
    (other.filters, other.numbers) = (method.filters + leader.candidate.filters, nil)
    return unsafe withBlock { unsafe min(share, Double(count(other, $0)) / Double($0.count)) }
  }

  /// Whether it makes a block smaller than another method, and smaller at all.
  func isSmaller(than other: BlockMethod?) -> Bool {
    unsafe withBlock { block in
      let least = block.count - block.count / Self.leastShare
      let most = min(other.map { unsafe count($0, block) } ?? least, least)
      return unsafe storedByteCount ?? count(method, block) <= most
    }
  }

  private func withBlock<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe source.withBlock(source.blockCount / 2, method.rounding, scratch, body)
  }

  private func count(_ method: BlockMethod, _ raw: UnsafeRawBufferPointer) -> Int {
    unsafe method.compressed(raw, scratch)?.count ?? raw.count
  }

  /// A part from the middle of a block, in front of it the same part of the row before where rows are long, and the method for both.
  private func part(of block: UnsafeRawBufferPointer, _ count: Int) -> (method: BlockMethod, bytes: [UInt8]) {
    let rowByteCount = method.numbers?.rowByteCount ?? 0
    func bytes(from start: Int) -> [UInt8] { unsafe [UInt8](block[start..<(start + count)]) }
    guard rowByteCount > count, block.count >= 2 * rowByteCount else {
      return (method, bytes(from: block.count / 2 / count * count))
    }
    let inRow = (rowByteCount - count) / 2 / count * count
    let start = block.count / rowByteCount / 2 * rowByteCount + inRow
    var method = method
    method.numbers?.setRow(byteCount: count)
    return (method, bytes(from: start - rowByteCount) + bytes(from: start))
  }
}
