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
    var best: BlockMethod?
    if let filters = trial.best(of: elements.candidates) {
      best = BlockMethod(level: level, filters: filters, rounding: rounding)
    }
    if compression.makesNumbersSmall, let form = NumbersForm(source, quantised: elements.quantised) {
      let small = BlockMethod(level: level, filters: first, numbers: form, rounding: rounding)
      if small.isSmaller(than: best, for: bytes, source.blockByteCount, scratch) { best = small }
    }
    self = best ?? BlockMethod(level: nil, filters: note, rounding: source.rounding)
  }

  /// Bytes of the piece that the codec for numbers is tried on first, a multiple of all elements' sizes.
  private static let firstByteCount = 48 << 10

  /// Whether a block from the middle of an array becomes smaller than by another method, and smaller at all.
  private func isSmaller(
    than other: BlockMethod?, for bytes: PackedBytes, _ blockByteCount: Int, _ scratch: BlockScratch
  ) -> Bool {
    let start = bytes.byteCount / blockByteCount / 2 * blockByteCount
    let block = bytes.rounded([start..<min(start + blockByteCount, bytes.byteCount)], rounding)
    return unsafe block.withUnsafeBytes { block in
      func count(_ method: BlockMethod, _ raw: UnsafeRawBufferPointer) -> Int {
        unsafe method.compressed(raw, scratch)?.count ?? raw.count
      }
      let least = block.count - block.count / Self.leastShare
      let most = min(other.map { unsafe count($0, block) } ?? least, least)
      // LZ4 is fast. Numbers take a larger share of a piece than of a block, which has as many tables, and rows before its rows.
      let share = Double(most) / Double(block.count) * Self.farAhead
      let quarter = block.count / 4 / Self.firstByteCount * Self.firstByteCount
      let pieces = [Self.firstByteCount] + (quarter > Self.firstByteCount ? [quarter] : [])
      for pieceByteCount in pieces where pieceByteCount * 2 < block.count {
        let (method, piece) = unsafe piece(of: block, pieceByteCount)
        if unsafe piece.withUnsafeBytes({ unsafe Double(count(method, $0)) }) <= share * Double(piece.count) {
          return true
        }
      }
      return unsafe count(self, block) <= most
    }
  }

  /// A piece from the middle of a block, in front of it the same part of the row before where rows are long, and the method for both.
  private func piece(of block: UnsafeRawBufferPointer, _ count: Int) -> (method: BlockMethod, bytes: [UInt8])
  {
    let rowByteCount = numbers?.rowByteCount ?? 0
    func bytes(from start: Int) -> [UInt8] { unsafe [UInt8](block[start..<(start + count)]) }
    guard rowByteCount > count, block.count >= 2 * rowByteCount else {
      return (self, bytes(from: block.count / 2 / count * count))
    }
    let inRow = (rowByteCount - count) / 2 / count * count
    let start = block.count / rowByteCount / 2 * rowByteCount + inRow
    var method = self
    method.numbers?.setRow(byteCount: count)
    return (method, bytes(from: start - rowByteCount) + bytes(from: start))
  }

  /// The share of LZ4's bytes that a piece must stay below to tell of a block, whose numbers may be others.
  private static let farAhead = 15.0 / 16
  /// The share of bytes that numbers must save to have their codec.
  private static let leastShare = 64
}

/// Tries filters on pieces of an array.
private struct Trial {
  private let bytes: PackedBytes
  private let pieces: TrialPieces
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

  /// The filters that make the pieces smallest; nil if compression is not worth its time.
  func best(of candidates: [Candidate]) -> [Segment.Filter]? {
    var results = candidates.map { Result($0) }
    let isLarge = pieces.count > 3 && candidates.count > 2
    let few = isLarge ? [0, pieces.count / 2, pieces.count - 1] : Array(0..<pieces.count)
    compress(few, &results[...])
    if let best = bestOfRows(results), let bytes = form.withBytes(candidates[best]) {
      // In front of it, because it is faster.
      results.insert(Result(bytes), at: best)
      compress(few, &results[best...best])
    }
    if isLarge {
      let order = results.indices.sortedOutOfLine { (results[$0].score, $0) < (results[$1].score, $1) }
      let (least, next) = (results[order[0]].score, results[order[1]].score)
      if least < Self.verySmall, least > next / 2, !form.farLags.isEmpty {
        results = order.prefix(3).sortedOutOfLine(by: <).map { Result(results[$0].candidate) }
        compress([pieces.count / 2], &results[...], scale: Self.largePiece)
      } else if least <= next * Self.farAhead {
        results = [results[order[0]]]
      } else {
        results = order.prefix(2).sortedOutOfLine(by: <).map { results[$0] }
        compress((0..<pieces.count).filter { !few.contains($0) }, &results[...])
      }
    }
    guard let best = choice(of: results) else { return nil }
    return first + (betterByGroups(best) ?? best).filters
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
