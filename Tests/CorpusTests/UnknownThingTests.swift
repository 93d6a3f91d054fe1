import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// What later versions may add hurts where it is used, and nowhere else.
@Suite("Corpus: unknown things") struct UnknownThingTests {
  private static let segments = ValidCase.unknown.filter(\.isUnknownInside)
  private static let values = ValidCase.unknown.filter {
    !$0.isSeries && (try? GraphArchive($0.bytes).item(at: "before")) != nil
  }

  @Test func thereAreSomeOfEachKind() {
    #expect(
      Self.segments.map(\.name).sorted() == [
        "unknown-codec", "unknown-codec-parameter", "unknown-filter", "unknown-flag-of-a-filter",
        "unknown-flag-of-a-segment",
      ])
    #expect(Self.values.count >= 10)
  }

  @Test(arguments: segments) func anUnknownSegmentLeavesTheOthers(item: ValidCase) throws {
    let archive = try GraphArchive(item.bytes)
    #expect(try archive.decode([UInt8].self, at: "known") == Array(1...20))
    let unknown = try #require(archive.info.segments[0].unknown)
    let error = #expect(throws: GCodableError.self) { try archive.decode([Double].self, at: "later") }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains(unknown) == true)
    #expect(error?.byteOffset != nil)
    #expect(try archive.items().map(\.count) == [24, 20])
    try archive.verify()
  }

  /// A block that is stored as it is needs no codec.
  @Test func blocksThatAreStoredAsTheyAreAreRead() throws {
    let archive = try GraphArchive(try #require(Self.segments.first { $0.name == "unknown-codec" }).bytes)
    let elements = try archive.array(Double.self, at: "later")
    #expect(try elements[8..<16].count == 8)
    #expect(throws: GCodableError.self) { try elements[0..<1].count }
  }

  @Test(arguments: segments) func aChangedBitOfItIsDamage(item: ValidCase) throws {
    var bytes = item.bytes
    let archive = try GraphArchive(bytes)
    let segment = archive.contents.bulk[0]
    bytes[Int(segment.end) - 1] ^= 1
    let error = #expect(throws: GCodableError.self) { try GraphArchive(bytes).verify() }
    #expect(error?.code == .damaged)
  }

  @Test(arguments: segments) func seriesKeepIt(item: ValidCase) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    for step in 0..<2 { try writer.append(GraphArchive(item.bytes), step: step, time: 0) }
    let series = try GraphArchiveSeries(url)
    try GraphDecoder().verify(series)
    for entry in series {
      let copy = folder.file("copy-\(entry.number).gcodable")
      try entry.extract(to: copy)
      #expect(try Bytes(Data(contentsOf: copy)) == item.bytes)
    }
  }

  @Test(arguments: values) func anUnknownValueLeavesTheOthers(item: ValidCase) throws {
    let archive = try GraphArchive(item.bytes)
    #expect(try archive.decode(Int.self, at: "before") == 7)
    #expect(try archive.decode(String.self, at: "behind") == "known")
    #expect(throws: GCodableError.self) { try archive.decode(String.self, at: "later") }
    #expect(try GraphDecoder().decode(Neighbours.self, from: item.bytes) == Neighbours())
    try archive.verify()
  }

  private struct Neighbours: GCodable, Equatable {
    var before = 7
    var behind = "known"
    private enum Key: String { case before, behind }

    init() {}
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(before, for: Key.before)
      try encoder.encode(behind, for: Key.behind)
    }
    init(from decoder: GDecoder) throws {
      before = try decoder.decode(for: Key.before)
      behind = try decoder.decode(for: Key.behind)
    }
  }

  @Test func numbersOfAnUnknownMeaningAreRead() throws {
    func numbers<Value: GDecodable>(_ name: String, _ type: Value.Type) throws -> Value {
      let item = try #require(Self.values.first { $0.name == name })
      return try GraphArchive(item.bytes).decode(type, at: "later")
    }
    #expect(try numbers("unknown-meaning", [Int64].self) == [0x0807_0605_0403_0201, 0x100F_0E0D_0C0B_0A09])
    #expect(try numbers("times", [Int].self) == [0x0807_0605_0403_0201])
    #expect(try numbers("complex", [SIMD2<Float>].self).count == 1)
  }

  @Test func smallFloatsAreShown() throws {
    func text(_ name: String) throws -> String {
      let item = try #require(Self.values.first { $0.name == name })
      return try GraphArchive(item.bytes).dump()
    }
    #expect(try text("bfloat16").contains("[1.0, -inf, nan"))
    #expect(try text("float8").contains("(1.0, nan)"))
  }

  @Test(arguments: [64, 100, 4096, 1 << 20]) func arraysBeginAtMultiplesOfTheAlignment(wanted: Int) throws {
    let encoder = GraphEncoder()
    (encoder.compression, encoder.alignment) = (.none, wanted)
    let value = [[UInt8](repeating: 7, count: 20_000), [UInt8](repeating: 8, count: 17_000)]
    let bytes = try encoder.encode(value.map { $0.map(UInt16.init) }) as Bytes
    let archive = try GraphArchive(bytes)
    try archive.verify()
    for placed in archive.contents.bulk {
      let block = try Int(archive.withReader { try $0.open(placed) }.blocksOffset)
      #expect(block.isMultiple(of: wanted == 100 ? 128 : wanted))
    }
    #expect(try GraphDecoder().decode([[Int]].self, from: bytes) == value.map { $0.map(Int.init) })
  }
}
