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

/// Series whose checksums are right and whose tables are not.
enum ForgedSeries {
  /// Puts another table, and another header, in the place of those of the last entry.
  static func replaceTable(
    of entry: GraphArchiveSeries.Entry, with table: [UInt8], in place: SeriesFolder,
    _ change: (inout SharedHeader) -> Void = { _ in }
  ) throws {
    let whole = try place.bytes()
    let scan = try SeriesScan(OpenFile(reading: place.url), byteCount: UInt64(whole.count))
    let stored = try scan.record(endingAt: UInt64(whole.count))
    var record = try #require(stored).record
    var header = try #require(try entry.pieces()).header
    let start = Int(entry.offset)
    var bytes = whole.prefix(start + Int(header.storedByteCount) - Int(header.tableByteCount)) + table
    header.tableByteCount = UInt32(table.count)
    header.storedByteCount = UInt64(bytes.count - start)
    header.tableHash = table.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
    record.storedByteCount = header.storedByteCount
    change(&header)
    record.archiveByteCount = header.archiveByteCount
    record.archiveHash = header.hash
    bytes.replaceSubrange(start..<(start + SharedHeader.byteCount), with: header.bytes)
    bytes += repeatElement(0, count: (64 - bytes.count % 64) % 64)
    record.offset = UInt64(bytes.count)
    try place.setBytes(bytes + record.bytes())
  }
}

/// Tables of extents that must not be trusted.
@Suite("Series: forged tables")
struct ForgedTableTests {
  let place: SeriesFolder

  init() throws {
    place = try SeriesFolder()
    let writer = try GraphArchiveSeries.Writer(place.url)
    let encoder = GraphEncoder()
    encoder.compression = .none
    for step in 0..<2 { try encoder.append(SharedFrame(step), to: writer, step: step, time: 0) }
  }

  private func last() throws -> GraphArchiveSeries.Entry { try #require(GraphArchiveSeries(place.url).last) }

  private func error(
    _ table: [UInt8], _ change: (inout SharedHeader) -> Void = { _ in }
  ) throws -> GCodableError? {
    let whole = try place.bytes()
    defer { try? place.setBytes(whole) }
    try ForgedSeries.replaceTable(of: last(), with: table, in: place, change)
    let series = try GraphArchiveSeries(place.url)
    #expect(series.map(\.number) == [0, 1])
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(series[1]) }
    #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
    try GraphDecoder().verify(series[0])
    // A writer goes on.
    try GraphEncoder().append(SharedFrame(2), to: GraphArchiveSeries.Writer(place.url), step: 2, time: 0)
    try #expect(GraphArchiveSeries(place.url).last?.archive() == GraphEncoder().encode(SharedFrame(2)))
    return error
  }

  private func table(_ extents: [(byteCount: UInt64, back: UInt64?)], blocks: UInt64 = 0) -> [UInt8] {
    var builder = ByteBuilder()
    builder.varint(UInt64(extents.count))
    for extent in extents {
      builder.varint(extent.byteCount)
      builder.byte(extent.back == nil ? 0 : 1)
      if let back = extent.back { builder.varint(back) }
    }
    builder.varint(blocks)
    return builder.bytes
  }

  @Test func whatDoesNotFitTogetherIsMalformed() throws {
    let entry = try last()
    let pieces = try #require(try entry.pieces())
    let sound = pieces.table.bytes
    let own = pieces.table.ownEnd - entry.offset - 64
    let rest = entry.byteCount - own
    let forged: [[UInt8]] = [
      [], Array(sound.dropLast()), sound + [0], table([]),
      // More extents and more blocks than there can be.
      [0, 255, 255, 255, 255, 255, 255, 255, 127], table([(own, nil)], blocks: 1 << 60),
      // Less and more than the archive, and extents of no bytes.
      table([(own, nil)]), table([(own, nil), (rest + 1, rest + 1)]),
      table([(own, nil), (0, 64), (rest, rest)]),
      table([(own, nil), (.max, 64)]),
      // More and fewer own bytes than there are.
      table([(own + 1, nil), (rest - 1, rest)]), table([(own - 1, nil), (rest + 1, rest + 1)]),
      table([(entry.byteCount, nil)]), table([(.max, nil)]),
      // In front of the first entry, and into this one.
      table([(own, nil), (rest, entry.offset - 63)]), table([(own, nil), (rest, rest - 1)]),
      table([(own, nil), (rest, 0)]), table([(own, nil), (rest, .max)]),
      // The same bytes twice.
      table([(own, nil), (rest - 10, rest), (10, 11)]), table([(own, nil), (rest - 1, rest), (1, rest)]),
      // An unknown kind.
      [3, 3, 2],
    ]
    for (number, bytes) in forged.enumerated() {
      let error = try error(bytes)
      #expect(error?.code == .malformed, "\(number): \(error.map { "\($0)" } ?? "")")
      #expect(error?.byteOffset != nil)
    }
  }

  @Test func headersThatDoNotFitAreRefused() throws {
    let sound = try #require(try last().pieces()).table.bytes
    let changes: [(code: GCodableError.Code, change: (inout SharedHeader) -> Void)] = [
      (.damaged, { $0.tableHash ^= 1 }), (.malformed, { $0.archiveByteCount += 1 }),
      (.malformed, { $0.archiveByteCount -= 1 }), (.damaged, { $0.archiveHash ^= 1 }),
      (.damaged, { $0.storedByteCount -= 64 }), (.malformed, { $0.tableByteCount = .max }),
    ]
    for (number, item) in changes.enumerated() {
      let error = try error(sound, item.change)
      #expect(error?.code == item.code, "\(number): \(error.map { "\($0)" } ?? "")")
    }
  }

  @Test func aTableWithoutTheBlocksIsFoundByVerify() throws {
    var table = try #require(try last().pieces()).table
    table.fingerprints.removeLast()
    try #expect(error(table.bytes)?.code == .malformed)
  }

  /// If a changed byte is in an entry, some check notices it.
  @Test func aByteThatWasChangedIsFound() throws {
    let whole = try place.bytes()
    let entry = try last()
    var random = SplitMix64(seed: 5)
    // All of the header, and some of everything else.
    let places = (0..<64).map { Int(entry.offset) + $0 } + (0..<60).map { _ in random.below(whole.count) }
    for index in places + stride(from: whole.count - 700, to: whole.count, by: 3) {
      var bytes = whole
      bytes[index] ^= 0x10
      try place.setBytes(bytes)
      let series = try GraphArchiveSeries(place.url)
      let isInLastRecord = index >= Int(entry.offset + entry.storedByteCount + 63) / 64 * 64
      if isInLastRecord {
        #expect(series.count == 1)
      } else {
        #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
      }
    }
  }

  @Test func noTableTraps() throws {
    let entry = try last()
    let sound = try #require(try entry.pieces()).table.bytes
    let whole = try place.bytes()
    var random = SplitMix64(seed: 7)
    for _ in 0..<Effort.of(300, thorough: 5_000) {
      var table = sound
      for _ in 0...random.below(3) {
        // Of the extents.
        table[random.below(min(table.count, 40))] = [0, 1, 3, 255, UInt8(random.below(256))][random.below(5)]
      }
      try ForgedSeries.replaceTable(of: entry, with: table, in: place)
      let series = try GraphArchiveSeries(place.url)
      #expect(series.count == 2)
      do {
        try GraphDecoder().verify(series[1])
        try #expect(series[1].archive().count == Int(entry.byteCount))
      } catch is GCodableError {}
      try place.setBytes(whole)
    }
  }
}
