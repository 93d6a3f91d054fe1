/// A segment of another archive, whose blocks are copied as they are stored.
package struct SegmentCopy {
  private let archive: OpenArchive
  private let open: ArchiveReader.OpenSegment
  /// The segment that it becomes.
  let segment: Segment
  /// What takes the place of blocks that are lost, by their numbers.
  private let fillers: [Int: [UInt8]]
  /// How many blocks the archive has in front of it.
  private let firstBlock: Int

  /// - Throws: `damaged` where the header in front of the blocks is not that of the contents; `file`.
  package init(_ archive: OpenArchive, _ placed: PlacedSegment) throws {
    let open = try archive.withReader { try $0.open(placed) }
    self.init(archive, open, as: open.segment, fillers: [:])
  }

  package init(
    _ archive: OpenArchive, _ open: ArchiveReader.OpenSegment, as segment: Segment, fillers: [Int: [UInt8]]
  ) {
    (self.archive, self.open, self.segment, self.fillers) = (archive, open, segment, fillers)
    let before = archive.contents.segments.prefix { $0.offset < open.offset }
    firstBlock = before.reduce(0) { $0 + $1.segment.blocks.count }
  }

  /// Where a block lies in a file, if it does so in one piece.
  package func place(_ index: Int) -> (file: any RangeReader, offset: UInt64)? {
    guard fillers[index] == nil else { return nil }
    let offset = open.blockOffsets[index]
    return archive.storage.place(of: offset..<(offset + UInt64(segment.blocks[index].storedByteCount)))
  }

  /// What the archive says of a block, if it stands in a series that shares blocks.
  package func fingerprint(_ index: Int) -> Fingerprint {
    guard fillers[index] == nil, case .pieces(_, let table) = archive.storage,
      firstBlock + index < table.fingerprints.count
    else { return .unknown }
    return table.fingerprints[firstBlock + index]
  }

  /// Calls `body` with the stored bytes of a block, or others of the same values where it is made of another block.
  ///
  /// - Throws: `damaged`, with the offset in the archive that is copied from; `file`; what `body` throws.
  func withBlock(
    _ index: Int, _ scratch: BlockScratch, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if let filler = fillers[index] { return try unsafe filler.withUnsafeBytes(body) }
    try archive.withReader { reader in
      try unsafe body(reader.copiedBytes(index, of: open, scratch))
      reader.counts?.noteCopy()
    }
  }
}
