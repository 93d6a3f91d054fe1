import GraphCodable
import DocumentTestSupport
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Blocks and segments are found and used without the library.
@Suite("Corpus: segments") struct SegmentTests {
  /// An archive of the library's, of shuffled LZ4 blocks.
  private static let large: Bytes = {
    let numbers = (0..<300_000).map { Double($0) * 0.001 }
    let noise = (0..<20_000).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435_761) }
    let script = Script {
      try $0.encode(numbers)
      try $0.encode(noise)
    }
    return (try? encoded(script)) ?? []
  }()

  private static let archives =
    [large] + ValidCase.all.filter { !$0.isSeries && !$0.isUnknownInside && $0.bytes.count > 64 }.map(\.bytes)

  @Test func aBlockIsReadByThreeReads() throws {
    var blockCount = 0
    for archive in Self.archives {
      let contents = try GraphArchive(archive).contents
      for (number, placed) in contents.bulk.enumerated() {
        let whole = try Self.expanded(archive, number)
        for block in placed.segment.blocks.indices {
          var reads: [Range<Int>] = []
          let reader = BlockReader { offset, count in
            reads.append(offset..<(offset + count))
            return Bytes(archive[offset..<(offset + count)])
          }
          let start = block * placed.segment.blockByteCount
          let expected = Bytes(whole[start..<(start + placed.segment.rawByteCount(ofBlock: block))])
          #expect(reader.block(block, ofBulkSegment: number) == expected)
          #expect(reads.count == 3)
          blockCount += 1
        }
      }
    }
    #expect(blockCount > 40)
  }

  /// The bytes of a bulk segment, by the library.
  private static func expanded(_ archive: Bytes, _ number: Int) throws -> Bytes {
    try archive.withUnsafeBytes { buffer in
      let reader = try ArchiveReader(ArchiveSource(buffer))
      let open = try reader.open(reader.contents.bulk[number])
      let bytes = try reader.bytes(0..<Int(open.segment.rawByteCount), of: open)
      return withExtendedLifetime(bytes) { Bytes(bytes.buffer) }
    }
  }

  @Test func theReaderOfABlockIsShort() throws {
    let lines = try PackageFolder.text("Tests/CorpusTests/BlockReader.swift").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 61)
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4], [0, 100, 70_000])
  func aSegmentIsMovedByCopyingItsBytes(compression: GraphEncoder.Compression, stringByteCount: Int) throws {
    let numbers = (0..<200_000).map { Double($0) / 8 }
    let source = try encoded(["numbers": numbers], compression: compression)
    let placed = try #require(GraphArchive(source).contents.bulk.first)
    let segment = Bytes(source[Int(placed.offset)..<Int(placed.end)])
    let header = Bytes(segment.prefix(placed.segment.header.count))

    // Another graph, in which the segment stands elsewhere: behind a graph stream of some size.
    let label = String(repeating: "x", count: stringByteCount)
    let stream = DraftSegment(
      kind: 0,
      join([Kind.record, 3], text(label), packedArray(format(11), count: 200_000, segment: 0)), .stored)
    var archive = Bytes(repeating: 0, count: 40)
    stream.append(to: &archive)
    if compression == .none { archive += Bytes(repeating: 0, count: (64 - archive.count % 64) % 64) }
    #expect(archive.count != Int(placed.offset))
    archive += segment
    let contents = join(
      [1], varint(2), stream.copy, header, varint(2), text("label"), text("numbers"), varint(1),
      DraftShape.new(Kind.string, Kind.packed).bytes)
    archive += contents
    let start = join(
      Bytes("gcodable".utf8), little(1 as UInt16), little(0 as UInt16), little(UInt32(contents.count)),
      little(UInt64(archive.count)), hash(contents))
    archive.replaceSubrange(0..<40, with: start + hash(start))

    let moved = try decoded(Moved.self, from: archive)
    #expect(moved.label == label)
    #expect(moved.numbers == numbers)
    try GraphArchive(archive).verify()
  }

  private struct Moved: GDecodable {
    enum Key: String { case label, numbers }
    let label: String
    let numbers: [Double]
    init(from decoder: GDecoder) throws {
      label = try decoder.decode(for: Key.label)
      numbers = try decoder.decode(for: Key.numbers)
    }
  }
}
