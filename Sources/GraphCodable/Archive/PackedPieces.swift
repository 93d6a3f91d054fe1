/// Packed elements that lie in several places, one behind the other.
final class PackedPieces: PackedOwner {
  let elementByteCount: Int
  private(set) var byteCount = 0
  private var pieces: [Piece] = []
  /// The byte that each of them begins with.
  private var starts: [Int] = []
  /// What is not worth an owner of its own.
  private var copied: [UInt8] = []

  private enum Piece {
    case held(any PackedOwner)
    /// From a place in `copied` on.
    case copied(Int)
  }

  init(elementByteCount: Int) { self.elementByteCount = elementByteCount }

  /// Adds elements that stay where they are until they are written.
  func append(_ owner: any PackedOwner, byteCount: Int) {
    pieces.append(.held(owner))
    starts.append(self.byteCount)
    self.byteCount += byteCount
  }

  /// Adds a copy of elements.
  func append(copying bytes: PackedBytes) {
    let start = copied.count
    if case .copied = pieces.last {
    } else {
      pieces.append(.copied(start))
      starts.append(byteCount)
    }
    copied.append(contentsOf: repeatElement(0, count: bytes.byteCount))
    // Room for them has just been made.
    unsafe copied.withUnsafeMutableBytes {
      unsafe bytes.copy(0..<bytes.byteCount, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
    byteCount += bytes.byteCount
  }

  /// Removes all elements, and keeps the memory for others.
  func removeAll() {
    byteCount = 0
    pieces.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    copied.removeAll(keepingCapacity: true)
  }

  func withPackedBytes<Result>(_ body: (PackedBytes) throws -> Result) rethrows -> Result {
    try body(PackedBytes(self))
  }

  /// Copies a range of the bytes to memory that has room for them.
  func copy(_ range: Range<Int>, to target: UnsafeMutableRawBufferPointer) {
    var piece = starts.partitioningIndex { $0 > range.lowerBound } - 1
    var place = range.lowerBound
    while place < range.upperBound {
      let start = starts[piece]
      let end = min(piece + 1 < starts.count ? starts[piece + 1] : byteCount, range.upperBound)
      // The target has room for the range.
      let part = unsafe UnsafeMutableRawBufferPointer(
        rebasing: target[(place - range.lowerBound)..<(end - range.lowerBound)])
      switch pieces[piece] {
      case .held(let owner):
        owner.withPackedBytes { unsafe $0.copy((place - start)..<(end - start), to: part) }
      case .copied(let first):
        unsafe copied.withUnsafeBytes {
          let bytes = unsafe $0[(first + place - start)..<(first + end - start)]
          unsafe part.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
        }
      }
      (piece, place) = (piece + 1, end)
    }
  }
}
