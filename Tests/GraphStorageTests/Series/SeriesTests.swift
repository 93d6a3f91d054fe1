import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Series")
struct SeriesTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  @Test func entriesAreListedInTheOrderInWhichTheyWereAppended() throws {
    try place.append(0..<3)
    try place.append(3..<5)
    try #expect(place.numbers() == [0, 1, 2, 3, 4])
    let series = try GraphArchiveSeries(url)
    #expect(series.count == 5)
    #expect(series[3].step == 30)
    #expect(series.last?.step == 40)
    #expect(series.damage.isEmpty)
    try GraphDecoder().verify(series)
    try #expect(place.folder.names() == ["a.series"])
  }

  @Test func anEntryIsAnArchiveOfItsOwn() throws {
    let model = [[Double]](repeating: (0..<30_000).map { Double($0) / 7 }, count: 3)
    let writer = try GraphArchiveSeries.Writer(url)
    for compression in [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 9)] {
      let encoder = GraphEncoder(binaryIOVersion: 7)
      encoder.compression = compression
      try encoder.append(model, to: writer, step: 0, time: 0)
      let entry = try #require(writer.series.last)
      let archive = try entry.archive()
      try #expect(archive == encoder.encode(model))
      try #expect(GraphDecoder().decode([[Double]].self, from: archive) == model)
      #expect(entry.byteCount == archive.count)
      #expect(entry.offset % 64 == 0)
      // Its own bytes begin behind a header of 64.
      try #expect(place.bytes()[Int(entry.offset + 64)...].starts(with: archive.prefix(40)))
      try #expect(GraphDecoder().read([[Double]].self, from: entry) == model)
      try GraphDecoder().verify(entry)
    }
  }

  @Test func theBytesAreTheSameForTheSameSnapshots() throws {
    let metadata = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key \($0)", "value \($0)") })
    var files: [[UInt8]] = []
    for threadCount in [1, 4] {
      try? FileManager.default.removeItem(at: url)
      let writer = try GraphArchiveSeries.Writer(url)
      let encoder = GraphEncoder()
      encoder.threadCount = threadCount
      for step in 0..<3 {
        try encoder.append(Array(0..<500_000), to: writer, step: step, time: -0.0, metadata: metadata)
      }
      files.append(try place.bytes())
    }
    #expect(files[0] == files[1])
  }

  @Test func labelsComeBackBitForBit() throws {
    let labels: [(Int, Double, [String: String])] = [
      (.min, -.infinity, [:]), (.max, .nan, ["": ""]), (0, -0.0, ["é🜁": "e\u{301}\0", "b": "1", "a": "2"]),
      (-1, .leastNonzeroMagnitude, ["long": String(repeating: "x", count: 100_000)]),
    ]
    let writer = try GraphArchiveSeries.Writer(url)
    for label in labels {
      try GraphEncoder().append(1, to: writer, step: label.0, time: label.1, metadata: label.2)
    }
    let series = try GraphArchiveSeries(url)
    #expect(series.count == labels.count)
    for (entry, label) in zip(series, labels) {
      #expect(entry.step == label.0)
      #expect(entry.time.bitPattern == label.1.bitPattern)
      #expect(entry.metadata == label.2)
      let values = Set(label.2.values.map { Array($0.utf8) })
      #expect(entry.metadata.values.allSatisfy { values.contains(Array($0.utf8)) })
    }
    try GraphDecoder().verify(series)
  }

  @Test func anEntryIsFoundByItsStep() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    for (number, step) in [5, 10, 15, 10, 20].enumerated() {
      try GraphEncoder().append(number, to: writer, step: step, time: 0)
    }
    let series = writer.series
    #expect(series.entry(atStep: 5)?.number == 0)
    // Begun again from an older snapshot, a simulation comes to a step a second time.
    #expect(series.entry(atStep: 10)?.number == 3)
    #expect(series.entry(atStep: 11) == nil)
  }

  @Test func anEntryIsFoundByItsTime() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    #expect(writer.series.entry(nearestToTime: 0) == nil)
    for (number, time) in [0.1, 0.2, 0.1 + 0.2, .nan, .infinity, 0.2].enumerated() {
      try GraphEncoder().append(number, to: writer, step: 0, time: time)
    }
    let series = writer.series
    #expect(series.entry(nearestToTime: 0.3)?.number == 2)
    #expect(series.entry(nearestToTime: -5)?.number == 0)
    #expect(series.entry(nearestToTime: 0.21)?.number == 5)
    #expect(series.entry(nearestToTime: 1)?.number == 2)
    #expect(series.entry(nearestToTime: .infinity)?.number == 4)
    #expect(series.entry(nearestToTime: .nan) == nil)
  }

  @Test func aSeriesWithoutEntriesIsOne() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    #expect(writer.series.isEmpty)
    var series = try GraphArchiveSeries(url)
    #expect(series.isEmpty)
    try GraphDecoder().verify(series)
    try place.append(0, to: writer)
    #expect(series.isEmpty)
    try series.update()
    #expect(series.map(\.number) == [0])
    #expect(writer.series.map(\.number) == [0])
  }

  @Test func anUpdateAddsWhatWasAppended() throws {
    try place.append(0..<2)
    var series = try GraphArchiveSeries(url)
    let older = series
    try place.append(2..<4)
    #expect(series.count == 2)
    try series.update()
    #expect(series.map(\.number) == [0, 1, 2, 3])
    try series.update()
    #expect(series.count == 4)
    #expect(older.count == 2)
    try #expect(GraphDecoder().read([String].self, from: series[3]) == SeriesFolder.model(3))
  }

  /// As when a device fails just after an entry was written, and the writer takes it back.
  @Test func anUpdateReadsTheListAnewWhenItsLastEntryIsGone() throws {
    try place.append(0..<3)
    let end = try Int(GraphArchiveSeries(url)[2].offset)
    for isReplaced in [false, true] {
      var series = try GraphArchiveSeries(url)
      #expect(series.count == 3)
      truncate(url.path, end)
      // What comes in its place is shorter and longer than what was there.
      if isReplaced { for step in 7...9 { try append(String(repeating: "x", count: 90 * (step - 6)), step) } }
      try series.update()
      #expect(series.map(\.step) == (isReplaced ? [0, 10, 7, 8, 9] : [0, 10]))
      #expect(series.damage.isEmpty)
      if !isReplaced { try place.append(2..<3) }
    }
  }

  private func append(_ root: String, _ step: Int) throws {
    try GraphEncoder().append(root, to: GraphArchiveSeries.Writer(url), step: step, time: 0)
  }

  @Test func aLinkIsFollowed() throws {
    let link = place.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "a.series")
    let writer = try GraphArchiveSeries.Writer(link)
    try place.append(0, to: writer)
    try #expect(place.numbers() == [0])
    #expect(throws: GCodableError.self) { try GraphArchiveSeries.Writer(url) }
  }

  @Test func aTypeThatIsNotTheRootsIsAnErrorAsInAnArchive() throws {
    try place.append(0..<1)
    let error = try #require(
      #expect(throws: GCodableError.self) {
        try GraphDecoder().read([String: Int].self, from: GraphArchiveSeries(url)[0])
      })
    #expect(error.code == .typeMismatch)
  }
}
