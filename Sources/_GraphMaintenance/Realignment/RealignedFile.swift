import _GraphFiles
import _GraphSupport

/// A file whose bytes are at the places where they belong, made of one in which they are elsewhere.
///
/// What is not found anywhere is zero.
package final class RealignedFile: RangeReader {
  /// A run of bytes that belongs in one place and stands in another.
  package struct Piece: Equatable {
    package var offset: UInt64
    package var place: UInt64
    package var byteCount: UInt64

    package init(offset: UInt64, place: UInt64, byteCount: UInt64) {
      (self.offset, self.place, self.byteCount) = (offset, place, byteCount)
    }

    package var end: UInt64 { offset + byteCount }
    /// How far behind the place where it belongs it stands.
    package var shift: Int64 { Int64(bitPattern: place &- offset) }
  }

  package let path: String
  private let storage: ArchiveStorage
  /// In ascending order of what they belong to, without overlaps.
  private let pieces: [Piece]
  private let size: UInt64

  /// - Parameter pieces: within `storage`; of those that belong in the same place, the first ones count.
  package init(_ storage: ArchiveStorage, _ pieces: [Piece], byteCount: UInt64) {
    path = if case .file(let file, _, _) = storage { file.path } else { "the archive" }
    self.storage = storage
    size = byteCount
    var merged: [Piece] = []
    for var piece in pieces.sortedOutOfLine(by: { $0.offset < $1.offset }) where piece.offset < byteCount {
      piece.byteCount = min(piece.byteCount, byteCount - piece.offset)
      guard let last = merged.last else {
        merged.append(piece)
        continue
      }
      let overlap = last.end > piece.offset ? last.end - piece.offset : 0
      guard overlap < piece.byteCount else { continue }
      piece.offset += overlap
      piece.place += overlap
      piece.byteCount -= overlap
      if last.end == piece.offset, last.shift == piece.shift {
        merged[merged.count - 1].byteCount += piece.byteCount
      } else {
        merged.append(piece)
      }
    }
    self.pieces = merged
  }

  package func byteCount() throws -> UInt64 { size }

  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    guard offset <= size, UInt64(destination.count) <= size - offset else { return false }
    // The buffer is the caller's, and each piece is cut to it.
    unsafe destination.initializeMemory(as: UInt8.self, repeating: 0)
    let end = offset + UInt64(destination.count)
    var index = pieces.partitioningIndex { $0.end > offset }
    try storage.withSource { source in
      while index < pieces.count, pieces[index].offset < end {
        let piece = pieces[index]
        let (from, to) = (max(piece.offset, offset), min(piece.end, end))
        let room = unsafe UnsafeMutableRawBufferPointer(
          rebasing: destination[Int(from - offset)..<Int(to - offset)])
        try unsafe source.read(room, from: piece.place + (from - piece.offset))
        index += 1
      }
    }
    return true
  }

  /// nil: what is damaged is read once.
  package func readAhead(of ranges: () -> [Range<UInt64>]) -> ReadAhead? { nil }

  package func isSame(as other: any RangeReader) -> Bool { self === other }
}
