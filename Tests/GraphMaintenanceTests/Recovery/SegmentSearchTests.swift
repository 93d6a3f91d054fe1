import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// What the search for segments of an archive without tables finds, and takes.
@Suite("Search for segments") struct SegmentSearchTests {
  private func segments(_ bytes: Bytes) throws -> [PlacedSegment] {
    try bytes.withUnsafeBytes { try SegmentSearch.segments(of: ArchiveSource($0)) }
  }

  private let arrays = (0..<200).map { number in ["own": (0..<3_000).map { Double($0 * number % 100) }] }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4])
  func allSegmentsAreFoundInTheirOrder(_ compression: GraphEncoder.Compression) throws {
    let bytes = try encoded(arrays, compression: compression)
    let offsets = try GraphArchive(bytes).contents.segments.map(\.offset)
    #expect(offsets.count >= 200)
    #expect(try segments(bytes).map(\.offset) == offsets)
  }

  @Test func compressedSegmentsAreFoundWhereverTheyAre() throws {
    let bytes = try encoded(arrays, compression: .lz4)
    let compressed = try GraphArchive(bytes).contents.segments.filter { $0.segment.codec != 0 }
    let start = ArchiveHeader.byteCount
    let moved = bytes[..<start] + Bytes("GSEG, GSEGSEG".utf8) + bytes[start...]
    let found = try segments(Bytes(moved)).filter { $0.segment.codec != 0 }
    #expect(compressed.count > 100)
    #expect(found.map { $0.offset - 13 } == compressed.map(\.offset))
  }

  /// Each claims the next MiB as its block: without a limit, 80 GB would be compared.
  @Test(.timeLimit(.minutes(1))) func headersWithinTheBlocksOfOthersTakeNoTimeOutOfProportion() throws {
    var segment = try #require(
      Forge(encoded((0..<300_000).map(Double.init))).contents.bulk.first?.segment)
    segment.blocks = [.init(storedByteCount: 1 << 20 - 1, hash: 1)]
    segment.rawByteCount = 1 << 20
    let header = segment.header
    let bytes = Bytes(repeatElement(header, count: (4 << 20) / header.count).joined())
    #expect(try segments(bytes).isEmpty)
  }
}
