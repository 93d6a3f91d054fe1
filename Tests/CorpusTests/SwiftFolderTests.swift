import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Tests/Corpus/swift: a series with differences, a series that is a folder and a set, as this library writes them.
///
/// Numbers are those that a formula gives, so that readers in other languages can tell what has to come out. A set has
/// names and times of its own, so the files are not compared with new ones; `GRAPHCODABLE_CORPUS=replace` makes them anew.
@Suite("Corpus: series and sets that Swift has written", .serialized) struct SwiftFolderTests {
  private static let url = CorpusFolder.url.appendingPathComponent("swift")

  private struct State: GCodable, Equatable {
    var title: String
    var energies: [Double]
    var positions: [SIMD3<Float>]
    var counts: [Int32]

    private enum Key: String { case title, energies, positions, counts }

    /// For some elements of a whole.
    init(_ step: Int, _ range: Range<Int> = 0..<3_000) {
      title = "step \(step)"
      energies = range.map { Double($0 * 2_654_435_761 % 1_048_576) / 8 + Double(step) / 1_024 }
      positions = range.map { SIMD3(Float($0) / 4, Float($0 % 13), Float(step) / 8) }
      counts = range.map { Int32($0 * 31 % 257 + step) }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(title, for: Key.title)
      try encoder.encode(energies, for: Key.energies)
      try encoder.encode(positions, for: Key.positions, precision: .absolute(0.25))
      try encoder.encode(counts, for: Key.counts)
    }

    init(from decoder: GDecoder) throws {
      title = try decoder.decode(for: Key.title)
      energies = try decoder.decode(for: Key.energies)
      positions = try decoder.decode(for: Key.positions)
      counts = try decoder.decode(for: Key.counts)
    }
  }

  private func check(_ state: State, _ expected: State) {
    #expect(state.title == expected.title && state.energies == expected.energies)
    #expect(state.counts == expected.counts && state.positions.count == expected.positions.count)
    for (position, exact): (SIMD3<Float>, SIMD3<Float>) in zip(state.positions, expected.positions) {
      let difference = position - exact
      #expect(difference.indices.allSatisfy { abs(difference[$0]) <= 0.25 })
    }
  }

  @Test(.enabled(if: CorpusFolder.writingMode == "replace")) func writeTheFiles() throws {
    try? FileManager.default.removeItem(at: Self.url)
    try FileManager.default.createDirectory(at: Self.url, withIntermediateDirectories: true)
    let writer = try GraphArchiveSeries.Writer(Self.url.appendingPathComponent("moving.gcseries"))
    writer.sharing = .differences(keyInterval: 3)
    let folder = try GraphArchiveSeries.Writer(folder: Self.url.appendingPathComponent("run"))
    for step in 0..<4 {
      for series in [writer, folder] {
        try GraphEncoder().append(
          State(step), to: series, step: step, time: Double(step) / 2, metadata: ["step": "\(step)"])
      }
    }
    let set = try GraphArchiveSet.Writer(Self.url.appendingPathComponent("state"))
    let ranges = [0..<1_000, 1_000..<1_500, 1_500..<3_000]
    let receipts = try ranges.enumerated().map { number, range in
      try set.part(number, of: ranges.count).write(
        State(7, range),
        arrays: ["energies", "positions", "counts"].map {
          .init($0, globalShape: [3_000], offset: [range.lowerBound])
        })
    }
    try set.commit(receipts, step: 7, time: 3.5, metadata: ["kind": "test"])
  }

  private static let protected = url.appendingPathComponent("protected/state.gcodable")

  @Test(
    .enabled(
      if: CorpusFolder.writingMode != nil && !FileManager.default.fileExists(atPath: protected.path)))
  func writeTheProtectedFile() throws {
    try FileManager.default.createDirectory(
      at: Self.protected.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = GraphEncoder()
    encoder.redundancy = .percent(10)
    try encoder.write(State(9), to: Self.protected)
  }

  /// One that is made anew is the same, byte for byte: what a version writes others can use.
  @Test func anArchiveHasItsParity() throws {
    let folder = try TemporaryFolder()
    let copy = folder.file("state.gcodable")
    let parity = Self.protected.appendingPathExtension("gcparity")
    let bytes = try Data(contentsOf: Self.protected)
    try bytes.write(to: copy)
    try GraphArchive.protect(copy, redundancy: .percent(10))
    #expect(
      try Data(contentsOf: copy.appendingPathExtension("gcparity")) == Data(contentsOf: parity))
    var damaged = bytes
    damaged.replaceSubrange(5_000..<8_000, with: Data(count: 3_000))
    try damaged.write(to: copy)
    #expect(try GraphArchive.repair(copy).restoredSectorCount > 0)
    #expect(try Data(contentsOf: copy) == bytes)
  }

  @Test func aSeriesHasItsDifferences() throws {
    let series = try GraphArchiveSeries(Self.url.appendingPathComponent("moving.gcseries"))
    try GraphDecoder().verify(series)
    try #require(series.map(\.step) == [0, 1, 2, 3])
    for entry in series { check(try GraphDecoder().read(State.self, from: entry), State(entry.step)) }
    #expect(series[1].storedByteCount * 2 < series[0].storedByteCount)
    #expect(series[2].storedByteCount * 2 < series[3].storedByteCount)
  }

  @Test func aFolderHasItsEntries() throws {
    let series = try GraphArchiveSeries(folder: Self.url.appendingPathComponent("run"))
    try GraphDecoder().verify(series)
    #expect(series.map(\.step) == [0, 1, 2, 3])
    for entry in series {
      check(try GraphDecoder().read(State.self, from: entry), State(entry.step))
      #expect(entry.time == Double(entry.step) / 2 && entry.metadata == ["step": "\(entry.step)"])
    }
  }

  @Test func aSetHasItsArrays() throws {
    let set = try GraphArchiveSet(Self.url.appendingPathComponent("state"))
    try set.verify()
    #expect(set.step == 7 && set.time == 3.5 && set.metadata == ["kind": "test"] && set.partCount == 3)
    let whole = State(7)
    #expect(try set.array(Double.self, "energies").elements() == whole.energies)
    #expect(try set.array(Int32.self, "counts")[900..<1_600] == Array(whole.counts[900..<1_600]))
  }
}
