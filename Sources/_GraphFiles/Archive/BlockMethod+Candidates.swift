import CGraphArchive
import _GraphSupport

// The filters that may suit an array, by its elements and its shape.

/// What the filters of an array depend on.
struct PackedElementsForm {
  let format: PackedFormat
  let elementByteCount: Int
  /// See `SegmentWriter.Source`.
  let scalarByteCount: Int
  /// Integers from the start of a row to the start of the next; 0 where there are no rows, or no block has two.
  let rowLag: Int
  /// The same of each dimension inside a row.
  let innerLags: [Int]
  /// 0 if there are no rows, or they are longer than a block.
  let rowsPerBlock: Int
  let quantised: Segment.Filter?

  init(_ source: SegmentWriter.Source) {
    (format, elementByteCount) = (source.format, source.elementByteCount)
    scalarByteCount = source.scalarByteCount
    let rowByteCount = source.rowElementCount * elementByteCount
    rowsPerBlock = source.rowElementCount > 1 ? source.blockByteCount / rowByteCount : 0
    let rowLag = rowsPerBlock > 1 ? rowByteCount / scalarByteCount : 0
    let laneCount = elementByteCount / scalarByteCount
    self.rowLag = rowLag
    innerLags = source.innerStrides.lazy.map { $0 * laneCount }
      .filter { $0 > laneCount && $0 != rowLag && $0 * 2 * source.scalarByteCount <= source.blockByteCount }
    quantised = format.floatByteCount.flatMap { source.precision?.quantised(byteCount: $0) }
  }

  var laneCount: Int { elementByteCount / scalarByteCount }

  /// The numbers of a vector: of an element, or of the last dimension where it is short; 1 where there are none.
  var vectorCount: Int {
    if laneCount > 1 { return laneCount }
    let last = innerLags.last ?? rowLag
    return 1...Self.longestVector ~= last ? last : 1
  }

  private static let longestVector = 4
  /// How many vectors may make a group: the sites of a molecule of water, of which models have three, four or five.
  private static let groupCounts = [3, 4, 5]

  /// Lists of filters that may suit, after those that the precision requires; fast ones come first.
  ///
  /// Differences of rows are tried with their bits shuffled, and the best of them with bytes as well: see `withBytes`.
  var candidates: [Candidate] {
    // The upper bytes of codes are zero: what leaves them between the others is no match for what does not.
    let areCodes = quantised != nil
    var candidates = areCodes ? [] : [Candidate([])]
    if !areCodes, scalarByteCount > 1 {
      candidates.append(Candidate([.shuffle(elementByteCount: scalarByteCount)]))
    }
    if !areCodes, elementByteCount > scalarByteCount, elementByteCount <= Int(UInt8.max) {
      candidates.append(Candidate([.shuffle(elementByteCount: elementByteCount)]))
    }
    guard format.scalar != .byte, format.scalar != .uuid else { return candidates }
    guard format.scalar != nil, scalarByteCount <= 8 else {
      // Structs and 128-bit integers.
      if elementByteCount <= Int(UInt8.max) {
        candidates.append(Candidate([.bitShuffle(elementByteCount: elementByteCount)]))
      }
      return candidates
    }
    let bits = Segment.Filter.bitShuffle(elementByteCount: scalarByteCount)
    candidates.append(Candidate([bits]))
    let byNeighbours = Candidate(neighbours, lag: laneCount)
    candidates += [withBytes(byNeighbours), byNeighbours].compactMap(\.self)
    for lag in farLags { candidates.append(Candidate([delta(lag), bits], lag: lag)) }
    return candidates
  }

  /// Differences of neighbouring elements, with their bits shuffled.
  var neighbours: [Segment.Filter] {
    [
      .delta(width: scalarByteCount, lag: laneCount), .bitShuffle(elementByteCount: scalarByteCount),
    ]
  }

  /// The lags of rows, and of dimensions inside them.
  var farLags: [Int] { rowLag > laneCount ? innerLags + [rowLag] : innerLags }

  /// Differences of neighbouring rows; in the first one, of vectors or numbers.
  func delta(_ lag: Int) -> Segment.Filter {
    .delta(width: scalarByteCount, lag: lag, startLag: vectorCount < lag ? vectorCount : laneCount)
  }

  /// The same differences with their bytes shuffled in place of their bits; nil where there are none, or no bytes to shuffle, and of
  /// codes, whose upper bytes are zero.
  func withBytes(_ candidate: Candidate) -> Candidate? {
    guard quantised == nil, candidate.lag > 0, candidate.filters.count == 2, scalarByteCount > 1 else {
      return nil
    }
    return Candidate([candidate.filters[0], .shuffle(elementByteCount: scalarByteCount)], lag: candidate.lag)
  }

  /// The same differences of codes with the bits of several vectors shuffled at once, which brings together what stands at the same place
  /// in each group of vectors: an atom in each molecule of water.
  func withGroups(_ candidate: Candidate) -> [Candidate] {
    guard quantised != nil, vectorCount > 1 else { return [] }
    // Without groups, differences of neighbours may be no smaller than the numbers.
    let lag = candidate.lag > 0 ? candidate.lag : vectorCount
    let filter = candidate.lag > 0 ? candidate.filters[0] : .delta(width: scalarByteCount, lag: lag)
    return Self.groupCounts.map { $0 * vectorCount * scalarByteCount }.filter { $0 <= Int(UInt8.max) }.map {
      Candidate([filter, .bitShuffle(elementByteCount: $0)], lag: lag)
    }
  }

  /// At most so many elements, or a vector, so that what follows them begins a vector as they do, and a group, whatever the groups are, where
  /// they have room for it.
  func wholeGroups(_ count: Int) -> Int {
    let vector = vectorCount / laneCount
    let whole = quantised == nil ? vector : Self.groupCounts.reduce(1, *) * vector
    return count < whole ? max(count / vector, 1) * vector : count / whole * whole
  }
}

/// Filters that an array may have.
struct Candidate {
  let filters: [Segment.Filter]
  /// The lag of the first one's differences; 0 where there are none.
  let lag: Int

  init(_ filters: [Segment.Filter], lag: Int = 0) {
    (self.filters, self.lag) = (filters, lag)
  }

  var shufflesBits: Bool { filters.last?.isBitShuffle == true }

  /// Whether it shuffles the bits of the same differences of which another one shuffles the bytes.
  func hasBits(inPlaceOf other: Candidate) -> Bool {
    lag > 0 && lag == other.lag && shufflesBits && !other.shufflesBits
  }

  /// Whether its differences, or numbers, have the same shuffle as those of another one.
  func hasShuffle(of other: Candidate) -> Bool { shuffle == other.shuffle }

  private var shuffle: Segment.Filter? { lag > 0 && filters.count == 1 ? nil : filters.last }

  /// Whether it takes as long as another one: both have differences and the same shuffle.
  func isLike(_ other: Candidate) -> Bool {
    lag > 0 && other.lag > 0 && filters.dropFirst() == other.filters.dropFirst()
  }
}
