import _GraphSupport

extension ArchiveStorage {
  /// Copies an archive as it is.
  ///
  /// - Returns: its header.
  /// - Throws: as `ArchiveHeader.init`; `file`; `CancellationError`.
  package func copy(to sink: any ArchiveSink, _ progress: ProgressReport?) throws -> ArchiveHeader {
    try withSource { source in
      let header = try unsafe source.withBytes(ArchiveHeader.byteCount, from: 0) {
        try unsafe ArchiveHeader(parsing: $0, archiveByteCount: nil)
      }
      func piece(_ start: UInt64) -> Range<UInt64> {
        start..<(start + min(header.byteCount - start, UInt64(Self.pieceByteCount)))
      }
      // A few at a time, because a forged header may claim any size.
      for start in stride(from: 0, to: header.byteCount, by: Self.pieceByteCount * Self.piecesAhead) {
        let end = start + min(header.byteCount - start, UInt64(Self.pieceByteCount * Self.piecesAhead))
        let pieces = stride(from: start, to: end, by: Self.pieceByteCount).map(piece)
        let ahead = source.readAhead { pieces.filter { $0.upperBound <= source.byteCount } }
        defer { ahead?.end() }
        for piece in pieces {
          try progress?.checkCancellation()
          let offset = piece.lowerBound
          try unsafe source.withBytes(piece.count, from: offset) { try unsafe sink.write([$0], at: offset) }
          progress?.advance(by: piece.count)
        }
      }
      return header
    }
  }

  private static let pieceByteCount = 4 << 20
  private static let piecesAhead = 64
}
