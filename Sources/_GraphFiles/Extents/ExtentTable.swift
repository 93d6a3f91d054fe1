import _GraphSupport

/// Where the bytes of an archive lie in a file that has them in pieces.
///
/// So a file stores equal blocks of several archives once. An extent leads to the place where its bytes actually are, never to
/// another extent, so reading a byte is one step, whatever the number of archives.
package struct ExtentTable: Sendable, Equatable {
  /// A contiguous run of the archive's bytes, or a block made from another one.
  struct Extent: Sendable, Equatable {
    /// In the archive.
    let offset: UInt64
    var byteCount: UInt64
    /// In the file; meaningless for a block made from another one.
    let fileOffset: UInt64
    var derived: DerivedBlock?

    var end: UInt64 { offset + byteCount }
    var fileEnd: UInt64 { fileOffset + byteCount }

    /// The bytes of the file that it needs.
    var runs: [DerivedBlock.Run] {
      derived?.runs ?? [DerivedBlock.Run(offset: fileOffset, byteCount: byteCount)]
    }
  }

  /// How the bytes of an extent are found; the numbers are part of the format.
  enum Kind: UInt8 {
    /// The next bytes stored with the archive.
    case own = 0
    /// Bytes that were stored before.
    case shared = 1
    /// A block that is another one with some bytes replaced.
    case overlaid = 2
    /// A block whose numbers are stored as differences to those of another one.
    case differences = 3
  }

  /// Where what is stored of the archive begins in the file: bytes from here on are its own.
  package let start: UInt64
  /// In ascending order, without gaps.
  private(set) var extents: [Extent] = []
  /// Of each block of the archive.
  package var fingerprints: [Fingerprint] = []

  /// Before an archive's own bytes.
  static let headerByteCount: UInt64 = 64

  package init(start: UInt64) {
    self.start = start
    ownEnd = start + Self.headerByteCount
  }

  /// Bytes of the archive.
  package var byteCount: UInt64 { extents.last?.end ?? 0 }

  /// After its own bytes.
  package private(set) var ownEnd: UInt64

  /// Adds bytes that are stored with the archive.
  package mutating func appendOwn(_ byteCount: UInt64) {
    guard byteCount > 0 else { return }
    let fileOffset = Self.ownPlace(of: self.byteCount, behind: ownEnd)
    append(Extent(offset: self.byteCount, byteCount: byteCount, fileOffset: fileOffset))
    ownEnd = fileOffset + byteCount
  }

  /// Adds bytes that were stored before.
  package mutating func appendShared(_ byteCount: UInt64, at fileOffset: UInt64) {
    append(Extent(offset: self.byteCount, byteCount: byteCount, fileOffset: fileOffset))
  }

  /// Makes room for bytes that are stored with the archive, not as its own, but to build one of its blocks.
  package mutating func reserve(_ byteCount: UInt64) -> DerivedBlock.Run {
    defer { ownEnd += byteCount }
    return DerivedBlock.Run(offset: ownEnd, byteCount: byteCount)
  }

  /// Adds a block made from another one.
  package mutating func append(_ derived: DerivedBlock, byteCount: UInt64) {
    extents.append(
      Extent(
        offset: self.byteCount, byteCount: byteCount, fileOffset: derived.base.offset, derived: derived))
  }

  private mutating func append(_ extent: Extent) {
    if let last = extents.last, last.derived == nil, last.fileEnd == extent.fileOffset,
      isOwn(last) == isOwn(extent)
    {
      extents[extents.count - 1].byteCount += extent.byteCount
    } else {
      extents.append(extent)
    }
  }

  /// The first possible place of own bytes, which keeps the archive's alignment in the file.
  private static func ownPlace(of offset: UInt64, behind end: UInt64) -> UInt64 {
    end + (offset &- end) % UInt64(Segment.storedAlignment)
  }

  func isOwn(_ extent: Extent) -> Bool { extent.derived == nil && extent.fileOffset >= start }

  /// The zeros between own bytes.
  package var gaps: [Range<UInt64>] {
    var end = start + Self.headerByteCount
    return extents.flatMap(\.runs).filter { $0.offset >= start }.compactMap { run in
      defer { end = run.end }
      return run.offset > end ? end..<run.offset : nil
    }
  }

  /// Calls `body` for the pieces of a range of the archive, in order.
  ///
  /// - Parameters:
  ///   - range: within the archive.
  ///   - body: receives the number of bytes of an extent before the piece, and the number in it.
  func forEachPiece(
    of range: Range<UInt64>, _ body: (_ extent: Extent, _ skipped: UInt64, _ byteCount: Int) throws -> Void
  ) rethrows {
    var index = extents.partitioningIndex { $0.end > range.lowerBound }
    var place = range.lowerBound
    while place < range.upperBound {
      let extent = extents[index]
      let end = min(extent.end, range.upperBound)
      try body(extent, place - extent.offset, Int(end - place))
      (index, place) = (index + 1, end)
    }
  }

  /// Where a range of the archive lies, if that is one piece.
  package func fileOffset(of range: Range<UInt64>) -> UInt64? {
    guard let extent = extent(with: range), extent.derived == nil else { return nil }
    return extent.fileOffset + (range.lowerBound - extent.offset)
  }

  /// The derived block that a range of the archive is.
  package func derived(at range: Range<UInt64>) -> DerivedBlock? {
    guard let extent = extent(with: range), extent.offset..<extent.end == range else { return nil }
    return extent.derived
  }

  private func extent(with range: Range<UInt64>) -> Extent? {
    let index = extents.partitioningIndex { $0.end > range.lowerBound }
    return index < extents.count && extents[index].end >= range.upperBound ? extents[index] : nil
  }

  /// Where bytes of the file begin that the archive contains twice.
  package var overlap: UInt64? {
    let sorted = extents.flatMap(\.runs).sorted { $0.offset < $1.offset }
    return zip(sorted, sorted.dropFirst()).first { $0.end > $1.offset }?.1.offset
  }
}
