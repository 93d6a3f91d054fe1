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

/// Series that are written anew with some of their entries.
@Suite("Copying of series") struct SeriesCopyingTests {
  private static func append(_ steps: Range<Int>, to writer: GraphArchiveSeries.Writer) throws {
    for step in steps {
      try GraphEncoder().append(
        Self.model(step), to: writer, step: step, time: Double(step) / 2, metadata: ["step": "\(step)"])
    }
  }

  private static func model(_ step: Int) -> [[Int]] { [[step], (0..<3_000).map { $0 * step }] }

  private static func expect(_ series: GraphArchiveSeries, has steps: [Int]) throws {
    #expect(series.map(\.step) == steps)
    #expect(series.map(\.number) == Array(steps.indices))
    for entry in series {
      #expect(entry.time == Double(entry.step) / 2 && entry.metadata == ["step": "\(entry.step)"])
      #expect(try GraphArchive(entry).decode([[Int]].self) == model(entry.step))
    }
    try GraphDecoder().verify(series)
  }

  @Test func someEntriesAreCopied() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    try Self.append(0..<100, to: GraphArchiveSeries.Writer(url))
    let series = try GraphArchiveSeries(url)
    let copy = folder.file("b.gcseries")
    try series.copy(to: copy) { $0.step % 10 == 0 }
    try Self.expect(GraphArchiveSeries(copy), has: Array(stride(from: 0, to: 100, by: 10)))
    // All of them are the same file.
    try series.copy(to: copy)
    #expect(try Data(contentsOf: copy) == Data(contentsOf: url))
    // The file itself: readers that have it open keep the old one.
    try series.copy(to: url) { $0.step >= 98 }
    try Self.expect(GraphArchiveSeries(url), has: [98, 99])
    try Self.expect(series, has: Array(0..<100))
    try series.copy(to: copy) { _ in false }
    try Self.expect(GraphArchiveSeries(copy), has: [])
    #expect(try folder.names() == ["a.gcseries", "b.gcseries"])
  }

  @Test func seriesAreJoined() throws {
    let folder = try TemporaryFolder()
    let urls = ["a", "b"].map { folder.file("\($0).gcseries") }
    try Self.append(0..<3, to: GraphArchiveSeries.Writer(urls[0]))
    try Self.append(5..<7, to: GraphArchiveSeries.Writer(urls[1]))
    let all = folder.file("all.gcseries")
    try GraphArchiveSeries.concatenate(urls.map { try GraphArchiveSeries($0) }, to: all)
    try Self.expect(GraphArchiveSeries(all), has: [0, 1, 2, 5, 6])
    // And can be appended to.
    try Self.append(7..<8, to: GraphArchiveSeries.Writer(all))
    try Self.expect(GraphArchiveSeries(all), has: [0, 1, 2, 5, 6, 7])
  }

  @Test func anExtractedEntryIsWhatEncodingMakes() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    try Self.append(0..<3, to: writer)
    let archive = folder.file("a.gcodable")
    try writer.series[1].extract(to: archive)
    #expect(try Data(contentsOf: archive) == GraphEncoder().encode(Self.model(1)))
  }

  @Test func aWriterKeepsTheLastEntriesAndGoesOn() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    try Self.append(0..<5, to: writer)
    let reader = try GraphArchiveSeries(url)
    try writer.retain(last: 2)
    try Self.expect(writer.series, has: [3, 4])
    try Self.append(5..<7, to: writer)
    try Self.expect(GraphArchiveSeries(url), has: [3, 4, 5, 6])
    // A reader of before has what it had.
    try Self.expect(reader, has: [0, 1, 2, 3, 4])
    // Nobody else can append meanwhile, also where `flock` does not hold.
    #expect(throws: GCodableError.self) { try GraphArchiveSeries.Writer(url) }
    #expect(try LockFile.read(LockFile.path(of: url.path))?.isStale(for: 1) == false)
    try writer.retain(last: 4)
    try writer.retain { $0.step != 5 }
    try Self.expect(GraphArchiveSeries(url), has: [3, 4, 6])
    try writer.compact()
    try writer.retain(last: 0)
    try Self.expect(GraphArchiveSeries(url), has: [])
    try Self.append(9..<10, to: writer)
    try Self.expect(GraphArchiveSeries(url), has: [9])
    #expect(try folder.names().sorted() == ["a.gcseries", "a.gcseries.gcodable-lock"])
  }

  @Test func aDamagedSeriesIsNotWrittenAnew() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    var offset: UInt64 = 0
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      try Self.append(0..<5, to: writer)
      offset = writer.series[2].offset + writer.series[2].byteCount
    }
    var bytes = try Data(contentsOf: url)
    bytes[Int(SeriesRecord.offset(behind: offset, 0) ?? 0) + 80] ^= 1
    try bytes.write(to: url)
    let writer = try GraphArchiveSeries.Writer(url)
    #expect(throws: GCodableError.self) { try writer.retain(last: 1) }
    #expect(try Data(contentsOf: url) == bytes)
  }
}
