import GraphCodable

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
