import GraphCodable
import CGraphArchive
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Small forged series that stand for large archives, or much work.
@Suite("Series: amplification")
struct SeriesAmplificationTests {
  let place: SeriesFolder

  init() throws { place = try SeriesFolder() }

  private func entry(_ forgery: DerivedForgery) throws -> (
    entry: GraphArchiveSeries.Entry, fileByteCount: Int
  ) {
    var forgery = forgery
    let bytes = try forgery.series().bytes
    try place.setBytes(bytes)
    return (try #require(GraphArchiveSeries(place.url).first), bytes.count)
  }

  private func expectMalformed(_ entry: GraphArchiveSeries.Entry) throws {
    for attempt in [
      { _ = try GraphArchive(entry) }, { _ = try GraphDecoder().read([UInt8].self, from: entry) },
      { try GraphDecoder().verify(entry) },
    ] as [() throws -> Void] {
      let error = #expect(throws: GCodableError.self) { try attempt() }
      #expect(error?.code == .malformed, "\(error.map { "\($0)" } ?? "")")
    }
    // Recovery finds nothing that it would expand.
    let copy = place.folder.file("copy")
    #expect(throws: GCodableError.self) {
      let recovery = try GraphArchive.recover(place.url, to: copy)
      #expect(recovery.lostRanges.count == 1)
      throw GCodableError(.damaged, "it is recovered without the entry")
    }
  }

  /// Zeros as an archive whose blocks are compressed.
  private static let zeros = [UInt8](repeating: 0, count: 20 << 20)

  @Test func blocksThatAreMadeOfOthersComeBack() throws {
    let archive = try GraphEncoder().encode(Self.zeros) as Bytes
    let placed = try #require(DerivedForgery.segments(of: archive).first)
    var forgery = DerivedForgery(archive)
    for (block, offset) in zip(placed.segment.blocks, ArchiveReader.OpenSegment(placed).blockOffsets) {
      let raw = Bytes(repeating: 0, count: 1 << 20)
      try forgery.derived(Int(offset)..<Int(offset) + Int(block.storedByteCount), level: 0, raw: raw)
    }
    let (entry, _) = try entry(forgery)
    try #expect(GraphDecoder().read([UInt8].self, from: entry) == Self.zeros)
  }

  /// Several compressed blocks are compressed once more, as what one block is made of.
  @Test func aRunOfSeveralBlocksIsNoBlock() throws {
    let archive = try GraphEncoder().encode(Self.zeros) as Bytes
    let placed = try #require(DerivedForgery.segments(of: archive).first)
    let first = ArchiveReader.OpenSegment(placed).blocksOffset
    var forgery = DerivedForgery(archive)
    try forgery.derived(Int(first)..<Int(placed.end))
    let (entry, fileByteCount) = try entry(forgery)
    #expect(fileByteCount * 5_000 < Self.zeros.count)
    try expectMalformed(entry)
  }

  @Test(arguments: [-1, 1]) func aRunThatIsNotABlockExactlyIsNone(shift: Int) throws {
    let archive = try encoded(Array(Self.zeros.prefix(1 << 20)), compression: .none)
    let placed = try #require(DerivedForgery.segments(of: archive).first)
    let start = Int(ArchiveReader.OpenSegment(placed).blocksOffset)
    for range in [(start + shift)..<Int(placed.end), start..<(Int(placed.end) - 1), start..<(start + 4_000)] {
      guard range.count <= 1 << 20 else { continue }
      var forgery = DerivedForgery(archive)
      try forgery.derived(range)
      try expectMalformed(entry(forgery).entry)
    }
  }

  @Test func headersAndContentsAreMadeOfNothing() throws {
    // Many keys, of which the contents consist.
    let archive = try script { encoder in
      for number in 0..<2_000 {
        try encoder.encode(number, for: NameKey("aaaaaaaaaaaaaaaaaaaaaaaa\(number)"))
      }
    }
    let contents = try Forge(archive).contentsRange
    let segments = try DerivedForgery.segments(of: archive)
    let first = Int(try #require(segments.first).offset)
    for range in [0..<first, 0..<(first + 32), (first + 1)..<contents.lowerBound, contents] {
      var forgery = DerivedForgery(archive)
      try forgery.derived(range)
      try expectMalformed(entry(forgery).entry)
    }
  }

  @Test func objectsAreInTheBytesOfTheFile() throws {
    let text = try encoded(String(repeating: "\0", count: 900_000), compression: .none)
    let archive = try Forge(text).changingContents {
      ($0.objectCount, $0.storedObjectCount, $0.objectsAreInOrder) = (400_000, 0, false)
    }
    let placed = try #require(DerivedForgery.segments(of: archive).first)
    var forgery = DerivedForgery(archive)
    try forgery.derived(Int(ArchiveReader.OpenSegment(placed).blocksOffset)..<Int(placed.end))
    try expectMalformed(entry(forgery).entry)
  }

  @Test func theRatioIsThatToTheBytesOfTheFile() throws {
    let archive = try encoded(Self.zeros, compression: .none)
    let placed = try #require(DerivedForgery.segments(of: archive).first)
    var forgery = DerivedForgery(archive)
    for offset in ArchiveReader.OpenSegment(placed).blockOffsets {
      try forgery.derived(Int(offset)..<(Int(offset) + 1 << 20))
    }
    let (entry, fileByteCount) = try entry(forgery)
    #expect(fileByteCount * 200 < Self.zeros.count)
    let decoder = GraphDecoder()
    try #expect(decoder.read([UInt8].self, from: entry) == Self.zeros)
    decoder.limits.expansionRatio = 64
    let error = #expect(throws: GCodableError.self) { try decoder.read([UInt8].self, from: entry) }
    #expect(error?.code == .limitExceeded)
    // As it is, it is as large as what it holds.
    try #expect(decoder.decode([UInt8].self, from: entry.archive()) == Self.zeros)
  }

  /// A block would be made anew for each byte.
  @Test func blocksAreNotMadeForFewBytesAgainAndAgain() throws {
    let archive = try encoded(Array(Self.zeros.prefix(2 << 20)), compression: .none)
    let placed = try #require(DerivedForgery.segments(of: archive).first)
    let offsets = ArchiveReader.OpenSegment(placed).blockOffsets
    var forgery = DerivedForgery(archive)
    for offset in offsets { try forgery.derived(Int(offset)..<(Int(offset) + 1 << 20)) }
    let table = try forgery.series().table
    _ = try entry(forgery)
    let source = ArchiveSource(try OpenFile(reading: place.url), table)
    // In sequence, as copying and searching do.
    for start in stride(from: offsets[0], to: placed.end, by: 100) {
      try source.withBytes(Int(min(100, placed.end - start)), from: start) {
        #expect($0.allSatisfy { $0 == 0 })
      }
    }
    let error = #expect(throws: GCodableError.self) {
      for index in 0..<10_000 { try source.withBytes(1, from: offsets[index % 2]) { _ in } }
    }
    #expect(error?.code == .malformed)
  }

  // MARK: Lists

  /// Copies that have copies would be as many times in memory as they lie in each other.
  @Test func copiesOfRecordsHaveNoCopies() throws {
    func record(_ number: Int, at offset: UInt64, behind end: UInt64, _ hash: UInt64, _ index: Bytes)
      -> SeriesRecord
    {
      SeriesRecord(
        offset: offset, archiveOffset: end, storedByteCount: 41, archiveHash: 1, number: number,
        previousHash: hash,
        step: 0, time: 0, archiveByteCount: 41, metadata: Metadata(), index: index)
    }
    func hash(_ record: Bytes) -> UInt64 { record.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    let first = try record(0, at: 128, behind: 64, SeriesHeader.hash, []).bytes()
    let second = try record(1, at: 320, behind: 256, hash(first), first).bytes()
    let third = try record(2, at: 640, behind: 576, hash(second), second).bytes()
    try place.setBytes(SeriesHeader.bytes + Bytes(repeating: 0, count: 576) + third)
    let file = try OpenFile(reading: place.url)
    let scan = SeriesScan(file, byteCount: try file.byteCount())
    try #expect(scan.recordsFromEnd(headerHash: SeriesHeader.hash) == nil)
    try #expect(GraphArchiveSeries(place.url).map(\.number) == [2])
  }

  /// The rest of the file would be searched for each of very many small entries.
  @Test func aFileIsNotSearchedAgainAndAgain() throws {
    let (count, gap) = (6_000, 2 << 20)
    let zoneEnd = 64 + 192 * count
    var (bytes, previous) = (SeriesHeader.bytes, SeriesHeader.hash)
    func record(_ number: Int, at offset: Int, behind end: Int) throws -> Bytes {
      let record = SeriesRecord(
        offset: UInt64(offset), archiveOffset: UInt64(end), storedByteCount: UInt64(offset - end),
        archiveHash: 1,
        number: number, previousHash: previous, step: 0, time: 0, archiveByteCount: 41, metadata: Metadata())
      let bytes = try record.bytes()
      previous = bytes.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      return bytes
    }
    for number in 0..<count {
      let start = bytes.count
      // Says that the archive goes on up to the end of all of them.
      let header = ArchiveHeader(contentsByteCount: 1, byteCount: UInt64(zoneEnd - start), contentsHash: 0)
      bytes += header.bytes + Bytes(repeating: 0, count: 24)
      bytes += try record(number, at: start + 64, behind: start)
    }
    let end = zoneEnd + gap
    bytes += Bytes(repeating: 0, count: gap)
    previous = 0
    bytes += try record(count, at: end, behind: zoneEnd)
    try place.setBytes(bytes)
    let error = #expect(throws: GCodableError.self) { try GraphArchiveSeries(place.url) }
    #expect(error?.code == .malformed)
  }

  // MARK: Copies

  /// In whatever order pieces lie in the file.
  @Test func piecesInAnyOrderAreCopiedOnce() throws {
    var random = SplitMix64(seed: 11)
    let source = (0..<400_000).map { _ in UInt8(random.below(256)) }
    try place.setBytes(source)
    var ranges = CopiedRanges(try OpenFile(reading: place.url))
    let sink = BytesSink()
    func copy(_ pieces: [Range<Int>], at start: UInt64) throws -> ExtentTable {
      var table = ExtentTable(start: 1 << 20)
      for piece in pieces { table.appendShared(UInt64(piece.count), at: UInt64(piece.lowerBound)) }
      let copied = try ranges.copy(table, to: sink, at: start, nil)
      var bytes = Bytes()
      for extent in copied.extents {
        bytes += sink.bytes[Int(extent.fileOffset)..<Int(extent.fileEnd)]
      }
      #expect(bytes == pieces.flatMap { source[$0] })
      return copied
    }
    let pieces = (0..<19_900).map { (20 * $0 + 64)..<(20 * $0 + 74) }
    let first = try copy(pieces.reversed(), at: 0)
    #expect(first.extents.allSatisfy { first.isOwn($0) })
    // What is between them is new.
    let end = first.ownEnd
    let second = try copy([64..<(64 + 20 * 19_900)], at: end)
    let own: UInt64 = second.extents.filter { second.isOwn($0) }.reduce(0) { $0 + $1.byteCount }
    #expect(own == 10 * 19_900)
    let third = try copy(pieces, at: second.ownEnd)
    #expect(!third.extents.contains { third.isOwn($0) })
  }
}
