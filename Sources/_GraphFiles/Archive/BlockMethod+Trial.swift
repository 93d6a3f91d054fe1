import CGraphArchive
import _GraphSupport

// Finds the filters that suit an array by trying them on pieces of it.

extension BlockMethod {
  /// Finds the best method for packed elements.
  ///
  /// Deterministic: it depends on the bytes alone.
  @inline(never)
  init(
    for bytes: PackedBytes, of source: SegmentWriter.Source, _ compression: ArchiveCompression,
    _ scratch: BlockScratch
  ) {
    let elements = PackedElementsForm(source)
    let note = source.precision.map { [Segment.Filter.note($0)] } ?? []
    guard let level = compression.blockLevel else {
      self.init(level: nil, filters: note, rounding: source.rounding)
      return
    }
    let first = elements.quantised.map { [$0] } ?? note
    let rounding = elements.quantised == nil ? source.rounding : nil
    let trial = Trial(bytes, elements, first, rounding, isFast: level == 0, scratch)
    if let filters = trial.best(of: elements.candidates) {
      self.init(level: level, filters: filters, rounding: rounding)
    } else {
      self.init(level: nil, filters: note, rounding: source.rounding)
    }
  }
}

/// What the filters of an array depend on.
private struct PackedElementsForm {
  let format: PackedFormat
  let elementByteCount: Int
  /// See `SegmentWriter.Source`.
  let scalarByteCount: Int
  /// Integers from the start of a row to the start of the next; 0 where there are no rows, or no block has two.
  let rowLag: Int
  /// 0 if there are no rows, or they are longer than a block.
  let rowsPerBlock: Int
  let quantised: Segment.Filter?

  init(_ source: SegmentWriter.Source) {
    (format, elementByteCount) = (source.format, source.elementByteCount)
    scalarByteCount = source.scalarByteCount
    let rowByteCount = source.rowElementCount * elementByteCount
    rowsPerBlock = source.rowElementCount > 1 ? source.blockByteCount / rowByteCount : 0
    rowLag = rowsPerBlock > 1 ? rowByteCount / scalarByteCount : 0
    quantised = format.floatByteCount.flatMap { source.precision?.quantised(byteCount: $0) }
  }

  var laneCount: Int { elementByteCount / scalarByteCount }

  /// Lists of filters that may suit, after those that the precision requires; fast ones come first.
  var candidates: [Candidate] {
    // The upper bytes of codes are zero: what leaves them between the others is no match for what does not. A byte shuffle of
    // their differences finds whatever one of codes finds.
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
    let delta = Segment.Filter.delta(width: scalarByteCount, lag: laneCount)
    if scalarByteCount > 1 {
      candidates.append(Candidate([delta, .shuffle(elementByteCount: scalarByteCount)]))
    }
    candidates.append(Candidate([delta, bits]))
    if rowLag > laneCount {
      let rowDelta = Segment.Filter.delta(width: scalarByteCount, lag: rowLag, startLag: laneCount)
      candidates.append(Candidate([rowDelta, bits], isForRows: true))
    }
    return candidates
  }
}

/// Filters that an array may have.
private struct Candidate {
  let filters: [Segment.Filter]
  /// The first one subtracts rows from each other.
  let isForRows: Bool

  var shufflesBits: Bool { filters.last?.isBitShuffle == true }

  /// Whether it shuffles the bits of the same differences of which another one shuffles the bytes.
  func hasBits(inPlaceOf other: Candidate) -> Bool {
    filters.count == 2 && shufflesBits && !other.shufflesBits
      && filters.dropLast() == other.filters.dropLast()
  }

  init(_ filters: [Segment.Filter], isForRows: Bool = false) {
    (self.filters, self.isForRows) = (filters, isForRows)
  }
}

/// Pieces of an array, evenly spread over all of it.
private struct Trial {
  private let bytes: PackedBytes
  /// Where they lie.
  private let pieces: [[Range<Int>]]
  /// The same from neighbouring rows: a window of each.
  ///
  /// Empty where the array has no rows.
  private let rowPieces: [[Range<Int>]]
  private let windowByteCount: Int
  private let form: PackedElementsForm
  private let first: [Segment.Filter]
  private let rounding: Rounding?
  private let isFast: Bool
  private let scratch: BlockScratch

  /// The share of bytes that compression, or a slower filter, must save to be worth its time.
  private static let leastGain = 1.0 / 32
  /// The same for a bit shuffle in front of the fast level.
  private static let leastGainOfBits = 1.0 / 16
  /// The same for bits in place of bytes, both behind differences: what their shuffle takes longer, the compressor that the fast level
  /// has for them takes less.
  private static let leastGainOverBytes = 1.0 / 64
  /// The share of the second best's bytes that the best must stay below for a clear choice.
  private static let farAhead = 7.0 / 8
  private static let rowCount = 16

  init(
    _ bytes: PackedBytes, _ form: PackedElementsForm, _ first: [Segment.Filter], _ rounding: Rounding?,
    isFast: Bool, _ scratch: BlockScratch
  ) {
    (self.bytes, self.form, self.first, self.rounding) = (bytes, form, first, rounding)
    (self.isFast, self.scratch) = (isFast, scratch)
    let size = form.elementByteCount
    let count = bytes.byteCount / size
    let isShort = bytes.byteCount < 128 << 10
    // A slow level takes longer for a short array than the trial for all of it.
    let isWhole = isShort && !isFast
    let wanted = isWhole || bytes.byteCount < 32 << 10 ? 1 : min(max(bytes.byteCount >> 17, 2), 8)
    // Ways to store codes are farther apart than others.
    let pieceByteCount = isShort || form.quantised != nil ? 8 << 10 : 16 << 10
    let pieceCount = isWhole ? count : max(min(count, pieceByteCount / size), 1)
    func place(_ index: Int, of room: Int) -> Int { wanted > 1 ? room * index / (wanted - 1) : 0 }
    pieces = (0..<wanted).map { index in
      let start = place(index, of: count - pieceCount) * size
      return [start..<(start + pieceCount * size)]
    }
    let rowByteCount = form.rowLag * form.scalarByteCount
    guard rowByteCount > 0, bytes.byteCount >= 2 * rowByteCount else {
      (rowPieces, windowByteCount) = ([], 0)
      return
    }
    let rows = bytes.byteCount / rowByteCount
    let taken = min(Self.rowCount, form.rowsPerBlock, rows)
    let window = min(rowByteCount, max(pieceCount / taken, 1) * size)
    windowByteCount = window
    rowPieces = (0..<wanted).map { index in
      let row = place(index, of: rows - taken)
      let start = place(index, of: (rowByteCount - window) / size) * size
      return (row..<(row + taken)).map {
        ($0 * rowByteCount + start)..<($0 * rowByteCount + start + window)
      }
    }
  }

  /// The filters that make the pieces smallest; nil if compression is not worth its time.
  func best(of candidates: [Candidate]) -> [Segment.Filter]? {
    // Two of them are tried on all pieces, unless one is far ahead.
    var sizes = candidates.map { _ in Sizes() }
    var left = Array(candidates.indices)
    var rest = Array(pieces.indices)
    if pieces.count > 3, candidates.count > 2 {
      let few = [0, pieces.count / 2, pieces.count - 1]
      rest.removeAll(where: few.contains)
      compress(few, candidates, left, &sizes)
      let order = left.sortedOutOfLine { (sizes[$0].score, $0) < (sizes[$1].score, $1) }
      left = order.prefix(2).sortedOutOfLine(by: <)
      if sizes[order[0]].score <= sizes[order[1]].score * Self.farAhead { (left, rest) = ([order[0]], []) }
    }
    compress(rest, candidates, left, &sizes)
    var (best, bestScore): (Candidate?, Double) = (nil, 1)
    for index in left {
      let candidate = candidates[index]
      let score = sizes[index].score
      let leastGain = isFast && candidate.shufflesBits ? Self.leastGainOfBits : Self.leastGain
      guard score <= bestScore * (1 - leastGain) else { continue }
      (best, bestScore) = (candidate, score)
    }
    if let bytes = best, let bits = left.first(where: { candidates[$0].hasBits(inPlaceOf: bytes) }),
      sizes[bits].score <= bestScore * (1 - Self.leastGainOverBytes)
    {
      best = candidates[bits]
    }
    return best.map { first + $0.filters }
  }

  /// Bytes of pieces before and after compression.
  private struct Sizes {
    var raw = 0
    var stored = 0

    /// The share of their bytes that is left; 1 if it cannot be tried.
    var score: Double { raw == 0 ? 1 : Double(stored) / Double(raw) }
  }

  /// Compresses some pieces by each of several candidates.
  private func compress(
    _ numbers: [Int], _ candidates: [Candidate], _ tried: [Int], _ sizes: inout [Sizes]
  ) {
    for number in numbers {
      // A piece is copied once for all that take it.
      for (isForRows, pieces) in [(false, pieces), (true, rowPieces)] where !pieces.isEmpty {
        let tried = tried.filter { candidates[$0].isForRows == isForRows }
        if tried.isEmpty { continue }
        let piece = bytes.rounded(pieces[number], rounding)
        for index in tried { compress(piece, candidates[index], &sizes[index]) }
      }
    }
  }

  private func compress(_ piece: [UInt8], _ candidate: Candidate, _ sizes: inout Sizes) {
    var filters = first + candidate.filters
    if candidate.isForRows {
      let lag = windowByteCount / form.scalarByteCount
      guard lag > form.laneCount else { return }
      filters[first.count] = .delta(width: form.scalarByteCount, lag: lag, startLag: form.laneCount)
    }
    // The fast level is enough to tell which method suits, whatever level is used then.
    let method = BlockMethod(level: 0, filters: filters)
    sizes.raw += piece.count
    unsafe piece.withUnsafeBytes {
      unsafe sizes.stored += method.compressed($0, scratch)?.count ?? $0.count
    }
  }
}

extension PackedBytes {
  /// Copies ranges of the bytes, one behind the other, and rounds their elements.
  fileprivate func rounded(_ ranges: [Range<Int>], _ rounding: Rounding?) -> [UInt8] {
    let count = ranges.reduce(0) { $0 + $1.count }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      for range in ranges {
        unsafe copy(
          range,
          to: UnsafeMutableRawBufferPointer(rebasing: memory[initialized..<(initialized + range.count)]))
        initialized += range.count
      }
      unsafe rounding?.apply(to: UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }
  }
}
