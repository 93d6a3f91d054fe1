import _GraphMaintenance
import _GraphSupport

extension RealignedFile.Piece {
  /// What is left without the bytes that belong to others.
  ///
  /// - Parameter others: in ascending order.
  func without(_ others: [Self]) -> [Self] {
    var (left, rest): ([Self], Self) = ([], self)
    var index = others.partitioningIndex { $0.end > offset }
    while index < others.count, others[index].offset < end {
      let other = others[index]
      if other.offset > rest.offset {
        left.append(Self(offset: rest.offset, place: rest.place, byteCount: other.offset - rest.offset))
      }
      let start = Swift.min(Swift.max(other.end, rest.offset), end)
      rest = Self(offset: start, place: place + (start - offset), byteCount: end - start)
      index += 1
    }
    return left + (rest.byteCount > 0 ? [rest] : [])
  }
}
