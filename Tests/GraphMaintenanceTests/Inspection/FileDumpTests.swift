import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Dumps of archives that are not in memory.
@Suite("Dumps of files")
struct FileDumpTests {
  /// One long array among short ones, whose segment is left alone.
  private let model = ["a": [1.5], "b": (0..<100_000).map { Double($0) }]

  @Test func fileAndEntryAreDumpedAsTheirBytes() throws {
    let folder = try TemporaryFolder()
    try GraphEncoder(.canonicalOrder).write(model, to: folder.file("a"))
    let expected = try dump(Data(contentsOf: folder.file("a")))
    let body = try #require(expected.range(of: "== BODY"))
    #expect(try GraphArchive(folder.file("a")).dump(all) == expected)

    let writer = try GraphArchiveSeries.Writer(folder.file("series"))
    for step in 0..<2 {
      try GraphEncoder(.canonicalOrder).append(step == 1 ? model : [:], to: writer, step: step, time: 0)
    }
    let entry = try #require(writer.series.last)
    #expect(try GraphArchive(entry).dump(all) == expected)
    #expect(
      try !GraphArchive(writer.series[0]).dump(all).contains(expected[body.lowerBound...]))
  }

  @Test func linesComeOneByOneUntilOneIsEnough() throws {
    let folder = try TemporaryFolder()
    try GraphEncoder(.canonicalOrder).write(model, to: folder.file("a"))
    var lines: [String] = []
    try GraphArchive(folder.file("a")).dumpLines(all) { lines.append($0) }
    #expect(try lines.map { $0 + "\n" }.joined() == GraphArchive(folder.file("a")).dump(all))

    struct Enough: Error {}
    var count = 0
    #expect(throws: Enough.self) {
      try GraphArchive(folder.file("a")).dumpLines(all) { _ in
        count += 1
        if count == 3 { throw Enough() }
      }
    }
    #expect(count == 3)
  }

  @Test func whatIsNoArchiveIsAnErrorWithItsCode() throws {
    let folder = try TemporaryFolder()
    func code() -> GCodableError.Code? {
      #expect(throws: GCodableError.self) { try GraphArchive(folder.file("a")).dump() }?.code
    }
    #expect(code() == .file)
    try Data("something else".utf8).write(to: folder.file("a"))
    #expect(code() == .notAnArchive)
    var bytes = try GraphEncoder().encode(model) as Data
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: folder.file("a"))
    #expect(code() == .damaged)
  }

  private let all: GraphDumpOptions = [.showHeader, .readable, .showReferenceMap]

  private func dump(_ bytes: Data) throws -> String { try GraphDecoder().dump(from: bytes, options: all) }
}
