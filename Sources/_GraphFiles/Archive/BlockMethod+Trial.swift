import CGraphArchive
import _GraphSupport

// Finds the filters that suit an array by trying them on pieces of it.

extension BlockMethod {
  /// Finds the best method for packed elements.
  ///
  /// Deterministic: it depends on the bytes alone.
  ///
  /// - Parameter keep: receives a block that the trial has compressed by the codec for numbers, and its number.
  @inline(never)
  init(
    for bytes: PackedBytes, of source: SegmentWriter.Source, _ compression: ArchiveCompression,
    _ scratch: BlockScratch, keep: (UnsafeRawBufferPointer, _ block: Int) -> Void = { _, _ in }
  ) {
    let elements = PackedElementsForm(source)
    let note = source.precision.map { [Segment.Filter.note($0)] } ?? []
    guard let level = compression.blockLevel else {
      self.init(level: nil, filters: note, rounding: source.rounding)
      return
    }
    let first = elements.quantised.map { [$0] } ?? note
    let rounding = elements.quantised == nil ? source.rounding : nil
    var trial = Trial(bytes, elements, first, rounding, isFast: level == 0, scratch)
    func byFilters(_ trial: inout Trial) -> BlockMethod? {
      trial.best().map { BlockMethod(level: level, filters: $0, rounding: rounding) }
    }
    guard compression.makesNumbersSmall, let form = NumbersForm(source, quantised: elements.quantised) else {
      self = byFilters(&trial) ?? BlockMethod(level: nil, filters: note, rounding: source.rounding)
      return
    }
    let small = BlockMethod(level: level, filters: first, numbers: form, rounding: rounding)
    let numbers = unsafe NumbersTrial(small, source, scratch, keep: keep)
    if numbers.isFarAhead(of: &trial) {
      self = small
      return
    }
    let filtered = byFilters(&trial)
    let stored = BlockMethod(level: nil, filters: note, rounding: source.rounding)
    self = numbers.isSmaller(than: filtered) ? small : filtered ?? stored
  }
}

/// Tries filters on pieces of an array.
struct Trial {
  private let bytes: PackedBytes
  private let pieces: TrialPieces
  private let form: PackedElementsForm
  private let first: [Segment.Filter]
  private let rounding: Rounding?
  private let isFast: Bool
  private let scratch: BlockScratch
  /// Of all candidates, on a few pieces; empty before they are tried.
  private var fewResults: [Result] = []

  /// The share of bytes that compression, or a slower filter, must save to be worth its time.
  private static let leastGain = 1.0 / 32
  /// The same for a bit shuffle in front of the fast level.
  private static let leastGainOfBits = 1.0 / 16
  /// The same for bits in place of bytes, both behind differences: what their shuffle takes longer, the compressor that the fast level
  /// has for them takes less.
  private static let leastGainOverBytes = 1.0 / 64
  /// The share of the second best's bytes that the best must stay below for a clear choice.
  private static let farAhead = 7.0 / 8
  /// The share of bytes that is so small that pieces tell little of it: what their first elements take is a large part.
  private static let verySmall = 1.0 / 6
  /// Elements of a large piece, in those of others.
  private static let largePiece = 8

  init(
    _ bytes: PackedBytes, _ form: PackedElementsForm, _ first: [Segment.Filter], _ rounding: Rounding?,
    isFast: Bool, _ scratch: BlockScratch
  ) {
    (self.bytes, self.form, self.first, self.rounding) = (bytes, form, first, rounding)
    (self.isFast, self.scratch) = (isFast, scratch)
    pieces = TrialPieces(bytes.byteCount, form, isFast: isFast)
  }

  /// A candidate that stands for all contenders with the same shuffle.
  struct Leader {
    let candidate: Candidate
    /// The bytes that the best of these leaves of a few pieces, for each byte that this one leaves.
    let best: Double
  }

  /// The contenders, so far as a few pieces tell, one for each shuffle; none if nothing is worth its time.
  ///
  /// One with differences stands for those without: where numbers recur, so do their differences, but not the other way round.
  mutating func leaders() -> [Leader] {
    let contenders = contenders()
    guard let chosen = choice(of: contenders) else { return [] }
    let results = isLarge ? contenders : contenders.filter { $0.candidate.filters == chosen.filters }
    let byScore = results.sortedOutOfLine { $0.score < $1.score }
    var leaders: [Leader] = []
    for result in byScore where !leaders.contains(where: { $0.candidate.hasShuffle(of: result.candidate) }) {
      let like = byScore.filter { $0.candidate.hasShuffle(of: result.candidate) }
      let leader = like.first { $0.candidate.lag > 0 } ?? result
      let candidate = betterByGroups(leader.candidate) ?? leader.candidate
      leaders.append(Leader(candidate: candidate, best: result.score / leader.score))
    }
    return leaders
  }

  /// The filters that make the pieces smallest; nil if compression is not worth its time.
  mutating func best() -> [Segment.Filter]? {
    var results = contenders()
    if isLarge, results.count > 2 {
      results = results.map { Result($0.candidate) }
      compress([pieces.count / 2], &results[...], scale: Self.largePiece)
    } else if isLarge, results.count > 1 {
      compress((0..<pieces.count).filter { !few.contains($0) }, &results[...])
    }
    guard let best = choice(of: results) else { return nil }
    return first + (betterByGroups(best) ?? best).filters
  }

  private var isLarge: Bool { pieces.count > 3 && form.candidates.count > 2 }
  private var few: [Int] { isLarge ? [0, pieces.count / 2, pieces.count - 1] : Array(0..<pieces.count) }

  private mutating func tryFew() {
    guard fewResults.isEmpty else { return }
    fewResults = form.candidates.map { Result($0) }
    compress(few, &fewResults[...])
    if let best = bestOfRows(fewResults), let bytes = form.withBytes(fewResults[best].candidate) {
      // In front of it, because it is faster.
      fewResults.insert(Result(bytes), at: best)
      compress(few, &fewResults[best...best])
    }
  }

  // MARK: Choosing

  /// What one candidate has made of the pieces that it has been tried on, in bytes.
  private struct Result {
    let candidate: Candidate
    var raw = 0
    var stored = 0

    init(_ candidate: Candidate) { self.candidate = candidate }

    /// The share of the bytes that is left; 1 if the candidate cannot be tried.
    var score: Double { raw == 0 ? 1 : Double(stored) / Double(raw) }
  }

  /// The candidates of which one is the best, in their order: of a large array the best one on a few pieces if it is clearly so, otherwise
  /// the two best, or three where pieces tell little.
  private mutating func contenders() -> [Result] {
    tryFew()
    guard isLarge else { return fewResults }
    let order = fewResults.indices.sortedOutOfLine { (fewResults[$0].score, $0) < (fewResults[$1].score, $1) }
    let (least, next) = (fewResults[order[0]].score, fewResults[order[1]].score)
    let tellsLittle = least < Self.verySmall && least > next / 2 && !form.farLags.isEmpty
    let count = tellsLittle ? 3 : least <= next * Self.farAhead ? 1 : 2
    return order.prefix(count).sortedOutOfLine(by: <).map { fewResults[$0] }
  }

  /// The best differences of rows, or of parts of other dimensions.
  private func bestOfRows(_ results: [Result]) -> Int? {
    results.indices.filter { results[$0].candidate.lag > form.laneCount }
      .min { results[$0].score < results[$1].score }
  }

  /// The smallest result that is worth its time, the fast ones first.
  private func choice(of results: [Result]) -> Candidate? {
    var best: Result?
    for result in results {
      let slower = isFast && result.candidate.shufflesBits ? Self.leastGainOfBits : Self.leastGain
      let leastGain = best?.candidate.isLike(result.candidate) == true ? 0 : slower
      guard result.score <= (best?.score ?? 1) * (1 - leastGain) else { continue }
      best = result
    }
    guard let best else { return nil }
    let bits = results.first { $0.candidate.hasBits(inPlaceOf: best.candidate) }
    if let bits, bits.score <= best.score * (1 - Self.leastGainOverBytes) { return bits.candidate }
    return best.candidate
  }

  /// What is clearly smaller because vectors come in groups; nil where they do not.
  private func betterByGroups(_ candidate: Candidate) -> Candidate? {
    var results = ([candidate] + form.withGroups(candidate)).map { Result($0) }
    guard results.count > 1 else { return nil }
    compress([pieces.count / 2], &results[...])
    guard let best = results.min(by: { $0.score < $1.score }),
      best.score <= results[0].score * (1 - Self.leastGainOfBits)
    else { return nil }
    return best.candidate
  }

  // MARK: Compressing

  /// Compresses some pieces by each of several candidates.
  private func compress(_ numbers: [Int], _ results: inout ArraySlice<Result>, scale: Int = 1) {
    for number in numbers {
      // A piece is copied once for all that take it.
      var copies: [TrialPieces.Piece: [UInt8]] = [:]
      for index in results.indices {
        let candidate = results[index].candidate
        let place = pieces.piece(number, lag: candidate.lag, scale: scale)
        let piece = copies[place] ?? bytes.rounded(place.ranges, rounding)
        copies[place] = piece
        var filters = first + candidate.filters
        if place.windowByteCount > 0 {
          filters[first.count] = form.delta(place.windowByteCount / form.scalarByteCount)
        }
        // The fast level is enough to tell which method suits, whatever level is used then.
        let method = BlockMethod(level: 0, filters: filters)
        results[index].raw += piece.count
        unsafe piece.withUnsafeBytes {
          unsafe results[index].stored += method.compressed($0, scratch)?.count ?? $0.count
        }
      }
    }
  }
}

extension PackedBytes {
  /// Copies ranges of the bytes, one behind the other, and rounds their elements.
  func rounded(_ ranges: [Range<Int>], _ rounding: Rounding?) -> [UInt8] {
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
