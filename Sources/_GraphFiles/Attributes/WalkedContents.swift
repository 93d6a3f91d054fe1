import _GraphSupport

// Contents of a graph that is not stored yet, for walks through its stream.

extension Contents {
  /// Contents with the tables of some bytes, and nothing else.
  ///
  /// - Throws: `malformed`.
  package init(tables: TableBytes) throws {
    var contents = Contents()
    contents.graph = .embedded([0])
    let bytes = contents.bytes(tables: tables)
    self = try unsafe bytes.withUnsafeBytes {
      try unsafe Contents(parsing: $0, origin: UInt64(ArchiveHeader.byteCount))
    }
  }
}

extension PlacedSegment {
  /// A segment that has what values say of it, and no blocks.
  package init(walked array: BulkArray) {
    self.init(
      segment: Segment(
        kind: .bulk, format: array.format, rawByteCount: UInt64(array.byteCount),
        blockByteCount: array.elementByteCount, elementByteCount: array.elementByteCount, blocks: []),
      offset: 0)
  }
}

extension ArchiveReader {
  /// A reader of contents that have the graph stream, of an archive whose segments are not there.
  package init(withoutBytes contents: Contents) {
    let header = ArchiveHeader(contentsByteCount: 0, byteCount: 0, contentsHash: 0)
    self = unsafe ArchiveReader(
      ArchiveSource(UnsafeRawBufferPointer(start: nil, count: 0)), header, contents, threadCount: 1)
  }
}
