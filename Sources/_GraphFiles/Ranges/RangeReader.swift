/// The source that archives are read from piece by piece: a file, or a user's source.
///
/// Any number of threads may read at the same time.
package protocol RangeReader: AnyObject, Sendable {
  /// What errors call it.
  var path: String { get }

  /// How many bytes there are at the moment.
  func byteCount() throws -> UInt64

  /// Fills `destination` with the bytes from `offset` on.
  ///
  /// - Returns: false if there are fewer.
  func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool

  /// Begins to read bytes that will be requested soon, if that pays; `ReadAhead.end` ends it.
  ///
  /// - Parameter ranges: within the bytes, in about the order in which they will be asked for, each once.
  /// - Returns: nil where it does not pay.
  func readAhead(of ranges: () -> [Range<UInt64>]) -> ReadAhead?

  /// Whether another one reads the same bytes.
  func isSame(as other: any RangeReader) -> Bool
}

extension OpenFile: RangeReader {
  /// nil: the system does so itself.
  package func readAhead(of ranges: () -> [Range<UInt64>]) -> ReadAhead? { nil }
}

extension ArchiveSource {
  /// Begins to read ranges of the archive that will be requested soon.
  ///
  /// - Parameter ranges: as for `RangeReader.readAhead(of:)`.
  package func readAhead(of ranges: () -> [Range<UInt64>]) -> ReadAhead? {
    file?.readAhead { ranges().flatMap(places) }
  }

  /// Where a range of the archive lies in the file, or what its blocks are made from.
  private func places(of range: Range<UInt64>) -> [Range<UInt64>] {
    guard range.upperBound <= byteCount else { return [] }
    guard let extents else { return [(origin + range.lowerBound)..<(origin + range.upperBound)] }
    var places: [Range<UInt64>] = []
    extents.forEachPiece(of: range) { extent, skipped, count in
      if let derived = extent.derived {
        places += derived.runs.map { $0.offset..<$0.end }
      } else {
        let start = extent.fileOffset + skipped
        places.append(start..<(start + UInt64(count)))
      }
    }
    return places
  }
}

extension ArchiveReader {
  /// Begins to read blocks that will be expanded soon, in this order.
  package func readAhead(of blocks: some Collection<Int>, _ open: OpenSegment) -> ReadAhead? {
    source.readAhead {
      blocks.map { block in
        let start = open.blockOffsets[block]
        return start..<(start + UInt64(open.segment.blocks[block].storedByteCount))
      }
    }
  }
}
