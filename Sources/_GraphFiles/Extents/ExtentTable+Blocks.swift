import _GraphSupport

extension ExtentTable {
  /// Bytes of the file that the archive consists of, each of which it has once.
  ///
  /// What it may expand to is measured by them: a block that is made of another one has any number of bytes in the archive.
  package var fileByteCount: UInt64 {
    extents.reduce(0) { $1.runs.reduce($0) { $0.addingSaturated($1.byteCount) } }
  }

  /// Checks that no block made from another one begins or ends in a range of the archive, or lies in it.
  ///
  /// - Throws: `malformed`, with the offset in the archive.
  package func checkHasNoDerivedBlock(in range: Range<UInt64>) throws {
    let first = extents.partitioningIndex { $0.end > range.lowerBound }
    let found = extents[first...].prefix { $0.offset < range.upperBound }.first { $0.derived != nil }
    if let found { throw Self.isNoBlock(found) }
  }

  /// Checks that what is made of other blocks is a block of the archive, with as many bytes before LZ4.
  ///
  /// Any other run of bytes could be expanded twice: once from its sources, and again as several blocks of the archive. Or it
  /// could be rebuilt for every few bytes read from it.
  ///
  /// - Throws: `malformed`, with the offset in the archive.
  package func check(_ contents: Contents) throws {
    let derived = extents.filter { $0.derived != nil }
    guard !derived.isEmpty else { return }
    var rest = derived[...]
    for placed in contents.segments {
      if let first = rest.first, first.offset < placed.offset { throw Self.isNoBlock(first) }
      let own = rest.prefix { $0.offset < placed.end }
      try Self.check(own, placed)
      rest = rest.dropFirst(own.count)
    }
    if let first = rest.first { throw Self.isNoBlock(first) }
    guard let graph = contents.graph.segment, contents.objectCount > 0 else { return }
    guard contents.objectsAreInPlace(of: fileByteCount(of: graph)) else {
      throw GCodableError(
        .malformed, "the archive says \(contents.objectCount) objects, which cannot be in the file",
        byteOffset: graph.offset)
    }
  }

  /// Whether all derived bytes in a segment are blocks of it.
  package func fits(_ placed: PlacedSegment) -> Bool {
    let first = extents.partitioningIndex { $0.end > placed.offset }
    let own = extents[first...].prefix { $0.offset < placed.end }.filter { $0.derived != nil }
    return (try? Self.check(own[...], placed)) != nil
  }

  private static func check(_ derived: ArraySlice<Extent>, _ placed: PlacedSegment) throws {
    guard !derived.isEmpty else { return }
    let offsets = ArchiveReader.OpenSegment(placed).blockOffsets
    for extent in derived {
      let index = offsets.partitioningIndex { $0 >= extent.offset }
      guard index < offsets.count, offsets[index] == extent.offset,
        UInt64(placed.segment.blocks[index].storedByteCount) == extent.byteCount,
        placed.segment.rawByteCount(ofBlock: index) == extent.derived?.rawByteCount
      else { throw isNoBlock(extent) }
    }
  }

  /// Bytes of the file that a segment of the archive consists of.
  private func fileByteCount(of placed: PlacedSegment) -> UInt64 {
    var byteCount: UInt64 = 0
    forEachPiece(of: placed.offset..<placed.end) { extent, _, count in
      let runs = extent.derived?.runs.reduce(0) { $0 + $1.byteCount }
      byteCount += runs ?? UInt64(count)
    }
    return byteCount
  }

  private static func isNoBlock(_ extent: Extent) -> GCodableError {
    GCodableError(
      .malformed, "\(extent.byteCount) bytes are made of another block and are no block themselves",
      byteOffset: extent.offset)
  }
}
