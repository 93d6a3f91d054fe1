import GraphCodable
import CGraphArchive
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Archives of blocks of a byte, which no writer makes.
@Suite("Archive: small blocks") struct SmallBlockTests {
  /// Enough that to open the segment for each block would take minutes.
  private static let bools = (0..<60_000).map { $0 % 3 == 0 }

  private static func forged(_ value: some GEncodable) throws -> Bytes {
    let encoder = GraphEncoder()
    encoder.compression = .none
    let forge = try Forge(encoder.encode(value) as Bytes)
    var (contents, front) = (forge.contents, Bytes(forge.bytes[..<ArchiveHeader.byteCount]))
    let raw = bools.map { $0 ? 1 : 0 as UInt8 }
    contents.bulk[0].segment.blockByteCount = 1
    contents.bulk[0].segment.blocks = raw.map { byte in
      Segment.Block(
        storedByteCount: 1, hash: withUnsafeBytes(of: byte) { gca_hash64_bytes($0.baseAddress, 1) })
    }
    let segment = contents.bulk[0].segment
    let start = segment.front.start(behind: UInt64(front.count))
    front += Bytes(repeating: 0, count: Int(start) - front.count) + segment.header
    front += Bytes(repeating: 0, count: Int(start) + segment.paddedHeaderByteCount - front.count) + raw
    contents.bulk[0].offset = start
    return forge.replacingContents(with: contents.bytes, behind: front)
  }

  @Test func areReadAndVerified() throws {
    let archive = try GraphArchive(Self.forged(Self.bools))
    #expect(archive.contents.bulk.first?.segment.blocks.count == Self.bools.count)
    try archive.verify()
    #expect(try archive.decode([Bool].self) == Self.bools)
  }

  @Test func areListedElementByElement() throws {
    let rows = [Array(Self.bools[..<20_000]), Array(Self.bools[20_000...])]
    let archive = try GraphArchive(Self.forged(rows))
    let items = try archive.items(at: [.index(1)], in: 10..<40_000)
    #expect(items.map(\.step) == (10..<40_000).map { .index($0) })
    #expect(items.map(\.text) == rows[1][10...].map { "\($0)" })
  }

  @Test func noElementsAreListedWhereThereAreNone() throws {
    let archive = try GraphArchive(Self.forged([[], Self.bools]))
    #expect(try archive.items(at: [.index(0)]).isEmpty)
    #expect(try archive.items(at: [.index(1)], in: 60_000..<60_010).isEmpty)
  }
}
