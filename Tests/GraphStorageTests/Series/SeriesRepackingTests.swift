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

/// What `GraphEncoder.repack` makes of series.
@Suite("Series: repacking")
struct SeriesRepackingTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  private func encoder(_ compression: GraphEncoder.Compression) -> GraphEncoder {
    let encoder = GraphEncoder()
    encoder.compression = compression
    return encoder
  }

  private func check(_ series: GraphArchiveSeries, _ encoder: GraphEncoder, _ steps: [Int]) throws {
    #expect(series.map(\.step) == steps)
    #expect(series.map(\.number) == Array(steps.indices))
    for entry in series {
      try #expect(entry.archive() == encoder.encode(SharedFrame(entry.step)))
      #expect(entry.time == Double(entry.step) / 4 && entry.metadata == ["step": "\(entry.step)"])
    }
    try GraphDecoder().verify(series)
  }

  private func append(_ steps: [Int], _ encoder: GraphEncoder, to writer: GraphArchiveSeries.Writer) throws {
    for step in steps {
      try encoder.append(
        SharedFrame(step), to: writer, step: step, time: Double(step) / 4, metadata: ["step": "\(step)"])
    }
  }

  @Test func entriesAreAsIfTheyHadBeenEncodedSo() throws {
    let steps = [3, 4, 9, 9]
    try append(steps, encoder(.lz4), to: GraphArchiveSeries.Writer(url))
    let new = place.folder.file("new")
    for compression in [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 9)] {
      var sizes: [UInt64] = []
      for sharing in [GraphArchiveSeries.Writer.Sharing.none, .blocks, .differences(keyInterval: 2)] {
        try encoder(compression).repack(GraphArchiveSeries(url), to: new, sharing: sharing)
        let series = try GraphArchiveSeries(new)
        try check(series, encoder(compression), steps)
        sizes.append(series.byteCount)
      }
      #expect(sizes[1] * 2 < sizes[0])
      #expect(sizes[2] <= sizes[1])
    }
    // In its own place; and a writer goes on with it.
    try encoder(.lz4hc(level: 9)).repack(GraphArchiveSeries(url), to: url)
    let writer = try GraphArchiveSeries.Writer(url)
    try append([12], encoder(.lz4hc(level: 9)), to: writer)
    try check(writer.series, encoder(.lz4hc(level: 9)), steps + [12])
    #expect(try #require(writer.series.last).storedByteCount * 3 < writer.series[0].storedByteCount)
  }

  @Test func foldersAndSmallArchivesAreRepacked() throws {
    let folder = place.folder.file("folder")
    do { try append([1, 2], encoder(.none), to: GraphArchiveSeries.Writer(folder: folder)) }
    try encoder(.lz4).repack(GraphArchiveSeries(folder: folder), to: url)
    // The archives of a folder have their steps in their metadata.
    for (entry, step) in zip(try GraphArchiveSeries(url), [1, 2]) {
      #expect(entry.step == step && entry.time == Double(step) / 4)
      try #expect(GraphDecoder().read(SharedFrame.self, from: entry) == SharedFrame(step))
    }
    try GraphDecoder().verify(GraphArchiveSeries(url))
    try FileManager.default.removeItem(at: url)
    try place.append(0..<3)
    try encoder(.lz4).repack(GraphArchiveSeries(url), to: url)
    try #expect(place.numbers() == [0, 1, 2])
    let empty = place.folder.file("empty")
    _ = try GraphArchiveSeries.Writer(empty)
    try encoder(.lz4).repack(GraphArchiveSeries(empty), to: empty)
    try #expect(GraphArchiveSeries(empty).isEmpty)
  }

  @Test func damageAndCancellationLeaveTheFile() throws {
    try append([1, 2], encoder(.lz4), to: GraphArchiveSeries.Writer(url))
    let whole = try place.bytes()
    let cancelled = Progress.discreteProgress(totalUnitCount: 0)
    cancelled.cancel()
    #expect(throws: CancellationError.self) {
      try encoder(.none).repack(GraphArchiveSeries(url), to: url, progress: cancelled)
    }
    for offset in [whole.count / 4, whole.count / 2] {
      var bytes = whole
      bytes[offset] ^= 1
      try place.setBytes(bytes)
      #expect(throws: GCodableError.self) { try encoder(.none).repack(GraphArchiveSeries(url), to: url) }
      try #expect(place.bytes() == bytes)
    }
    try #expect(
      FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).count == 1)
  }

  @Test func progressCountsAllEntries() throws {
    try append([1, 2], encoder(.lz4), to: GraphArchiveSeries.Writer(url))
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    try encoder(.lz4).repack(GraphArchiveSeries(url), to: url, progress: progress)
    #expect(progress.isFinished && progress.completedUnitCount > 2 * 8 * 200_000)
  }
}
