import CGraphArchive
import _GraphFiles

/// A run of bytes that belongs to an archive, and whose checksum is known.
struct KnownRun {
  /// Where it belongs.
  let offset: UInt64
  let byteCount: Int
  /// Of these bytes.
  let hash: UInt64
  /// What it expands to if it is an LZ4 block; otherwise 0.
  var rawByteCount = 0
}

/// Finds runs of bytes by their checksums where bytes were inserted, removed, or moved.
///
/// One damage moves all that follows as far as it moves the next. So each run is looked for as far from its place as those around
/// it, and as the structures are that say themselves what they are; then at every byte of what belongs to nothing else.
struct RunSearch {
  private let source: ArchiveSource
  private let runs: [KnownRun]
  /// Where each run is found.
  private(set) var places: [UInt64?]
  /// How far from their places runs were found, those found last in front.
  private var shifts: [Int64]
  /// Bytes of the file that belong to nothing that was found, in ascending order.
  private var gaps: [Range<UInt64>] = []
  /// Bytes that may be compared still: blocks without compression show nothing but by the checksum of all their bytes.
  private var allowance: UInt64

  /// - Parameters:
  ///   - places: where runs stand that have been found, as many as there are runs.
  ///   - shifts: how far from their places others may stand.
  init(_ source: ArchiveSource, _ runs: [KnownRun], places: [UInt64?], shifts: [Int64]) {
    self.source = source
    self.runs = runs
    self.places = places
    var seen: Set<Int64> = []
    self.shifts = shifts.filter { seen.insert($0).inserted }.prefix(Self.maximumShiftCount).map(\.self)
    allowance = Self.leastAllowance + 16 * min(source.byteCount, 1 << 56)
  }

  private static let maximumShiftCount = 64
  /// About as many as a second can compare.
  private static let leastAllowance: UInt64 = 4 << 30

  /// - Parameter takesCopies: whether the bytes of one run may do for another one with the same checksum.
  mutating func find(takesCopies: Bool) throws {
    try tryShifts()
    try searchGaps()
    guard takesCopies else { return }
    var found: [[UInt64]: UInt64] = [:]
    for (run, place) in zip(runs, places) {
      if let place { found[[run.hash, UInt64(run.byteCount)]] = place }
    }
    for index in runs.indices where places[index] == nil {
      places[index] = found[[runs[index].hash, UInt64(runs[index].byteCount)]]
    }
  }

  // MARK: Where others are

  private mutating func tryShifts() throws {
    for index in runs.indices {
      if let place = places[index] {
        note(shift(of: place, runs[index]))
        continue
      }
      for shift in shifts where try isFound(index, shift) { break }
    }
  }

  private func shift(of place: UInt64, _ run: KnownRun) -> Int64 { Int64(bitPattern: place &- run.offset) }

  private mutating func note(_ shift: Int64) {
    guard shifts.first != shift else { return }
    shifts.removeAll { $0 == shift }
    shifts.insert(shift, at: 0)
    if shifts.count > Self.maximumShiftCount { shifts.removeLast() }
  }

  private mutating func isFound(_ index: Int, _ shift: Int64) throws -> Bool {
    let run = runs[index]
    let place = run.offset &+ UInt64(bitPattern: shift)
    guard place <= source.byteCount, UInt64(run.byteCount) <= source.byteCount - place,
      take(UInt64(run.byteCount))
    else { return false }
    let hash = try unsafe source.withBytes(run.byteCount, from: place) {
      unsafe gca_hash64_bytes($0.baseAddress, $0.count)
    }
    guard hash == run.hash else { return false }
    places[index] = place
    note(shift)
    return true
  }

  private mutating func take(_ byteCount: UInt64) -> Bool {
    guard byteCount <= allowance else { return false }
    allowance -= byteCount
    return true
  }

  // MARK: What belongs to nothing

  private mutating func searchGaps() throws {
    findGaps()
    // What is cheap first, for all runs: of those that are damaged, each would cost all that may be compared.
    for step in Self.steps {
      for index in runs.indices where places[index] == nil {
        guard let place = try searchGaps(for: runs[index], step) else { continue }
        claim(index, place)
        // What stands beside it has moved as far.
        let shift = shift(of: place, runs[index])
        note(shift)
        for other in runs.indices where places[other] == nil {
          if try isFound(other, shift), let place = places[other] { claim(other, place) }
        }
      }
    }
  }

  /// Which places are tried: those at a multiple of `stride` from where a run belongs, at most `radius` from where it would be if it
  /// had moved as others have.
  private struct Step {
    let stride: UInt64
    let radius: UInt64
  }

  /// Whole pages and sectors move more often than other bytes.
  private static let steps = [
    Step(stride: 1, radius: 64), Step(stride: 4096, radius: .max), Step(stride: 512, radius: .max),
    Step(stride: 1, radius: 4096), Step(stride: 1, radius: .max),
  ]

  private mutating func searchGaps(for run: KnownRun, _ step: Step) throws -> UInt64? {
    let byteCount = UInt64(run.byteCount)
    for gap in gaps where gap.upperBound - gap.lowerBound >= byteCount {
      let all = gap.lowerBound..<(gap.upperBound - byteCount + 1)
      let near =
        step.radius == .max
        ? [all]
        : shifts.prefix(2).compactMap { shift in
          let (expected, isNone) = Int64(clamping: run.offset).addingReportingOverflow(shift)
          guard !isNone, expected >= 0 else { return nil }
          let place = UInt64(expected)
          let (low, high) = (place - min(place, step.radius), place.addingSaturated(step.radius + 1))
          return all.overlaps(low..<high) ? all.clamped(to: low..<high) : nil
        }
      for places in near {
        if let place = try search(places, run, step.stride) { return place }
      }
    }
    return nil
  }

  private mutating func findGaps() {
    let claimed = zip(runs, places).compactMap { run, place in place.map { $0..<($0 + UInt64(run.byteCount)) }
    }
    var end: UInt64 = 0
    for range in claimed.sortedOutOfLine(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end { gaps.append(end..<range.lowerBound) }
      end = max(end, range.upperBound)
    }
    if end < source.byteCount { gaps.append(end..<source.byteCount) }
  }

  private mutating func claim(_ index: Int, _ place: UInt64) {
    places[index] = place
    let range = place..<(place + UInt64(runs[index].byteCount))
    gaps = gaps.flatMap { gap in
      guard gap.overlaps(range) else { return [gap] }
      return [
        gap.lowerBound..<max(gap.lowerBound, range.lowerBound),
        min(gap.upperBound, range.upperBound)..<gap.upperBound,
      ].filter { !$0.isEmpty }
    }
  }

  /// Which of these places a run has; nil where it has none, or looking for it would take too long.
  private mutating func search(_ places: Range<UInt64>, _ run: KnownRun, _ stride: UInt64) throws -> UInt64? {
    let byteCount = UInt64(run.byteCount)
    let cost = run.rawByteCount > 0 ? Self.trialByteCount : max(byteCount, 1)
    let end = places.upperBound
    var start = places.lowerBound + (run.offset &- places.lowerBound) % stride
    while start < end {
      let wanted = min((end - start + stride - 1) / stride, max(Self.pieceByteCount / stride, 1))
      let count = min(wanted, allowance / cost)
      guard count > 0, take(count * cost) else { return nil }
      // Each piece has what its last place needs.
      let pieceByteCount = (count - 1) * stride + byteCount
      let placesEnd = Int((count - 1) * stride) + 1
      let found = try unsafe source.withBytes(Int(pieceByteCount), from: start) { bytes in
        let sought = gca_sought(byteCount: run.byteCount, hash: run.hash, rawCount: run.rawByteCount)
        return unsafe gca_search_hash(
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), 0, placesEnd, Int(stride), sought)
      }
      if found < placesEnd { return start + UInt64(found) }
      start += count * stride
    }
    return nil
  }

  private static let pieceByteCount: UInt64 = 8 << 20
  /// What it costs to see that bytes are no LZ4 block.
  private static let trialByteCount: UInt64 = 64
}
