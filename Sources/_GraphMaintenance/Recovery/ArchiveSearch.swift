import CGraphArchive
import _GraphFiles
import _GraphReading
import _GraphSupport

/// What is left of the header and the tables of an archive.
package struct FoundArchive {
  let tables: GraphRecovery.Tables
  /// Where the tables are lost, what can be said without them.
  package let contents: Contents
  /// Of the header, or made for what was found.
  let header: ArchiveHeader
  /// Whether the header is intact.
  var hasHeader = false
}

/// Finds the tables and the segments of an archive that may be damaged anywhere, and may be cut.
///
/// The tables stand at the end and the header says where. Where it is gone, they begin where the last segment ends, which
/// shows from segment to segment; where that is gone as well, they are found by the copies of the segments' headers.
package struct ArchiveSearch {
  private let source: ArchiveSource

  package init(_ source: ArchiveSource) { self.source = source }

  /// - Throws: `file` where it cannot be read, `noMemory`; `notAnArchive` for another version of the format.
  package func find() throws -> FoundArchive {
    if let header = try header() {
      guard let contents = try intactContents(header) else {
        return try withoutTables(contentsOffset: header.contentsOffset)
      }
      return FoundArchive(tables: .intact, contents: contents, header: header, hasHeader: true)
    }
    let start = try source.bytes(ArchiveHeader.byteCount, at: 0)
    // Each is read up to the end of the archive: where very many look like contents, the first ones have to do.
    var allowance = 64 << 20 + 16 * min(source.byteCount, 1 << 56)
    for offset in try contentsOffsets(start) where offset < source.byteCount {
      guard source.byteCount - offset <= allowance else { break }
      allowance -= source.byteCount - offset
      guard let (contents, hash) = try contents(from: offset) else { continue }
      let isIntact = start.map { $0.number(at: 24) } == hash
      let header = ArchiveHeader(
        contentsByteCount: UInt32(source.byteCount - offset), byteCount: source.byteCount, contentsHash: hash)
      return FoundArchive(tables: isIntact ? .intact : .unverified, contents: contents, header: header)
    }
    return try withoutTables()
  }

  /// The header, if it matches its checksum.
  private func header() throws -> ArchiveHeader? {
    guard source.byteCount >= UInt64(ArchiveHeader.byteCount) else { return nil }
    return try unsafe source.withBytes(ArchiveHeader.byteCount, from: 0) { bytes in
      do { return try unsafe ArchiveHeader(parsing: bytes, archiveByteCount: nil) } catch let error
        as GCodableError
      {
        // What matches its checksum is meant so.
        let hashes = unsafe ArchiveHeader.hashes(of: bytes)
        if hashes.computed == hashes.stored { throw error }
        return nil
      }
    }
  }

  private func intactContents(_ header: ArchiveHeader) throws -> Contents? {
    guard header.byteCount <= source.byteCount else { return nil }
    try source.extents?.checkHasNoDerivedBlock(in: header.contentsOffset..<header.byteCount)
    let (byteCount, offset) = (Int(header.contentsByteCount), header.contentsOffset)
    let contents: Contents? = try unsafe source.withBytes(byteCount, from: offset) { bytes in
      guard unsafe gca_hash64_bytes(bytes.baseAddress, bytes.count) == header.contentsHash else { return nil }
      return try unsafe Contents(parsing: bytes, origin: header.contentsOffset)
    }
    if let contents { try source.extents?.check(contents) }
    return contents
  }

  // MARK: Without a header

  /// Where the contents may begin, the most likely place first.
  private func contentsOffsets(_ start: [UInt8]?) throws -> [UInt64] {
    var offsets: [UInt64] = []
    if let start {
      let (contents, all) = (
        UInt64(UInt32(truncatingIfNeeded: start.number(at: 12))), start.number(at: 16)
      )
      if all == source.byteCount, contents < all { offsets.append(all - contents) }
    }
    // Without segments, contents stand behind the header.
    let end = try SegmentSearch.segments(of: source).last?.end
    return offsets + [end ?? UInt64(ArchiveHeader.byteCount)] + (try copiesOfHeaders())
  }

  /// Contents that go from an offset to the end of the archive, and their hash.
  private func contents(from offset: UInt64) throws -> (Contents, UInt64)? {
    guard offset >= UInt64(ArchiveHeader.byteCount), offset < source.byteCount,
      source.byteCount - offset <= UInt64(UInt32.max)
    else { return nil }
    return try unsafe source.withBytes(Int(source.byteCount - offset), from: offset) { bytes in
      guard let contents = try? unsafe Contents(parsing: bytes, origin: offset), isPlausible(contents) else {
        return nil
      }
      return unsafe (contents, gca_hash64_bytes(bytes.baseAddress, bytes.count))
    }
  }

  /// Whether contents whose checksum is lost may be meant so.
  ///
  /// Where there are no segments to compare them with, bytes of anything may have the form of tables.
  private func isPlausible(_ contents: Contents) -> Bool {
    guard contents.embedsLittle else { return false }
    guard contents.segments.isEmpty else {
      do { try source.extents?.check(contents) } catch { return false }
      return isWellFormed(contents)
    }
    let header = ArchiveHeader(contentsByteCount: 0, byteCount: source.byteCount, contentsHash: 0)
    return (try? ArchiveReader(source, header, contents, threadCount: 1).check()) != nil
  }

  /// Whether the graph that contents have in them is one: of bytes behind the contents, it would be a part.
  private func isWellFormed(_ contents: Contents) -> Bool {
    guard contents.graph.segment == nil else { return true }
    let header = ArchiveHeader(contentsByteCount: 0, byteCount: source.byteCount, contentsHash: 0)
    do {
      var check = try GraphCheck(ArchiveReader(source, header, contents, threadCount: 1))
      try check.run()
    } catch let error as GCodableError {
      // What it leads to may be damaged.
      return error.code == .damaged
    } catch { return false }
    return true
  }

  /// Where contents could begin that have copies of segments' headers in front.
  private func copiesOfHeaders() throws -> [UInt64] {
    let byteCount = min(source.byteCount, Self.maximumContentsByteCount)
    let origin = source.byteCount - byteCount
    guard let bytes = try source.bytes(Int(byteCount), at: origin) else { return [] }
    var offsets: [UInt64] = []
    let magic = SegmentSearch.magic
    var place = 0
    while let found = bytes[place...].firstIndex(of: magic[0]) {
      place = found + 1
      guard bytes[found...].starts(with: magic) else { continue }
      for size in 1...9 where found > size {
        let first = found - 1 - size
        // The flags, then the number of segments.
        if bytes[first] & ContentsFlags.segments.rawValue != 0,
          bytes[first + 1].trailingZeroBitCount + 1 == size
        {
          offsets.append(origin + UInt64(first))
        }
      }
      guard offsets.count < Self.maximumCandidateCount else { break }
    }
    return offsets
  }

  private static let maximumContentsByteCount: UInt64 = 64 << 20
  private static let maximumCandidateCount = 1_000

  // MARK: Without tables

  private func withoutTables(contentsOffset: UInt64? = nil) throws -> FoundArchive {
    var contents = Contents()
    let found = try SegmentSearch.segments(of: source, before: contentsOffset)
    for placed in found where source.extents?.fits(placed) != false {
      switch placed.segment.kind {
      case .graph where contents.graph.segment == nil: contents.graph = .segment(placed)
      case .objectIndex where contents.objectIndex.segment == nil: contents.objectIndex = .segment(placed)
      case .bulk: contents.bulk.append(placed)
      default: break
      }
    }
    return FoundArchive(
      tables: .lost, contents: contents,
      header: ArchiveHeader(contentsByteCount: 0, byteCount: source.byteCount, contentsHash: 0))
  }
}

extension Contents {
  /// Whether what they have in them is as short as a writer embeds.
  var embedsLittle: Bool {
    [graph, objectIndex].allSatisfy { place in
      if case .embedded(let bytes) = place { return bytes.count <= BytesOrSegment.maximumEmbeddedByteCount }
      return true
    }
  }
}

extension ArchiveSource {
  /// Bytes of the archive; nil where it ends before them.
  package func bytes(_ count: Int, at offset: UInt64) throws -> [UInt8]? {
    guard offset <= byteCount, UInt64(count) <= byteCount - offset else { return nil }
    return try unsafe withBytes(count, from: offset) { unsafe Array($0) }
  }
}

extension [UInt8] {
  /// The number of 64 bits at an offset, little-endian.
  package func number(at offset: Int) -> UInt64 {
    self[offset..<(offset + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
