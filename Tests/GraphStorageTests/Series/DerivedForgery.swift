import GraphCodable
import CGraphArchive
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Makes series of one entry, of which runs of bytes are made of other blocks, with all checksums right.
struct DerivedForgery {
  private let archive: Bytes
  private var table = ExtentTable(start: UInt64(SeriesHeader.byteCount))
  private var runs: [(offset: UInt64, bytes: Bytes)] = []
  private var place = 0

  init(_ archive: Bytes) { self.archive = archive }

  /// The segments of an archive.
  static func segments(of archive: Bytes) throws -> [PlacedSegment] { try Forge(archive).contents.segments }

  /// The bytes up to a place as they are.
  mutating func own(to end: Int) {
    guard end > place else { return }
    table.appendOwn(UInt64(end - place))
    runs.append((table.ownEnd - UInt64(end - place), Bytes(archive[place..<end])))
    place = end
  }

  /// The bytes of a range as a block that another one comes out as: one that is compressed, of the bytes that it has itself.
  mutating func derived(_ range: Range<Int>, level: Int32? = nil, raw: Bytes? = nil) throws {
    own(to: range.lowerBound)
    let raw = raw ?? Bytes(archive[range])
    let base = Self.compressed(raw)
    let run = table.reserve(UInt64(base.count))
    runs.append((run.offset, base))
    table.append(
      DerivedBlock(
        base: run, change: .overlays([]), rawByteCount: raw.count, level: level,
        hash: raw.withUnsafeBytes { Fingerprint($0).low }), byteCount: UInt64(range.count))
    place = range.upperBound
  }

  /// Bytes compressed by LZ4, or as they are where that makes them no fewer.
  private static func compressed(_ bytes: Bytes) -> Bytes {
    var (result, count) = (Bytes(repeating: 0, count: bytes.count), 0)
    bytes.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { target in
        _ = gca_block_compress(target.bytes, target.count, source.bytes, source.count, 0, &count)
      }
    }
    return count > 0 ? Bytes(result.prefix(count)) : bytes
  }

  /// The file, and its table.
  mutating func series() throws -> (bytes: Bytes, table: ExtentTable) {
    own(to: archive.count)
    let sink = BytesSink()
    try SeriesHeader.bytes.withUnsafeBytes { try sink.write([$0], at: 0) }
    for (offset, bytes) in runs { try bytes.withUnsafeBytes { try sink.write([$0], at: offset) } }
    let hash = archive[32..<40].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    let header = try table.write(to: sink, archiveHash: hash)
    let record = SeriesRecord(
      offset: try #require(SeriesRecord.offset(behind: 64, header.storedByteCount)), archiveOffset: 64,
      storedByteCount: header.storedByteCount, archiveHash: header.hash, number: 0,
      previousHash: SeriesHeader.hash, step: 0, time: 0, archiveByteCount: UInt64(archive.count),
      metadata: Metadata())
    try record.bytes().withUnsafeBytes { try sink.write([$0], at: record.offset) }
    return (sink.bytes, table)
  }
}
