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

/// What `GraphArchive.damage` says of damaged blocks.
@Suite("Located damage") struct LocatedDamageTests {
  /// Objects that lie in several blocks of the graph stream, and arrays of several blocks each.
  final class Station: GCodable {
    let name: String
    let next: Station?
    let samples: [Double]

    init(_ name: String, next: Station?, samples: [Double] = []) {
      (self.name, self.next, self.samples) = (name, next, samples)
    }

    enum Key: String { case name, next, samples }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encoder.encode(next, for: Key.next)
      try encoder.encode(samples, for: Key.samples)
    }

    init(from decoder: GDecoder) throws {
      name = try decoder.decode(for: Key.name)
      next = try decoder.decode(for: Key.next)
      samples = try decoder.decode(for: Key.samples)
    }
  }

  struct Network: GCodable {
    var lines: [String: [Station]]
    var texts: [Label]

    enum Key: String { case lines, texts }

    init(lines: [String: [Station]], texts: [Label]) { (self.lines, self.texts) = (lines, texts) }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(lines, for: Key.lines)
      try encoder.encode(texts, for: Key.texts)
    }

    init(from decoder: GDecoder) throws {
      lines = try decoder.decode(for: Key.lines)
      texts = try decoder.decode(for: Key.texts)
    }

    /// A line of 12 stations, each of which leads to another one that nothing else does; the root is 1 MB.
    static func sample() -> Network {
      let stations = (0..<12).map { number in
        let samples = number % 4 == 2 ? (0..<200_000).map { Double($0 ^ number) } : []
        return Station(
          text(number), next: Station(text(number + 100), next: nil), samples: samples)
      }
      return Network(lines: ["a.b": stations], texts: (0..<10).map { Label(rawValue: text($0 + 200)) })
    }

    private static func text(_ number: Int) -> String {
      String(repeating: "\(1000 + number)", count: 25_000)
    }
  }

  private static let network: Bytes = (try? encoded(Network.sample(), compression: .none)) ?? []

  private static func blocks(of bytes: Bytes, _ kind: Segment.Kind) throws -> [Range<Int>] {
    try GraphArchive(bytes).contents.segments.filter { $0.segment.kind == kind }.flatMap { placed in
      zip(ArchiveReader.OpenSegment(placed).blockOffsets, placed.segment.blocks).map {
        Int($0)..<(Int($0) + Int($1.storedByteCount))
      }
    }
  }

  private static func damage(_ bytes: Bytes, at places: [Int]) throws -> GraphDamage {
    var damaged = bytes
    for place in places { damaged[place] ^= 1 }
    return try GraphArchive(damaged).damage()
  }

  @Test func whatIsNotDamagedHasNone() throws {
    for bytes in [Self.network, try encoded(7), try encoded([1, 2], compression: .none)] {
      let damage = try GraphArchive(bytes).damage()
      #expect(damage.isEmpty)
      #expect(damage.blocks.isEmpty)
    }
  }

  @Test func aBlockOfALargeArrayIsItsElements() throws {
    let places = try Self.blocks(of: Self.network, .bulk)
    #expect(places.count == 12)
    for (index, place) in places.enumerated() {
      let (array, number) = index.quotientAndRemainder(dividingBy: 4)
      let damage = try Self.damage(Self.network, at: [place.lowerBound + 1_000])
      let block = try #require(damage.blocks.first)
      #expect(damage.blockCount == 1)
      #expect(block.segment == .bulk)
      #expect(block.segmentNumber == array)
      #expect(block.number == number)
      #expect(block.byteRange == UInt64(place.lowerBound)..<UInt64(place.upperBound))
      #expect(block.error.code == .damaged)
      #expect(block.objectCount == nil)
      let path: GraphPath = ["lines", "a.b", .index(4 * array + 2), "samples"]
      #expect(block.losses.map(\.path) == [path])
      #expect(block.losses.first?.elements == 65_024 * number..<min(65_024 * (number + 1), 200_000))
      try #expect(GraphArchive(Self.network).item(at: path).bulkSegment == array)
    }
  }

  @Test func aBlockOfAnArrayOfStringsIsTheStringsInIt() throws {
    let texts = (0..<50).map { String(repeating: "\(1000 + $0)", count: 25_000) }
    let bytes = try encoded(["a": [texts, texts]], compression: .none)
    let places = try Self.blocks(of: bytes, .bulk)
    #expect(places.count == 10)
    let block = try #require(Self.damage(bytes, at: [places[2].lowerBound + 5]).blocks.first)
    // Each block has ten and a half.
    #expect(block.losses.map(\.path) == [["a"]] && block.losses.first?.elements == 20..<32)
  }

  /// Compared with where the objects are, and with what the paths lead to in the archive without damage.
  @Test func aBlockOfTheGraphStreamIsTheObjectsInIt() throws {
    let archive = try GraphArchive(Self.network)
    let offsets = try Self.network.withUnsafeBytes { buffer in
      let reader = try ArchiveReader(ArchiveSource(buffer))
      return try ObjectIndex(
        reader.contents, reader, streamByteCount: reader.contents.graph.rawByteCount)
    }
    let ends = offsets.offsets.dropFirst() + [archive.contents.graph.rawByteCount]
    let places = try Self.blocks(of: Self.network, .graph)
    #expect(places.count > 3)
    for (index, place) in places.enumerated() {
      let block = try #require(Self.damage(Self.network, at: [place.upperBound - 1]).blocks.first)
      #expect(block.segment == .graph)
      #expect(block.number == index)
      let expected = zip(offsets.offsets, ends).enumerated().filter { _, range in
        range.0 < block.rawRange.upperBound && range.1 > block.rawRange.lowerBound
      }.map(\.offset)
      #expect(block.losses.compactMap(\.objectNumber) == expected)
      #expect(block.objectCount == expected.count)
      #expect(
        block.losses.contains { $0.objectNumber == nil } == (block.rawRange.lowerBound < offsets.rootEnd))
      for loss in block.losses {
        guard let number = loss.objectNumber else { continue }
        // The first one may begin in front of the block.
        let isReadable = offsets.offsets[number] < block.rawRange.lowerBound
        #expect((loss.className != nil) == isReadable)
        guard let path = loss.path else { continue }
        try #expect(archive.item(at: path).objectNumber == number)
      }
    }
  }

  @Test func aPathLeadsThroughWhatIsNotDamagedAlone() throws {
    // In the second block the root is still going on; the stations have their places behind it.
    let places = try Self.blocks(of: Self.network, .graph)
    let block = try #require(Self.damage(Self.network, at: [places[2].lowerBound + 5]).blocks.first)
    let paths = block.losses.filter { $0.objectNumber != nil }.map(\.path)
    #expect(!paths.isEmpty)
    #expect(paths.allSatisfy { $0 != nil })
    // What leads to the others is lost.
    let last = try #require(
      Self.damage(Self.network, at: places.dropFirst().map(\.lowerBound)).blocks.last)
    #expect(last.losses.contains { $0.path == nil })
  }

  @Test func ofAValueTheFirstLostPartIsNamed() throws {
    let texts = (0..<50).map { Label(rawValue: String(repeating: "\(1000 + $0)", count: 25_000)) }
    let bytes = try encoded(["texts": texts], compression: .none)
    let places = try Self.blocks(of: bytes, .graph)
    var damaged = bytes
    damaged[places[2].lowerBound] ^= 1
    let archive = try GraphArchive(damaged)
    let block = try #require(archive.damage().blocks.first)
    #expect(block.objectCount == 0)
    let loss = try #require(block.losses.first)
    #expect(block.losses.count == 1)
    #expect(loss.path == [])
    #expect(loss.objectNumber == nil)
    let first = try #require(loss.firstLostPath)
    #expect(first == ["texts", 20, 0])
    try #expect(archive.item(at: ["texts", 19]).text?.hasPrefix("\"1019") == true)
    let error = #expect(throws: GCodableError.self) { try archive.item(at: first) }
    #expect(error?.code == .damaged)
  }

  @Test func withAHeaderNothingIsLost() throws {
    let placed = try #require(GraphArchive(Self.network).contents.graph.segment)
    let damage = try Self.damage(Self.network, at: [Int(placed.offset) + 40])
    let block = try #require(damage.blocks.first)
    #expect(damage.blockCount == 1)
    #expect(block.number == nil)
    #expect(block.losses.isEmpty)
    #expect(block.byteRange.contains(placed.offset + 40))
    // And others are named as if it were not damaged.
    let place = try #require(Self.blocks(of: Self.network, .bulk).first)
    let both = try Self.damage(Self.network, at: [Int(placed.offset) + 40, place.lowerBound])
    #expect(both.blocks.map(\.number) == [nil, 0])
    #expect(both.blocks.last?.losses.first?.path != nil)
  }

  @Test func withoutTheObjectIndexNothingIsNamed() throws {
    let nodes = (0..<3_000).map { Station("\($0)", next: nil) }
    let bytes = try encoded(nodes, compression: .none)
    let place = try #require(Self.blocks(of: bytes, .objectIndex).first)
    let graph = try #require(Self.blocks(of: bytes, .graph).first)
    let damage = try Self.damage(bytes, at: [place.lowerBound, graph.lowerBound])
    #expect(damage.blocks.map(\.segment) == [.graph, .objectIndex])
    #expect(damage.blocks.allSatisfy { $0.losses.isEmpty && $0.objectCount == nil })
  }

  @Test func aBlockThatDoesNotExpandIsFound() throws {
    let bytes = try encoded((0..<2_000).map { "text \($0 % 7)" }, compression: .lz4)
    let place = try #require(Self.blocks(of: bytes, .graph).first)
    let forged = try #require(try Forge(bytes).changingSegmentByte(at: place.lowerBound) { $0 = 0xFF })
    let damage = try GraphArchive(forged).damage()
    #expect(damage.blocks.map(\.error.code) == [.malformed])
    let loss = try #require(damage.blocks.first?.losses.first)
    #expect(loss.path == [])
    #expect(loss.firstLostPath == nil)
    #expect(loss.description == "root")
  }

  @Test func noMoreIsDescribedThanRequested() throws {
    let places = try [Segment.Kind.graph, .bulk].flatMap { try Self.blocks(of: Self.network, $0) }
    var damaged = Self.network
    for place in places { damaged[place.lowerBound] ^= 1 }
    let archive = try GraphArchive(damaged)
    for count in [0, 1, 3, 1_000] {
      let damage = try archive.damage(atMost: count)
      #expect(damage.blockCount == places.count)
      #expect(damage.blocks.count == min(count, places.count))
      #expect(damage.blocks.reduce(0) { $0 + $1.losses.count } <= count)
    }
  }

  @Test func itCanBeCancelled() throws {
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    #expect(throws: CancellationError.self) {
      try GraphArchive(Self.network).damage(progress: progress)
    }
  }

  /// Whatever the numbers of objects are, and whatever leads to whatever.
  @Test func pathsOfRandomGraphsLeadToTheirObjects() throws {
    var pathCount = 0
    for seed in 1...Effort.of(60, thorough: 2_000) as ClosedRange<UInt64> {
      let graph = ModelGraph(seed: seed, maximumCount: 20)
      defer { graph.breakUp() }
      let archive = try GraphArchive(encoded(graph.root, compression: .none))
      try archive.withReader { reader in
        let classes = ClassResolver(reader.contents.classes, chosen: [:])
        let decoder = GDecoder(try DecoderTables(reader, classes: classes, isPartial: true), userInfo: nil)
        let owners = try GraphOwners(decoder, isReadable: { _ in true }, checkCancellation: {})
        let objects = (0..<UInt32(decoder.tables.objectCount)).filter(decoder.isStored)
        for (target, path) in owners.paths(to: objects.map { .object($0) }) {
          // What the root is has its number, and no path.
          guard case .object(let number) = target, !path.steps.isEmpty else { continue }
          pathCount += 1
          let found = try archive.item(at: path).objectNumber
          #expect(found == Int(number), "\(path), seed \(seed)")
        }
      }
    }
    #expect(pathCount > 300)
  }
}
