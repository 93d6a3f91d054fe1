extension SegmentWriter {
  /// A run of bytes that becomes a segment.
  package struct Source {
    package var kind: Segment.Kind
    package var format = PackedFormat.none
    package var byteCount: Int
    package var elementByteCount = 1
    /// Elements of a row, where they stand in rows; see `BulkArray`.
    package var rowElementCount = 0
    /// See `BulkArray`.
    package var innerStrides: [Int] = []
    /// What the elements are stored to; nil for exactly.
    package var precision: GPrecision?
    /// How they are rounded to it in place; nil where they are not.
    package var rounding: Rounding?
    /// How it is compressed; nil for the writer's.
    package var compression: ArchiveCompression?
    /// Shows the bytes, to several threads at once.
    package var owner: any PackedOwner
    /// Where blocks are copied from unchanged; nil if the owner has the bytes.
    package var copy: SegmentCopy?
    /// Whether the codec for numbers has been chosen for its blocks, of which it has fewer then.
    package var hasNumbers = false

    /// Bytes that outlive the writing.
    package init(_ kind: Segment.Kind, _ bytes: UnsafeRawBufferPointer) {
      self.kind = kind
      byteCount = bytes.count
      owner = unsafe PackedBytes(bytes)
    }

    package init(_ kind: Segment.Kind, _ bytes: [UInt8]) {
      self.kind = kind
      byteCount = bytes.count
      owner = PackedCollection(elements: bytes, elementByteCount: 1)
    }

    /// Blocks of another archive.
    package init(_ copy: SegmentCopy) {
      kind = copy.segment.kind
      byteCount = Int(copy.segment.rawByteCount)
      owner = unsafe PackedBytes(UnsafeRawBufferPointer(start: nil, count: 0))
      self.copy = copy
    }

    init(_ array: BulkArray) {
      kind = .bulk
      format = array.format
      byteCount = array.byteCount
      elementByteCount = array.elementByteCount
      rowElementCount = array.rowElementCount
      innerStrides = array.innerStrides
      precision = array.precision
      rounding = array.rounding
      compression = array.compression
      owner = array.owner
      copy = array.copy
    }

    var blockByteCount: Int {
      copy?.segment.blockByteCount
        ?? Segment.blockByteCount(
          elementByteCount: elementByteCount, rowElementCount: rowElementCount, hasNumbers: hasNumbers)
    }

    package var blockCount: Int {
      copy?.segment.blocks.count
        ?? Segment.blockCount(rawByteCount: UInt64(byteCount), blockByteCount: blockByteCount)
    }

    /// Bytes of the numbers that elements consist of; of structs, the largest scalar that may recur at the same place.
    package var scalarByteCount: Int {
      format.scalar?.byteCount ?? [16, 8, 4, 2, 1].first { elementByteCount.isMultiple(of: $0) } ?? 1
    }

    func rawByteCount(ofBlock number: Int) -> Int { min(blockByteCount, byteCount - number * blockByteCount) }

    /// Filters and compresses a block whose elements do not lie in memory as they are stored, without a copy of all of them.
    ///
    /// Nil where that is not possible, or the block does not become smaller.
    func compressed(
      _ number: Int, _ method: BlockMethod, _ scratch: BlockScratch
    ) -> UnsafeRawBufferPointer? {
      guard method.takesSpans else { return nil }
      let start = number * blockByteCount
      let range = start..<(start + rawByteCount(ofBlock: number))
      return unsafe owner.withPackedBytes { bytes in
        bytes.liesInOnePiece ? nil : unsafe method.compressed(bytes, range, scratch)
      }
    }

    /// Shows one block's bytes before filters and compression, which a reader gets unless a filter quantises them.
    ///
    /// - Parameter rounding: how elements are rounded in place.
    package func withBlock<Result>(
      _ number: Int, _ rounding: Rounding?, _ scratch: BlockScratch,
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
      let start = number * blockByteCount
      let end = min(start + blockByteCount, byteCount)
      return try owner.withPackedBytes { bytes in
        guard let rounding else { return try unsafe body(bytes.bytes(start..<end, scratch)) }
        let copy = unsafe scratch.packed(end - start)
        unsafe bytes.copy(start..<end, to: copy)
        unsafe rounding.apply(to: copy)
        return try unsafe body(UnsafeRawBufferPointer(copy))
      }
    }
  }
}
