import GraphCodable
import GraphCodableTestSupport

/// Bytes of which some were changed, inserted, removed or exchanged, and what is left of the old ones.
struct DamagedBytes {
  private let original: Bytes
  private var pieces: [Piece]

  /// A run of old bytes, or new ones.
  private enum Piece {
    case old(Range<Int>)
    case new(Bytes)

    var count: Int {
      switch self {
      case .old(let range): range.count
      case .new(let bytes): bytes.count
      }
    }
  }

  init(_ original: Bytes) {
    self.original = original
    pieces = [.old(0..<original.count)]
  }

  var count: Int { pieces.reduce(0) { $0 + $1.count } }

  var bytes: Bytes {
    pieces.reduce(into: []) {
      switch $1 {
      case .old(let range): $0 += original[range]
      case .new(let bytes): $0 += bytes
      }
    }
  }

  /// Whether old bytes are still there, one behind the other.
  func isIntact(_ range: Range<Int>) -> Bool {
    runs.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
  }

  /// Old bytes that are still one behind the other.
  private var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    var isNext = false
    for piece in pieces where piece.count > 0 {
      guard case .old(let range) = piece else {
        isNext = false
        continue
      }
      if isNext, let last = runs.last, last.upperBound == range.lowerBound {
        runs[runs.count - 1] = last.lowerBound..<range.upperBound
      } else {
        runs.append(range)
      }
      isNext = true
    }
    return runs
  }

  // MARK: Damages

  mutating func insert(_ bytes: Bytes, at place: Int) {
    pieces.insert(.new(bytes), at: split(at: place))
  }

  mutating func remove(_ range: Range<Int>) { _ = take(range) }

  mutating func swap(_ first: Range<Int>, _ second: Range<Int>) {
    precondition(first.upperBound <= second.lowerBound)
    let later = take(second)
    let earlier = take(first)
    pieces.insert(contentsOf: earlier, at: split(at: second.lowerBound - first.count))
    pieces.insert(contentsOf: later, at: split(at: first.lowerBound))
  }

  /// Changes bytes; those that stay what they were are intact.
  mutating func change(_ range: Range<Int>, _ body: (UInt8) -> UInt8) {
    let place = split(at: range.lowerBound)
    var changed: [Piece] = []
    for piece in take(range) {
      switch piece {
      case .new(let bytes): changed.append(.new(bytes.map(body)))
      case .old(let old):
        var start = old.lowerBound
        while start < old.upperBound {
          let isSame = body(original[start]) == original[start]
          var end = start + 1
          while end < old.upperBound, (body(original[end]) == original[end]) == isSame { end += 1 }
          changed.append(isSame ? .old(start..<end) : .new(original[start..<end].map(body)))
          start = end
        }
      }
    }
    pieces.insert(contentsOf: changed, at: place)
  }

  /// The number of the piece that begins at a place.
  private mutating func split(at place: Int) -> Int {
    var start = 0
    for (index, piece) in pieces.enumerated() {
      if start == place { return index }
      if start + piece.count > place {
        let skipped = place - start
        switch piece {
        case .old(let range):
          pieces[index] = .old(range.lowerBound..<(range.lowerBound + skipped))
          pieces.insert(.old((range.lowerBound + skipped)..<range.upperBound), at: index + 1)
        case .new(let bytes):
          pieces[index] = .new(Bytes(bytes[..<skipped]))
          pieces.insert(.new(Bytes(bytes[skipped...])), at: index + 1)
        }
        return index + 1
      }
      start += piece.count
    }
    return pieces.count
  }

  private mutating func take(_ range: Range<Int>) -> ArraySlice<Piece> {
    let first = split(at: range.lowerBound)
    let end = split(at: range.upperBound)
    let taken = pieces[first..<end]
    pieces.removeSubrange(first..<end)
    return taken
  }
}

extension DamagedBytes {
  /// Does one of ten kinds of damage, of which 3 and 4 are those of archives, at random, and says which.
  mutating func damage(_ kind: Int, _ random: inout SplitMix64) -> String {
    let count = count
    func range(atMost: Int) -> Range<Int> {
      let byteCount = 1 + random.below(min(atMost, count))
      let start = random.below(count - byteCount + 1)
      return start..<(start + byteCount)
    }
    switch kind {
    case 0:
      let (place, bit) = (random.below(count), UInt8(1) << UInt8(random.below(8)))
      change(place..<(place + 1)) { $0 ^ bit }
      return "flipped byte"
    case 1:
      remove(random.below(count)..<count)
      return "cut"
    case 2:
      let start = random.below(count) / 4096 * 4096
      change(start..<min(start + 4096, count)) { _ in 0 }
      return "zeroed page"
    case 5:
      insert(
        Bytes((0...random.below(5_000)).map { UInt8(truncatingIfNeeded: $0) }), at: random.below(count + 1))
      return "inserted bytes"
    case 6:
      remove(range(atMost: 5_000))
      return "removed bytes"
    case 7:
      let sectors = (count - 1) / 512
      guard sectors > 1 else { return "nothing" }
      let (length, first) = (1 + random.below(min(64, sectors / 2)), random.below(sectors))
      let (low, high) = (min(first, sectors - 2 * length), sectors - length)
      guard low >= 0, low + length <= high else { return "nothing" }
      let second = low + length + random.below(high - low - length + 1)
      swap((low * 512)..<((low + length) * 512), (second * 512)..<((second + length) * 512))
      return "exchanged sectors"
    case 8:
      change(range(atMost: 20_000)) { _ in 0 }
      return "zeroed range"
    default:
      for _ in 0..<2 {
        let place = random.below(self.count + 1)
        if random.below(2) == 0 {
          insert([1, 2, 3], at: place)
        } else {
          remove(place..<min(place + 1 + random.below(100), self.count))
        }
      }
      return "two of insertions and removals"
    }
  }
}
