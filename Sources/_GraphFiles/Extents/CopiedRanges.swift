import _GraphSupport

/// Which bytes of a series have been copied to another one, and where.
package struct CopiedRanges {
  package let source: any RangeReader
  /// In ascending order of what they are in the source, without common bytes.
  private var ranges: [(source: Range<UInt64>, target: UInt64)] = []

  private static let pieceByteCount = 1 << 20

  package init(_ source: any RangeReader) { self.source = source }

  /// Copies an archive that is stored in pieces, except for bytes already copied.
  ///
  /// - Parameter start: where what is stored of it begins.
  /// - Returns: where its bytes are then.
  package mutating func copy(
    _ pieces: ExtentTable, to target: any ArchiveSink, at start: UInt64, _ progress: ProgressReport?
  ) throws -> ExtentTable {
    var table = ExtentTable(start: start)
    // An archive has no bytes twice, so none are requested before all are known.
    var copied: [(source: Range<UInt64>, target: UInt64)] = []
    for extent in pieces.extents {
      if let derived = extent.derived {
        let copied = try derived.mapRuns { try copy($0, to: target, &table, &copied, progress) }
        table.append(copied, byteCount: extent.byteCount)
        continue
      }
      for (range, place) in places(of: extent.fileOffset..<extent.fileEnd) {
        let byteCount = range.upperBound - range.lowerBound
        if let place {
          table.appendShared(byteCount, at: place)
        } else {
          table.appendOwn(byteCount)
          try copy(range, to: target, at: table.ownEnd - byteCount, progress)
          copied.append((range, table.ownEnd - byteCount))
        }
      }
    }
    note(&copied)
    table.fingerprints = pieces.fingerprints
    return table
  }

  /// Copies what a block is made from, unless already copied.
  private func copy(
    _ run: DerivedBlock.Run, to target: any ArchiveSink, _ table: inout ExtentTable,
    _ copied: inout [(source: Range<UInt64>, target: UInt64)], _ progress: ProgressReport?
  ) throws -> DerivedBlock.Run {
    let places = places(of: run.offset..<run.end)
    if places.count == 1, let place = places[0].place {
      return DerivedBlock.Run(offset: place, byteCount: run.byteCount)
    }
    let new = table.reserve(run.byteCount)
    try copy(run.offset..<run.end, to: target, at: new.offset, progress)
    for case (let part, nil) in places { copied.append((part, new.offset + (part.lowerBound - run.offset))) }
    return new
  }

  /// Copies bytes of the source.
  private func copy(
    _ range: Range<UInt64>, to target: any ArchiveSink, at place: UInt64, _ progress: ProgressReport?
  ) throws {
    let reader = ArchiveSource(source, from: 0, byteCount: range.upperBound)
    let room = try RawBytes(
      byteCount: Int(min(range.upperBound - range.lowerBound, UInt64(Self.pieceByteCount))))
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceByteCount) {
      try progress?.checkCancellation()
      let count = Int(min(range.upperBound - start, UInt64(Self.pieceByteCount)))
      try unsafe room.fill { memory in
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
        try unsafe reader.read(piece, from: start)
        try unsafe target.write([UnsafeRawBufferPointer(piece)], at: place + (start - range.lowerBound))
      }
      progress?.advance(by: count)
    }
  }

  /// Notes copied bytes, which usually follow all known ones.
  private mutating func note(_ copied: inout [(source: Range<UInt64>, target: UInt64)]) {
    copied.sort { $0.source.lowerBound < $1.source.lowerBound }
    guard let first = copied.first else { return }
    let start = ranges.partitioningIndex { $0.source.lowerBound >= first.source.lowerBound }
    var (merged, new) = ([(source: Range<UInt64>, target: UInt64)](), copied[...])
    merged.reserveCapacity(ranges.count - start + copied.count)
    for known in ranges[start...] {
      let before = new.prefix { $0.source.lowerBound < known.source.lowerBound }
      merged += before
      merged.append(known)
      new = new.dropFirst(before.count)
    }
    ranges.replaceSubrange(start..., with: merged + new)
  }

  /// The parts of a range of the source, in order, with the positions of those already copied.
  private func places(of range: Range<UInt64>) -> [(range: Range<UInt64>, place: UInt64?)] {
    var parts: [(Range<UInt64>, UInt64?)] = []
    var (start, index) = (
      range.lowerBound, ranges.partitioningIndex { $0.source.upperBound > range.lowerBound }
    )
    while start < range.upperBound {
      let known = index < ranges.count ? ranges[index].source : range.upperBound..<range.upperBound
      if start < known.lowerBound {
        let end = min(known.lowerBound, range.upperBound)
        parts.append((start..<end, nil))
        start = end
      } else {
        let end = min(known.upperBound, range.upperBound)
        parts.append((start..<end, ranges[index].target + (start - known.lowerBound)))
        (start, index) = (end, index + 1)
      }
    }
    return parts
  }
}
