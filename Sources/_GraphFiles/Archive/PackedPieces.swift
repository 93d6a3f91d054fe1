import _GraphSupport

/// Packed elements in several places, in order.
package final class PackedPieces: PackedOwner {
  package let elementByteCount: Int
  /// In one struct, because each access to a property of an object is checked.
  private var list = List()

  private struct List {
    var byteCount = 0
    var pieces: [Piece] = []
    /// The byte that each of them begins with.
    var starts: [Int] = []
    /// Copies of elements that are not worth their own owner.
    var copied: [UInt8] = []

    mutating func append(_ piece: Piece) {
      pieces.append(piece)
      starts.append(byteCount)
    }

    mutating func append(copying bytes: PackedBytes) {
      if case .copied = pieces.last {
      } else {
        append(.copied(copied.count))
      }
      bytes.append(to: &copied)
      byteCount += bytes.byteCount
    }

    mutating func removeAll() {
      byteCount = 0
      pieces.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
      copied.removeAll(keepingCapacity: true)
    }
  }

  private enum Piece {
    case held(any PackedOwner)
    /// From a place in `copied` on.
    case copied(Int)
  }

  package init(elementByteCount: Int) { self.elementByteCount = elementByteCount }

  package var byteCount: Int { list.byteCount }

  /// Adds elements that stay where they are until they are written.
  package func append(_ owner: any PackedOwner, byteCount: Int) {
    list.append(.held(owner))
    list.byteCount += byteCount
  }

  /// Adds a copy of elements.
  package func append(copying bytes: PackedBytes) { list.append(copying: bytes) }

  /// Removes all elements, and keeps the memory for others.
  package func removeAll() { list.removeAll() }

  package func withPackedBytes<Result>(_ body: (PackedBytes) throws -> Result) rethrows -> Result {
    try body(PackedBytes(self))
  }

  /// Copies a range of the bytes to memory that has room for them.
  func copy(_ range: Range<Int>, to target: UnsafeMutableRawBufferPointer) {
    let (pieces, starts) = (list.pieces, list.starts)
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
        unsafe list.copied.withUnsafeBytes {
          let bytes = unsafe $0[(first + place - start)..<(first + end - start)]
          unsafe part.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
        }
      }
      (piece, place) = (piece + 1, end)
    }
  }
}
