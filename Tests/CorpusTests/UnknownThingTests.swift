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
        "numbers-of-unknown-width", "unknown-codec", "unknown-codec-parameter", "unknown-filter",
        "unknown-flag-of-a-filter", "unknown-flag-of-a-segment",
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

  // MARK: Recovery

  private func recovered(_ bytes: Bytes) throws -> (archive: GraphArchive, report: GraphRecovery.Archive) {
    let sink = BytesSink()
    var recovery = try ArchiveRecovery(.bytes(bytes[...]))
    let report = try recovery.write(to: sink).report
    return (try GraphArchive(sink.bytes), report)
  }

  @Test(arguments: segments) func recoveryKeepsItsBlocks(item: ValidCase) throws {
    let intact = try GraphArchive(item.bytes)
    // The header, then a block of the known array, then the contents are lost.
    let places = [33, Int(intact.contents.bulk[1].end) - 1, item.bytes.count - 1]
    for (number, place) in places.enumerated() {
      var bytes = item.bytes
      bytes[place] ^= 1
      let archive = try recovered(bytes).archive
      try archive.verify()
      let copy = try #require(archive.contents.bulk.first { $0.segment.unknown != nil }).segment
      let old = intact.contents.bulk[0].segment
      #expect(copy.blocks == old.blocks && copy.unknown == old.unknown)
      let path: GraphPath = number == 2 ? ["recovered", "arrays", 0] : "later"
      let error = #expect(throws: GCodableError.self) { try archive.decode([Double].self, at: path) }
      #expect(error?.code == .unsupported)
      if number == 0 { #expect(try archive.decode([UInt8].self, at: "known") == Array(1...20)) }
    }
  }

  /// Its other blocks are those that the file has: a later version reads them.
  @Test(arguments: segments) func recoveryReplacesItsLostBlocks(item: ValidCase) throws {
    let intact = try GraphArchive(item.bytes)
    var bytes = item.bytes
    // Blocks of the same bytes would be found in each other's place, so that all of them are lost.
    let old = intact.contents.bulk[0].segment
    let hash = try #require(old.blocks.last).hash
    var end = Int(intact.contents.bulk[0].end)
    for block in old.blocks.reversed() {
      if block.hash == hash { bytes[end - 1] ^= 0x5A }
      end -= Int(block.storedByteCount)
    }
    let (archive, report) = try recovered(bytes)
    try archive.verify()
    #expect(report.lostBlockCount == old.blocks.count { $0.hash == hash })
    #expect(try archive.decode([UInt8].self, at: "known") == Array(1...20))
    let copy = archive.contents.bulk[0].segment
    #expect(copy.unknown == old.unknown && copy.codec == old.codec)
    for (new, block) in zip(copy.blocks, old.blocks) { #expect((new == block) == (block.hash != hash)) }
    let last = try archive.array(Double.self, at: "later")
    let start = (old.blocks.count - 1) * old.blockByteCount / 8
    #expect(try last[start..<last.count].allSatisfy(\.isNaN))
  }

  @Test func recoveryCopiesUnknownValuesOfOtherObjects() throws {
    let object = join(varint(1), varint(7), varint(40), Bytes(repeating: 9, count: 40), [3])
    let draft = Draft(
      join([Kind.array, Kind.reference], varint(6), joined((0..<6).map { varint(UInt64($0)) }))
    ) {
      $0.keys = [utf8("new"), utf8("old")]
      $0.shapes = [.new(0x85, Kind.uint8, flags: 1)]
      $0.objects = Array(repeating: object, count: 6)
      $0.streamForm = .blocks(64)
    }
    let graph = try #require(try GraphArchive(draft.bytes).contents.graph.segment)
    var bytes = draft.bytes
    bytes[Int(graph.end) - 200] ^= 1
    let (archive, report) = try recovered(bytes)
    try archive.verify()
    #expect(report.lostBlockCount == 1)
    let kinds = try archive.items().compactMap { item in
      item.step.flatMap { try? archive.item(at: GraphPath([$0, .key("new")])).kind }
    }
    #expect(kinds.count { $0.plain == .opaque } >= 3)
  }

  @Test func aGraphOfAnUnknownCodecKeepsItsBytes() throws {
    var form = DraftSegment.Form.blocks(64)
    form.codec = 9
    let draft = Draft(join([Kind.packed], packedArray(format(11), count: 20, segment: 0))) {
      $0.segments = [.bulk(ValidCase.sample(format(11), 20), format: format(11), elements: 8, .blocks(64))]
      $0.streamForm = form
    }
    let intact = try GraphArchive(draft.bytes)
    let graph = try #require(intact.contents.graph.segment)
    try #require(graph.segment.unknown != nil)
    // A block of the array is lost, and then one of the graph.
    var bytes = draft.bytes
    bytes[Int(intact.contents.bulk[0].end) - 1] ^= 1
    let (archive, report) = try recovered(bytes)
    #expect(report.lostBlockCount == 1)
    #expect(archive.contents.graph.segment?.segment.blocks == graph.segment.blocks)
    #expect(
      archive.contents.bulk[0].segment.blocks.dropLast() == intact.contents.bulk[0].segment.blocks.dropLast())
    bytes = draft.bytes
    bytes[Int(graph.end) - 1] ^= 1
    let error = #expect(throws: GCodableError.self) { try recovered(bytes) }
    #expect(error?.code == .unsupported)
  }
}
