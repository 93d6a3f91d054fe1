import CGraphArchive
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Finds what is intact of an archive into which bytes were inserted, from which some were removed, or whose parts were moved.
///
/// Each part is known by its checksum: the contents by that in the header, blocks and their headers by those in the contents. Without
/// a header, the contents are found by the copies of segments' headers in them; without contents, the segments by their own.
package struct ArchiveRealignment {
  /// Where everything is that was found.
  package struct Finding {
    package var pieces: [RealignedFile.Piece]
    /// Of the archive as it was.
    package var byteCount: UInt64

    func storage(of storage: ArchiveStorage) throws -> ArchiveStorage {
      try ArchiveStorage(RealignedFile(storage, pieces, byteCount: byteCount))
    }
  }

  private let storage: ArchiveStorage
  private let source: ArchiveSource
  private let landmarks: Landmarks

  private init(_ storage: ArchiveStorage, _ source: ArchiveSource) throws {
    (self.storage, self.source) = (storage, source)
    landmarks = try Landmarks(source)
  }

  /// The archive with its parts where they belong; nil where none has moved, or none is found.
  ///
  /// - Throws: `file`, `noMemory`.
  static func storage(of storage: ArchiveStorage) throws -> ArchiveStorage? {
    try finding(in: storage).map { try $0.storage(of: storage) }
  }

  /// Where the parts of an archive are; nil where none has moved, or none is found.
  package static func finding(in storage: ArchiveStorage) throws -> Finding? {
    if case .pieces = storage { return nil }
    return try storage.withSource { try Self(storage, $0).finding() }
  }

  private func finding() throws -> Finding? {
    let headers = landmarks.headers.prefix(Self.maximumHeaderCount).filter { isOwn($0.header, at: $0.place) }
    for (place, header) in headers {
      guard let found = try contents(of: header, at: place) else { continue }
      return try finding(header, at: place, found.contents, at: found.place)
    }
    // What an intact header says of the contents is true: others are not used.
    if headers.isEmpty, let found = try findingWithoutHeader() { return found }
    return try findingWithoutContents()
  }

  private static let maximumHeaderCount = 64

  /// Whether a header is that of the archive, and not of one that a block of it has.
  private func isOwn(_ header: ArchiveHeader, at place: UInt64) -> Bool {
    // Where parts were exchanged, the file is as long as it was.
    guard place > 0, header.byteCount != source.byteCount else { return true }
    let hasSegmentInFront = landmarks.segments.contains { $0.place < place }
    return !hasSegmentInFront && header.byteCount >= (source.byteCount - place) / 2
  }

  // MARK: Contents

  private func contents(
    of header: ArchiveHeader, at place: UInt64
  ) throws -> (contents: Contents, place: UInt64)? {
    let byteCount = UInt64(header.contentsByteCount)
    guard byteCount <= source.byteCount else { return nil }
    // The header, whose checksum matches, has the hash.
    let run = KnownRun(
      offset: header.contentsOffset, byteCount: Int(byteCount), hash: header.contentsHash)
    let end = source.byteCount - byteCount
    let beforeHeaders = landmarks.segments.prefix(Self.maximumCopyCount).flatMap { segment in
      (2...4).map { segment.place &- $0 }
    }
    let shifts = ([header.contentsOffset &+ place, end] + beforeHeaders).map {
      Int64(bitPattern: $0 &- run.offset)
    }
    var search = RunSearch(source, [run], places: [nil], shifts: shifts)
    try search.find(takesCopies: false)
    guard let found = search.places[0] else { return nil }
    let contents = try unsafe source.withBytes(run.byteCount, from: found) {
      try? unsafe Contents(parsing: $0, origin: header.contentsOffset)
    }
    return contents.map { ($0, found) }
  }

  /// How many copies of segments' headers are tried as the first one in the contents.
  private static let maximumCopyCount = 20

  /// By contents up to the end of the bytes that are well-formed, and that the segments agree with.
  private func findingWithoutHeader() throws -> Finding? {
    for copy in landmarks.segments.prefix(Self.maximumCandidateCount) {
      for size in 1...4 as ClosedRange<UInt64> where copy.place > size {
        let place = copy.place - 1 - size
        guard let start = try source.bytes(2, at: place),
          start[0] & ContentsFlags.segments.rawValue != 0,
          start[1].trailingZeroBitCount + 1 == Int(size),
          let found = try wellFormedContents(at: place),
          let finding = try finding(found.0, at: nil, found.1, at: place),
          // Those of an archive in a block may go on to the end, too.
          try finding.storage(of: storage).withSource({ try ArchiveSearch($0).find() }).tables != .lost
        else { continue }
        return finding
      }
    }
    return nil
  }

  private static let maximumCandidateCount = 1_000

  private func wellFormedContents(at place: UInt64) throws -> (ArchiveHeader, Contents)? {
    let byteCount = source.byteCount - place
    guard byteCount <= UInt64(UInt32.max) else { return nil }
    return try unsafe source.withBytes(Int(byteCount), from: place) { bytes in
      var parser = unsafe ByteParser(
        UnsafeRawBufferPointer(rebasing: bytes[1...]), origin: place + 1, subject: "the contents")
      guard let count = try? parser.varint(), count <= UInt64(bytes.count / Segment.fixedByteCount) else {
        return nil
      }
      var end = UInt64(ArchiveHeader.byteCount)
      for _ in 0..<count {
        guard let segment = try? parser.segment() else { return nil }
        end = PlacedSegment(segment: segment, offset: segment.front.start(behind: end)).end
        guard end <= UInt64(Int64.max) else { return nil }
      }
      guard let contents = try? unsafe Contents(parsing: bytes, origin: end), contents.embedsLittle else {
        return nil
      }
      let hash = unsafe gca_hash64_bytes(bytes.baseAddress, bytes.count)
      return (
        ArchiveHeader(
          contentsByteCount: UInt32(bytes.count), byteCount: end + byteCount, contentsHash: hash), contents
      )
    }
  }

  // MARK: With contents

  /// - Parameter headerPlace: nil where the header is lost.
  private func finding(
    _ header: ArchiveHeader, at headerPlace: UInt64?, _ contents: Contents, at contentsPlace: UInt64
  ) throws -> Finding? {
    var (runs, places) = ([KnownRun](), [UInt64?]())
    if let headerPlace {
      runs.append(KnownRun(offset: 0, byteCount: ArchiveHeader.byteCount, hash: 0))
      places.append(headerPlace)
    }
    for placed in contents.segments { runs += placed.runs }
    places += Array(repeating: nil, count: runs.count - places.count)
    runs.append(
      KnownRun(
        offset: header.contentsOffset, byteCount: Int(header.contentsByteCount), hash: header.contentsHash))
    places.append(contentsPlace)
    var search = RunSearch(source, runs, places: places, shifts: shifts(of: contents, contentsPlace, header))
    try search.find(takesCopies: true)
    let pieces = Self.pieces(runs, search.places)
    guard pieces.contains(where: { $0.shift != 0 }),
      headerPlace != nil || pieces.count > 1 || contents.segments.isEmpty
    else { return nil }
    return Finding(pieces: pieces, byteCount: header.byteCount)
  }

  /// How far from their places the contents are, and the segments whose headers are found.
  private func shifts(of contents: Contents, _ place: UInt64, _ header: ArchiveHeader) -> [Int64] {
    let copies = place..<(place + UInt64(header.contentsByteCount))
    var offsets: [UInt64: [UInt64]] = [:]
    for placed in contents.segments { offsets[placed.segment.hash, default: []].append(placed.offset) }
    let found = landmarks.segments.filter { !copies.contains($0.place) }.flatMap { segment in
      (offsets[segment.segment.hash] ?? []).map { Int64(bitPattern: segment.place &- $0) }
    }
    return [0, Int64(bitPattern: place &- header.contentsOffset)] + found
  }

  private static func pieces(_ runs: [KnownRun], _ places: [UInt64?]) -> [RealignedFile.Piece] {
    zip(runs, places).compactMap { run, place in
      place.map { RealignedFile.Piece(offset: run.offset, place: $0, byteCount: UInt64(run.byteCount)) }
    }
  }

  // MARK: Without contents

  /// The segments in the order in which they stand, one behind the other: where they stood, nobody knows.
  private func findingWithoutContents() throws -> Finding? {
    var (runs, places) = ([KnownRun](), [UInt64?]())
    var end = UInt64(ArchiveHeader.byteCount)
    var ranges: [Range<Int>] = []
    for (place, segment) in landmarks.segments {
      let placed = PlacedSegment(segment: segment, offset: segment.front.start(behind: end))
      let own = placed.runs
      ranges.append(runs.count..<(runs.count + own.count))
      runs += own
      places.append(place)
      places += Array(repeating: nil, count: own.count - 1)
      end = placed.end
      guard end <= UInt64(Int64.max) else { return nil }
    }
    var search = RunSearch(source, runs, places: places, shifts: [])
    try search.find(takesCopies: false)
    var pieces: [RealignedFile.Piece] = []
    // Whole segments may be where they are not looked for: behind the place of the contents, or in what is left of another one.
    let known = try Set(ArchiveSearch(source).find().contents.segments.map(\.offset))
    var hasMoved = false
    var kept: Set<UInt64> = []
    for range in ranges {
      // The first is that of the header.
      let found = Self.pieces(Array(runs[range]), Array(search.places[range]))
      let blocks = found.dropFirst()
      let hasOwnBlocks = blocks.contains { $0.shift == found[0].shift }
      // A copy in the contents has no blocks, unless the header in front of them is lost.
      guard !blocks.isEmpty, kept.insert(runs[range.lowerBound].hash).inserted || hasOwnBlocks else {
        continue
      }
      pieces += found
      hasMoved =
        hasMoved || !known.contains(found[0].place) || blocks.contains { $0.shift != found[0].shift }
    }
    return hasMoved ? Finding(pieces: pieces, byteCount: end) : nil
  }
}

extension PlacedSegment {
  /// The header and the blocks.
  fileprivate var runs: [KnownRun] {
    let open = ArchiveReader.OpenSegment(self)
    let header = KnownRun(offset: offset, byteCount: segment.header.count, hash: segment.hash)
    let isLZ4 = segment.codec == UInt8(GCA_CODEC_LZ4.rawValue)
    let blocks = segment.blocks.enumerated().map { index, block in
      KnownRun(
        offset: open.blockOffsets[index], byteCount: Int(block.storedByteCount), hash: block.hash,
        rawByteCount: isLZ4 && !segment.isStored(index) ? segment.rawByteCount(ofBlock: index) : 0)
    }
    return [header] + blocks
  }
}

extension Segment {
  /// Of its header with the hash at its end.
  fileprivate var hash: UInt64 {
    let header = header
    return unsafe header.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) }
  }
}
