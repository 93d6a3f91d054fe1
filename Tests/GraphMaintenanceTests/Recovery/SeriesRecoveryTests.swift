import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// What `GraphArchive.recover` makes of series.
@Suite("Recovery of series") struct SeriesRecoveryTests {
  private static func samples(_ entry: Int) -> [Double] {
    (0..<5_000).map { Double($0 * (entry + 1) % 977) + 0.25 }
  }

  private static func series(in folder: TemporaryFolder) throws -> URL {
    let url = folder.file("run.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    let encoder = GraphEncoder()
    for entry in 0..<5 {
      try encoder.append(
        Post("entry \(entry)", samples: samples(entry)), to: writer, step: entry * 10, time: Double(entry),
        metadata: ["entry": "\(entry)"])
    }
    return url
  }

  private static func recover(
    _ change: (inout Data, GraphArchiveSeries) throws -> Void
  ) throws -> (series: GraphArchiveSeries, recovery: GraphRecovery) {
    let folder = try TemporaryFolder()
    let url = try series(in: folder)
    var bytes = try Data(contentsOf: url)
    try change(&bytes, GraphArchiveSeries(url))
    let (damaged, new) = (folder.file("damaged.gcseries"), folder.file("new.gcseries"))
    try bytes.write(to: damaged)
    let recovery = try GraphArchive.recover(damaged, to: new)
    #expect(try Data(contentsOf: damaged) == bytes)
    let series = try GraphArchiveSeries(new)
    try GraphDecoder().verify(series)
    return (series, recovery)
  }

  private static func expectWhole(_ entry: GraphArchiveSeries.Entry, _ number: Int) throws {
    #expect(
      entry.step == number * 10 && entry.time == Double(number) && entry.metadata["entry"] == "\(number)")
    let post = try GraphArchive(entry).decode(Post.self)
    #expect(post.name == "entry \(number)" && post.samples == Self.samples(number))
  }

  /// As sectors that were exchanged.
  @Test(arguments: [1, 3]) func aSeriesMayBeginWithTheHeaderOfAnEntry(number: Int) throws {
    let (series, recovery) = try Self.recover { bytes, series in
      let header = 0..<ArchiveHeader.byteCount
      let place = Int(series[number].offset)
      let other = place..<(place + header.count)
      let (first, second) = (bytes[header], bytes[other])
      bytes.replaceSubrange(header, with: second)
      bytes.replaceSubrange(other, with: first)
    }
    #expect(recovery.isSeries)
    for whole in 0..<5 where whole != number {
      try Self.expectWhole(try #require(series.first { $0.step == whole * 10 }), whole)
    }
  }

  /// Bytes behind an archive do not make it a series, even where it holds one.
  @Test func anArchiveThatHoldsASeriesStaysOne() throws {
    let folder = try TemporaryFolder()
    let inner = try Data(contentsOf: Self.series(in: folder))
    let encoder = GraphEncoder()
    encoder.compression = .none
    let (url, new) = (folder.file("outer.gcodable"), folder.file("new.gcodable"))
    for extra in [0, 1, 5_000] {
      try (encoder.encode(["inner": inner]) as Data + Data(count: extra)).write(to: url)
      let recovery = try GraphArchive.recover(url, to: new)
      #expect(!recovery.isSeries, "\(extra) bytes")
      #expect(try GraphArchive(new).decode([String: Data].self) == ["inner": inner])
    }
  }

  @Test func whatIsWholeIsCopied() throws {
    var before = Data()
    let (series, recovery) = try Self.recover { bytes, _ in before = bytes }
    #expect(recovery.isSeries && recovery.isWhole)
    #expect(recovery.archives.map(\.entryNumber) == [0, 1, 2, 3, 4])
    #expect(series.byteCount == UInt64(before.count))
    for (number, entry) in series.enumerated() { try Self.expectWhole(entry, number) }
  }

  @Test func ofADamagedEntryTheRestIsRecovered() throws {
    let (series, recovery) = try Self.recover { bytes, series in
      let entry = series[2]
      let placed = try GraphArchive(entry).contents.bulk[0]
      bytes[Int(entry.offset + placed.end) - 1] ^= 1
    }
    #expect(series.count == 5)
    for number in [0, 1, 3, 4] { try Self.expectWhole(series[number], number) }
    #expect(series[2].step == 20 && series[2].metadata["entry"] == "2")
    let post = try GraphArchive(series[2]).decode(Post.self)
    #expect(post.name == "entry 2" && post.samples.allSatisfy { $0.isNaN })
    #expect(recovery.archives.map(\.isWhole) == [true, true, false, true, true])
    #expect(recovery.archives[2].damage.blocks.first?.losses.first?.path == ["samples"])
  }

  @Test func anEntryWithoutItsRecordIsRecovered() throws {
    let (series, recovery) = try Self.recover { bytes, series in
      let record = try #require(SeriesRecord.offset(behind: series[1].offset, series[1].storedByteCount))
      bytes[Int(record) + 70] ^= 1
    }
    #expect(series.count == 5)
    #expect(series[1].step == -1 && series[1].time.isNaN)
    #expect(try GraphArchive(series[1]).decode(Post.self).name == "entry 1")
    #expect(recovery.archives.map(\.entryNumber) == [0, nil, 2, 3, 4])
    for number in [0, 2, 3, 4] { try Self.expectWhole(series[number], number) }
  }

  @Test func withoutHeadersItIsASeriesStill() throws {
    // Those of the series, of the first archive and of its first segment.
    let (series, recovery) = try Self.recover { bytes, _ in
      bytes.replaceSubrange(0..<150, with: Data(count: 150))
    }
    #expect(recovery.isSeries && series.count == 5)
    for (number, entry) in series.enumerated() where number > 0 { try Self.expectWhole(entry, number) }
    #expect(series.first?.step == 0)
  }

  @Test func ofACutSeriesTheLastArchiveIsRecovered() throws {
    let (series, _) = try Self.recover { bytes, series in
      // Behind the archive of entry 3, in front of its record.
      bytes = bytes.prefix(Int(series[3].offset + series[3].storedByteCount))
    }
    #expect(series.count == 4)
    #expect(try GraphArchive(series[3]).decode(Post.self).samples == Self.samples(3))
    for number in 0..<3 { try Self.expectWhole(series[number], number) }
  }
}
