import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles
@testable import _GraphReading
@testable import _GraphStorage

/// Blocks that are made of others, and a compressor that makes other bytes of them than the writer's: another release of LZ4.
///
/// LZ4-HC stands for it.
@Suite("Series: another compressor") struct SeriesCompressorTests {
  private struct State: GCodable, Equatable {
    var names: [Label]
    var energies: [Double]

    private enum Key: String { case names, energies }

    init(_ step: Int) {
      names = (1_000..<5_000).map { Label("\($0 == 1_007 * (step + 1) ? "CELL" : "cell") \($0)") }
      energies = (0..<200_000).map { Double($0 * 2_654_435_761 % 4_096 + step) }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(names, for: Key.names)
      try encoder.encode(energies, for: Key.energies)
    }

    init(from decoder: GDecoder) throws {
      names = try decoder.decode(for: Key.names)
      energies = try decoder.decode(for: Key.energies)
    }
  }

  private let folder: TemporaryFolder
  private let entry: GraphArchiveSeries.Entry

  init() throws {
    folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("a.gcseries"))
    writer.sharing = .differences(keyInterval: 4)
    for step in 0..<2 { try GraphEncoder().append(State(step), to: writer, step: step, time: 0) }
    entry = writer.series[1]
  }

  /// The archive of the entry, with another level of LZ4 for blocks that are made of others; nil for that of the writer.
  private func storage(level: Int32?) throws -> ArchiveStorage {
    guard case .pieces(let file, let table) = try entry.open().storage else {
      throw CocoaError(.fileNoSuchFile)
    }
    var changed = ExtentTable(start: table.start)
    for extent in table.extents {
      guard var derived = extent.derived else {
        changed.appendShared(extent.byteCount, at: extent.fileOffset)
        continue
      }
      if derived.level != nil, let level { derived.level = level }
      changed.append(derived, byteCount: extent.byteCount)
    }
    changed.fingerprints = table.fingerprints
    return .pieces(file, changed)
  }

  @Test func thereAreOverlaysAndDifferences() throws {
    let features = try #require(try entry.pieces()).table.features
    #expect(features == [.overlaidExtents, .extentsOfDifferences])
  }

  @Test(arguments: [nil, 9, 12] as [Int32?]) func aCopyHasTheSameValues(level: Int32?) throws {
    let (storage, url) = (try storage(level: level), folder.file("copy.gcodable"))
    let open = try OpenArchive(storage)
    try open.withReader { try $0.check() }
    let sink = try FileSink(url)
    let header = try storage.copy(to: sink, nil)
    try sink.publish(nil)
    let copy = try GraphArchive(url)
    try copy.verify()
    #expect(copy.header.hash == header.hash)
    #expect(try copy.decode(State.self) == State(1))
    let expected = try GraphEncoder().encode(State(1)) as Data
    #expect(try (Data(contentsOf: url) == expected) == (level == nil))
    // What does not depend on the compressor is the same.
    #expect(copy.contents.bulk.map(\.segment.filters) == open.contents.bulk.map(\.segment.filters))
    #expect(try UInt64(Data(contentsOf: url).count) <= storage.copyCapacity(open.header.byteCount))
  }

  @Test func aCopyIsCopiedToAnotherSeries() throws {
    let archive = try GraphArchive(storage(level: 12))
    let other = try GraphArchiveSeries.Writer(folder.file("b.gcseries"))
    try other.append(archive, step: 5, time: 0)
    try GraphDecoder().verify(other.series)
    #expect(try GraphDecoder().read(State.self, from: other.series[0]) == State(1))
  }

  @Test func anotherHeaderIsFoundBeforeAnythingIsWritten() throws {
    struct Other: Error {}
    let sink = try FileSink(folder.file("c.gcodable"))
    #expect(throws: Other.self) { try storage(level: nil).copy(to: sink, nil) { _ in throw Other() } }
  }
}
