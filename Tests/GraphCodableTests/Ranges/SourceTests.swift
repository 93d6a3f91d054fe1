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

/// What is read of a source, and in how many requests.
@Suite("Sources by ranges")
struct SourceTests {
  private struct Snapshot: GCodable, Equatable {
    var title = "a snapshot"
    var positions = (0..<1_500_000).map { Double($0) / 7 }
    var masses = (0..<900_000).map { Float($0 % 1_000) }

    enum Key: String { case title, positions, masses }

    init() {}

    init(from decoder: GDecoder) throws {
      title = try decoder.decode(for: Key.title)
      positions = try decoder.decode(for: Key.positions)
      masses = try decoder.decode(for: Key.masses)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(title, for: Key.title)
      try encoder.encode(positions, for: Key.positions)
      try encoder.encode(masses, for: Key.masses)
    }
  }

  private struct LazySnapshot: GDecodable {
    let positions: GLazy<[Double]>

    init(from decoder: GDecoder) throws { positions = try decoder.decode(for: Snapshot.Key.positions) }
  }

  private func source(_ snapshot: Snapshot, _ compression: GraphEncoder.Compression) throws -> TestSource {
    TestSource(try encoded(snapshot, compression: compression))
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4])
  func everythingIsReadAsFromMemory(compression: GraphEncoder.Compression) throws {
    let snapshot = Snapshot()
    let source = try source(snapshot, compression)
    let archive = try GraphArchive(source: source)
    let memory = try GraphArchive(encoded(snapshot, compression: compression) as Bytes)
    try #expect(archive.decode(Snapshot.self) == snapshot)
    try #expect(archive.decode(at: "masses[7]") as Float == 7)
    try #expect(archive.info == memory.info)
    try #expect(archive.dump() == memory.dump())
    try #expect(archive.items(at: []).map(\.text) == memory.items(at: []).map(\.text))
    try archive.verify()
    try #expect(archive.damage().blocks.isEmpty)
    try #expect(archive.compare(with: memory).isEmpty)
    let positions = try archive.array(Double.self, at: "positions")
    try #expect(positions[1_000..<200_000] == Array(snapshot.positions[1_000..<200_000]))
    try #expect(Array(positions.chunks(of: 500_000)).flatMap { try $0.elements() } == snapshot.positions)
    if compression == .none {
      try #expect(positions.withMappedSpan { span in span[1_499_999] } == snapshot.positions[1_499_999])
    }
    let rewritten =
      try encoded(
        archive.decode(LazySnapshot.self).positions, compression: compression) as Bytes
    try #expect(GraphArchive(rewritten).decode([Double].self) == snapshot.positions)
    #expect(source.isWithinBounds)
  }

  @Test func elementsOfOneBlockAreOneRequest() throws {
    let source = try source(Snapshot(), .lz4)
    let positions = try GraphArchive(source: source).array(Double.self, at: "positions")
    try #expect(positions[1_000_000..<1_000_001] == [1_000_000 / 7])
    let count = source.requests.count
    for index in 1_000_001..<1_000_020 { try #expect(positions[index..<(index + 1)] == [Double(index) / 7]) }
    #expect(source.requests.count == count)
  }

  @Test func blocksStoredAsDifferencesAreFewRequests() throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("series"))
    writer.sharing = .differences(keyInterval: 10)
    for step in 0..<2 {
      let numbers = (0..<2_000_000).map { Double($0 / 1_000) + ($0 % 9_973 == step ? 1 : 0) }
      try GraphEncoder().append(numbers, to: writer, step: step, time: 0)
    }
    let source = TestSource(Array(try Data(contentsOf: folder.file("series"))))
    let entry = try GraphArchiveSeries(source: source)[1]
    let numbers = try GraphDecoder().read([Double].self, from: entry)
    try #expect(numbers == GraphDecoder().read([Double].self, from: writer.series[1]))
    #expect(source.requests.count < 8)
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4])
  func fewRequestsAreEnough(compression: GraphEncoder.Compression) throws {
    let bytes = try encoded(Snapshot(), compression: compression) as Bytes
    let listed = TestSource(bytes)
    try #expect(GraphArchive(source: listed).items(at: []).count == 3)
    #expect(listed.requests.count <= 3)
    let element = TestSource(bytes)
    try #expect(GraphArchive(source: element).decode(at: "positions[1000000]") as Double == 1_000_000 / 7)
    #expect(element.requests.count <= 4)
    #expect(element.requestedByteCount <= 3 << 20)
    let all = TestSource(bytes)
    _ = try GraphArchive(source: all).decode(Snapshot.self)
    #expect(all.requests.count <= 4 + bytes.count / (3 << 20))
    #expect(all.requestedByteCount < bytes.count + 1 << 20)
  }

  @Test func aSmallArchiveIsOneRequest() throws {
    let source = TestSource(try encoded(["one", "two"]))
    let archive = try GraphArchive(source: source)
    try #expect(archive.decode([String].self) == ["one", "two"])
    try archive.verify()
    _ = try archive.dump()
    #expect(source.requests == [0..<(1 << 16)])
  }

  @Test(arguments: [GraphArchiveSeries.Writer.Sharing.none, .blocks, .differences(keyInterval: 4)])
  func aSeriesIsThatOfTheFile(sharing: GraphArchiveSeries.Writer.Sharing) throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("a.series"))
    writer.sharing = sharing
    var snapshot = Snapshot()
    for step in 0..<6 {
      snapshot.title = "step \(step)"
      for index in stride(from: step, to: snapshot.positions.count, by: 1_000) {
        snapshot.positions[index] += 0.5
      }
      try GraphEncoder().append(snapshot, to: writer, step: step, time: Double(step), metadata: ["a": "b"])
    }
    let source = TestSource(Bytes(try Data(contentsOf: folder.file("a.series"))))
    var series = try GraphArchiveSeries(source: source)
    #expect(series.map(\.step) == [0, 1, 2, 3, 4, 5] && series.damage.isEmpty && !series.isFolder)
    #expect(series.byteCount == writer.series.byteCount)
    try #expect(GraphArchive(series[5]).decode(Snapshot.self) == snapshot)
    try GraphDecoder().verify(series)
    for (entry, other) in zip(series, writer.series) {
      try #expect(entry.archive() == other.archive())
      try #expect(entry.fileOffset(ofByte: 100) == other.fileOffset(ofByte: 100))
      #expect(entry.url == nil)
    }
    try series[3].extract(to: folder.file("a.graph"))
    try #expect(Data(contentsOf: folder.file("a.graph")) == writer.series[3].archive())
    try series.copy(to: folder.file("b.series")) { $0.step != 2 }
    try GraphDecoder().verify(GraphArchiveSeries(folder.file("b.series")))
    try series.update()
    #expect(series.count == 6)
    #expect(source.isWithinBounds)
  }

  @Test func aLongSeriesIsListedInFewRequests() throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("a.series"))
    writer.sharing = .none
    for step in 0..<300 {
      try GraphEncoder().append(
        [UInt8](repeating: UInt8(step & 255), count: 5_000), to: writer, step: step, time: 0)
    }
    let source = TestSource(Bytes(try Data(contentsOf: folder.file("a.series"))))
    try #expect(GraphArchiveSeries(source: source).count == 300)
    #expect(source.requests.count < 12)
  }

  @Test func manyThreadsReadAtTheSameTime() async throws {
    let snapshot = Snapshot()
    let source = try source(snapshot, .lz4)
    let archive = try GraphArchive(source: source)
    try await withThrowingTaskGroup { group in
      for task in 0..<6 {
        group.addTask {
          switch task % 3 {
          case 0: try #expect(archive.decode(Snapshot.self) == snapshot)
          case 1: try archive.verify()
          default: try #expect(archive.array(Float.self, at: "masses")[0..<900_000] == snapshot.masses)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(source.isWithinBounds)
  }
}
