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

/// Which blocks of an archive are read for a part: all others may be damaged.
@Suite struct PartBlockTests {
  /// A block of a segment: where it is in the archive, and what it holds.
  private struct Block {
    let name: String
    let offset: Int
    let rawByteCount: Int
  }

  private static func blocks(of bytes: Bytes) throws -> [Block] {
    try bytes.withUnsafeBytes { buffer in
      let reader = try ArchiveReader(ArchiveSource(buffer))
      let segments = [reader.contents.graph.segment].compactMap(\.self) + reader.contents.bulk
      return try segments.flatMap { placed in
        let open = try reader.open(placed)
        let kind = open.segment.kind
        let number = reader.contents.bulk.firstIndex(of: placed) ?? 0
        return open.blockOffsets.enumerated().map { index, offset in
          Block(
            name: kind == .graph ? "graph \(index)" : "bulk \(number), \(index)", offset: Int(offset),
            rawByteCount: open.segment.rawByteCount(ofBlock: index))
        }
      }
    }
  }

  /// The names of the blocks that `read` needs: it fails when one of these is damaged, and succeeds when all others are.
  private func blocksNeeded(
    of bytes: Bytes, _ location: SourceLocation = #_sourceLocation, _ read: (Bytes) throws -> Bool
  ) throws -> [String] {
    try #expect(read(bytes), sourceLocation: location)
    var needed: [Block] = []
    var others = bytes
    for block in try Self.blocks(of: bytes) {
      var damaged = bytes
      damaged[block.offset] ^= 1
      do {
        try #expect(read(damaged), sourceLocation: location)
        others[block.offset] ^= 1
      } catch let error as GCodableError where error.code == .damaged { needed.append(block) }
    }
    try #expect(read(others), sourceLocation: location)
    return needed.map(\.name)
  }

  /// Nodes that lie in several blocks of the stream, and arrays of several blocks each.
  final class Node: GCodable, Codable {
    let text: String
    let next: Node?
    let samples: [Double]

    init(_ text: String, next: Node? = nil, samples: [Double] = []) {
      (self.text, self.next, self.samples) = (text, next, samples)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(text, for: CodingKeys.text)
      try encoder.encode(next, for: CodingKeys.next)
      try encoder.encode(samples, for: CodingKeys.samples)
    }

    init(from decoder: GDecoder) throws {
      text = try decoder.decode(for: CodingKeys.text)
      next = try decoder.decode(for: CodingKeys.next)
      samples = try decoder.decode(for: CodingKeys.samples)
    }

    enum CodingKeys: String, CodingKey { case text, next, samples }
  }

  private static func text(_ number: Int) -> String {
    String(repeating: "\(1000 + number)", count: 25_000)
  }

  /// 50 nodes of 100,000 bytes, of which each tenth leads to the one five places further, and has an array.
  private static func nodes() -> [Node] {
    var nodes: [Node] = []
    for number in (0..<50).reversed() {
      let samples = number % 10 == 3 ? (0..<300_000).map { Double($0 ^ number) } : []
      nodes.insert(Node(text(number), next: number % 10 == 3 ? nodes[4] : nil, samples: samples), at: 0)
    }
    return nodes
  }

  static let forms = [
    ("GCodable", false, GraphEncoder.Compression.lz4), ("Codable", true, .lz4), ("stored", false, .none),
  ]

  @Test(arguments: forms)
  func anObjectNeedsItsBlocksAndThoseOfWhatItLeadsTo(
    name: String, isPlain: Bool, compression: GraphEncoder.Compression
  )
    throws
  {
    let encoder = GraphEncoder()
    encoder.compression = compression
    let nodes = Self.nodes()
    let bytes: Bytes = try isPlain ? encoder.encode(codable: nodes) : encoder.encode(nodes)
    func decode(_ path: GraphPath, _ bytes: Bytes) throws -> Node {
      try isPlain
        ? GraphArchive(bytes).decode(codable: Node.self, at: path)
        : GraphArchive(bytes).decode(Node.self, at: path)
    }
    // 10 objects are a million bytes, 1,048,576 are a block; the root, in the first one, has the references.
    let plain = try blocksNeeded(of: bytes) { try decode([25], $0).text == Self.text(25) }
    #expect(plain == ["graph 0", "graph 2"])
    let text = try blocksNeeded(of: bytes) {
      try GraphArchive($0).decode(String.self, at: "[25].text") == Self.text(25)
    }
    #expect(text == plain)
    let linked = try blocksNeeded(of: bytes) {
      let node = try decode([23], $0)
      return node.next?.text == Self.text(28) && node.samples.count == 300_000
    }
    #expect(linked == ["graph 0", "graph 2"] + (0..<5).map { "bulk 2, \($0)" })
    let element = try blocksNeeded(of: bytes) {
      try GraphArchive($0).decode(Double.self, at: "[23].samples[200000]") == Double(200_000 ^ 23)
    }
    #expect(element == ["graph 0", "graph 2", "bulk 2, 3"])
    let items = try blocksNeeded(of: bytes) {
      try GraphArchive($0).items(at: "[23].samples", in: 130_046..<130_050).map(\.text)
        == (130_046..<130_050).map { "\(Double($0 ^ 23))" }
    }
    #expect(items == ["graph 0", "graph 2", "bulk 2, 1", "bulk 2, 2"])
    let listed = try blocksNeeded(of: bytes) { try GraphArchive($0).items(at: [23]).count == 3 }
    #expect(listed == ["graph 0", "graph 2"])
    let info = try blocksNeeded(of: bytes) { try GraphArchive($0).info.objectCount == 50 }
    #expect(info == [])

    var damaged = bytes
    for block in try Self.blocks(of: bytes) { damaged[block.offset] ^= 1 }
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().decode([Node].self, from: damaged) }
    #expect(error?.code == .damaged)
    #expect(throws: GCodableError.self) { try decode([25], damaged) }
  }

  @Test func overflowFieldsOverSeveralBlocksArePassedOver() throws {
    let text = String(repeating: "abcdefgh", count: 1000)
    let bytes = try script { encoder in
      // Those beyond 256 are overflow fields.
      let many = Script { encoder in
        for number in 0..<600 { try encoder.encode("\(number) \(text)", for: NameKey("key \(number)")) }
      }
      try encoder.encode(many, for: Letter.a)
      try encoder.encode(7, for: Letter.b)
    }
    try #expect(GraphArchive(bytes).decode(Int.self, at: "b") == 7)
    try #expect(GraphArchive(bytes).decode(String.self, at: "a[\"key 599\"]") == "599 \(text)")
    try #expect(GraphArchive(bytes).items().map(\.count) == [600, nil])
  }

  @Test func anElementLiesInOneBlock() throws {
    let structs = (0..<100_000).map { Triple(a: Double($0), b: -1, c: 2) }
    let bytes = try encoded(structs)
    // 24 bytes each: 21,674 fit into a block.
    for (index, block) in [(21_673, "bulk 0, 0"), (21_674, "bulk 0, 1")] {
      let needed = try blocksNeeded(of: bytes) {
        try GraphArchive($0).decode(Triple.self, at: [.index(index)]) == structs[index]
      }
      #expect(needed == [block])
    }
  }

  @Test func structsAreListedWithoutTheirBlocks() throws {
    let rows = (0..<2).map { row in (0..<50_000).map { Triple(a: Double($0), b: Double(row), c: 2) } }
    let archives: [(bytes: Bytes, row: GraphPath)] = try [(encoded(rows[1]), ""), (encoded(rows), "[1]")]
    for (bytes, row) in archives {
      let listed = try blocksNeeded(of: bytes) {
        let items = try GraphArchive($0).items(at: row, in: 49_990..<60_000)
        return items.map(\.step) == (49_990..<50_000).map { .index($0) } && items.allSatisfy { $0.count == 3 }
      }
      #expect(listed.isEmpty)
      let path = GraphPath(row.steps + [.index(7)])
      let none = try blocksNeeded(of: bytes) { try GraphArchive($0).items(at: path, in: 3..<9).isEmpty }
      #expect(none.isEmpty)
      #expect(try GraphArchive(bytes).items(at: path).map(\.text) == ["7.0", "1.0", "2.0"])
    }
  }

  private struct Triple: GPackedStruct, Equatable {
    var a, b, c: Double
    static let packedLayout = PackedLayout<Self>(\.a, \.b, \.c)
  }

  @Test(arguments: [false, true]) func aLongRootIsExpandedUpToThePart(isPlain: Bool) throws {
    let texts = (0..<50).map(Self.text)
    let root = ["a": texts.map { [Label($0), Label("short")] }]
    let bytes: Bytes = try isPlain ? GraphEncoder().encode(codable: root) : encoded(root)
    func needed(_ index: Int) throws -> [String] {
      try blocksNeeded(of: bytes) {
        try GraphArchive($0).decode([Label].self, at: ["a", .index(index)])
          == [Label(texts[index]), Label("short")]
      }
    }
    #expect(try needed(0) == ["graph 0"])
    #expect(try needed(12) == ["graph 0", "graph 1"])
    #expect(try needed(49).count == 5)
    let first = try blocksNeeded(of: bytes) { try GraphArchive($0).items(at: "a", in: 0..<3).count == 3 }
    #expect(first == ["graph 0"])
  }

  @Test func theBeginOfALongListNeedsNoMore() throws {
    let bytes = try encoded((0..<1_500_000).map { Label("\($0 % 10)") }, compression: .none)
    let element = try blocksNeeded(of: bytes) {
      try GraphArchive($0).decode(Label.self, at: [17]) == Label("7")
    }
    #expect(element == ["graph 0"])
    let items = try blocksNeeded(of: bytes) {
      try GraphArchive($0).item().count == 1_500_000
        && GraphArchive($0).items(in: 5..<7).map(\.text) == [#""5""#, #""6""#]
    }
    #expect(items == ["graph 0"])
  }

  @Test func stringsNeedTheirOwnBlocks() throws {
    let bytes = try encoded((0..<1_500_000).map { "\($0 % 10)" }, compression: .none)
    let element = try blocksNeeded(of: bytes) {
      try GraphArchive($0).decode(String.self, at: [1_499_999]) == "9"
    }
    #expect(element == ["bulk 0, 1"])
    let items = try blocksNeeded(of: bytes) {
      try GraphArchive($0).items(in: 5..<7).map(\.text) == [#""5""#, #""6""#]
    }
    #expect(items == ["bulk 0, 0"])
  }

  @Test func damagedBlocksAfterALongValueDoNotMatter() throws {
    let long = String(repeating: "abcdefgh", count: 590_000)  // In four blocks and a half.
    let bytes = try script { encoder in
      try encoder.encode(long, for: Letter.a)
      try encoder.encode(5, for: Letter.b)
      try encoder.encode(long, for: Letter.c)
    }
    let needed = try blocksNeeded(of: bytes) { try GraphArchive($0).decode(Int.self, at: "b") == 5 }
    #expect(needed == (0..<5).map { "graph \($0)" })
  }

  @Test(arguments: [1, 3]) func progressCountsWhatIsExpanded(threadCount: Int) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.graph")
    try GraphEncoder().write(Self.nodes(), to: url)
    let block: Int64 = 1 << 20
    func byteCount(_ read: (GraphDecoder, Progress) throws -> Void) throws -> Int64 {
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let decoder = GraphDecoder()
      decoder.threadCount = threadCount
      try read(decoder, progress)
      #expect(progress.isFinished)
      return progress.completedUnitCount - Int64(ArchiveHeader.byteCount)
    }
    try #expect(
      byteCount { _ = try GraphArchive(url).decode(Node.self, at: [25], using: $0, progress: $1) } == 2
        * block)
    try #expect(
      byteCount {
        _ = try GraphArchive(url).decode(Double.self, at: "[23].samples[0]", using: $0, progress: $1)
      } == 2 * block
        + 65_024 * 8)
    try #expect(
      byteCount { _ = try GraphArchive(url).decode(Node.self, at: [23], using: $0, progress: $1) } == 2
        * block + 300_000 * 8)
    let cancelled = Progress.discreteProgress(totalUnitCount: 0)
    cancelled.cancel()
    #expect(throws: CancellationError.self) {
      try GraphArchive(url).decode(Node.self, at: [25], progress: cancelled)
    }
  }
}
