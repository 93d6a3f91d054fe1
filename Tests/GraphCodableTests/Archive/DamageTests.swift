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

/// Archives with a changed byte, cut short or continued: each throws and says where.
@Suite("Damaged archives")
struct DamageTests {
  /// An archive and what it must decode to.
  struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: Bytes
    let decode: @Sendable (Bytes) throws -> Bool
    var testDescription: String { name }
  }

  private static func sample<Value: GCodable & Equatable & Sendable>(
    _ name: String, _ value: Value, _ compression: GraphEncoder.Compression
  ) -> Sample {
    let bytes = (try? encoded(value, compression: compression)) ?? []
    return Sample(name: "\(name), \(compression)", bytes: bytes) {
      try decoded(Value.self, from: $0) == value
    }
  }

  /// Small ones with each kind of place: embedded, a graph segment, bulk segments, a long object index.
  static let small: [Sample] = [GraphEncoder.Compression.none, .lz4].flatMap { compression in
    [
      sample("an integer", 5, compression),
      sample("an embedded graph", ["a": [1.5, nil], "b": []] as [String: [Double?]], compression),
      sample("a graph segment", (0..<250).map { "text number \($0)" }, compression),
      sample("objects", NodeList(count: 60), compression),
    ]
  }

  /// Larger ones, which are sampled.
  static let large: [Sample] = [GraphEncoder.Compression.none, .lz4].flatMap { compression in
    [
      sample("a bulk segment", [(0..<2500).map { Double($0 / 7) }], compression),
      sample("several blocks", (0..<90_000).map { "number \($0 * 7919)" }, compression),
      sample("several bulk blocks", (0..<300_000).map { $0 / 3 }, compression),
      sample("an index segment", NodeList(count: 3000), compression),
    ]
  }

  private func expectError(
    _ bytes: Bytes, _ sample: Sample, _ what: @autoclosure () -> String,
    codes: [GCodableError.Code] = [.damaged, .wrongSize, .notAnArchive],
    _ location: SourceLocation = #_sourceLocation
  ) {
    do {
      let isEqual = try sample.decode(bytes)
      Issue.record(
        "\(what()) decoded, \(isEqual ? "as if nothing were wrong" : "wrongly")", sourceLocation: location)
    } catch let error as GCodableError {
      if !codes.contains(error.code) || error.byteOffset == nil {
        Issue.record("\(what()): \(error)", sourceLocation: location)
      }
    } catch { Issue.record("\(what()): \(error)", sourceLocation: location) }
  }

  @Test(arguments: small + large) func theSampleItselfDecodes(sample: Sample) throws {
    try #expect(sample.decode(sample.bytes))
    #expect(sample.bytes == sample.bytes)
  }

  @Test func theSamplesHaveThePlacesTheyAreMeantToHave() throws {
    func graphIsEmbedded(_ sample: Sample) throws -> Bool {
      if case .embedded = try Forge(sample.bytes).contents.graph { true } else { false }
    }
    try #expect(graphIsEmbedded(Self.small[1]))
    try #expect(!graphIsEmbedded(Self.small[2]))
    try #expect(Forge(Self.large[0].bytes).contents.bulk.count == 1)
    if case .embedded = try Forge(Self.large[3].bytes).contents.objectIndex {
      Issue.record("index is embedded")
    }
    #expect(Self.large[1].bytes.count > 1 << 20)
  }

  @Test(arguments: small) func everyChangedByteThrows(sample: Sample) {
    var bytes = sample.bytes
    for index in bytes.indices {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        bytes[index] ^= change
        expectError(bytes, sample, "byte \(index) ^ \(change)")
        bytes[index] ^= change
      }
    }
  }

  @Test(arguments: small) func everyTruncationThrows(sample: Sample) {
    for count in sample.bytes.indices {
      expectError(Bytes(sample.bytes[..<count]), sample, "the first \(count) bytes")
    }
  }

  @Test(arguments: small + large) func appendedBytesThrow(sample: Sample) {
    for more in [[0], [1, 2, 3], Bytes(repeating: 0, count: 64), sample.bytes] as [Bytes] {
      expectError(sample.bytes + more, sample, "\(more.count) more bytes", codes: [.wrongSize])
    }
  }

  @Test(arguments: large) func sampledChangesAndTruncationsThrow(sample: Sample) {
    var random = SplitMix64(seed: UInt64(sample.bytes.count))
    var bytes = sample.bytes
    let ends = Array(bytes.indices.prefix(200)) + Array(bytes.indices.suffix(200))
    let places = ends + (0..<100).map { _ in random.below(bytes.count) }
    for index in places {
      let change = UInt8(1) << UInt8(random.below(8))
      bytes[index] ^= change
      expectError(bytes, sample, "byte \(index) ^ \(change)")
      bytes[index] ^= change
    }
    for count in places where random.once(in: 4) {
      expectError(Bytes(bytes[..<count]), sample, "the first \(count) bytes")
    }
  }

  @Test func swappedAndZeroedPiecesThrow() {
    for sample in Self.large {
      var random = SplitMix64(seed: 9)
      for _ in 0..<60 {
        var bytes = sample.bytes
        let count = 1 + random.below(200)
        let from = random.below(bytes.count - count)
        let to = random.below(bytes.count - count)
        let piece =
          random.once(in: 2) ? Bytes(bytes[from..<(from + count)]) : Bytes(repeating: 0, count: count)
        bytes.replaceSubrange(to..<(to + count), with: piece)
        if bytes != sample.bytes { expectError(bytes, sample, "\(count) bytes at \(to) from \(from)") }
      }
    }
  }

  @Test func whatIsNoArchiveSaysSo() {
    for bytes in [[], [0], Bytes("not an archive".utf8), Bytes(repeating: 0, count: 1000)] as [Bytes] {
      let error = #expect(throws: GCodableError.self) { try decoded(Int.self, from: bytes) }
      #expect(error?.code == .notAnArchive)
      #expect(error?.byteOffset == 0)
    }
  }

  @Test func aFormatOfTheFutureSaysWhatItIs() throws {
    var bytes = try encoded(1)
    bytes[8] = 3
    let hash = bytes[..<32].withUnsafeBytes { Forge.hash($0) }
    bytes.replaceSubrange(32..<40, with: hash)
    let error = #expect(throws: GCodableError.self) { try decoded(Int.self, from: bytes) }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains("version 3") == true)
  }

  /// An archive of 1 with bits of features.
  private func archive(features: UInt16) throws -> Bytes {
    var bytes = try encoded(1)
    (bytes[10], bytes[11]) = (UInt8(truncatingIfNeeded: features), UInt8(features >> 8))
    let hash = bytes[..<32].withUnsafeBytes { Forge.hash($0) }
    bytes.replaceSubrange(32..<40, with: hash)
    return bytes
  }

  @Test func seriesKeepArchivesWithFeaturesThatMayBeIgnored() throws {
    let folder = try TemporaryFolder()
    let (url, copy) = (folder.file("a.gcodable"), folder.file("b.gcodable"))
    let bytes = try archive(features: 0x4000)
    try Data(bytes).write(to: url)
    let writer = try GraphArchiveSeries.Writer(folder.file("series"))
    for step in 0..<2 { try writer.append(GraphArchive(url), step: step, time: 0) }
    let series = try GraphArchiveSeries(folder.file("series"))
    try GraphDecoder().verify(series)
    for entry in series {
      #expect(try GraphArchive(entry).decode(Int.self) == 1)
      try entry.extract(to: copy)
      #expect(try Bytes(Data(contentsOf: copy)) == bytes)
    }
  }

  @Test func whatMustBeUnderstoodIsNamedAndWhatMayBeIgnoredIsIgnored() throws {
    #expect(try decoded(Int.self, from: archive(features: 0xFF00)) == 1)
    for (features, name) in [(0x0001, "blocks that other files hold"), (0x8080, "7")] as [(UInt16, String)] {
      let error = #expect(throws: GCodableError.self) {
        try decoded(Int.self, from: archive(features: features))
      }
      #expect(error?.code == .unsupported)
      #expect(error?.byteOffset == 10)
      #expect(error?.description.contains(name) == true)
    }
  }

  @Test func aDecoderWorksAfterAFailure() throws {
    let decoder = GraphDecoder()
    let good = try encoded(["a": 1])
    var bad = good
    bad[bad.count - 1] ^= 1
    for _ in 0..<3 {
      #expect(throws: GCodableError.self) { try decoder.decode([String: Int].self, from: bad) }
      #expect(throws: GCodableError.self) { try decoder.decode([String: String].self, from: good) }
      try #expect(decoder.decode([String: Int].self, from: good) == ["a": 1])
    }
    let encoder = GraphEncoder()
    struct Own: Error {}
    #expect(throws: Own.self) { _ = try encoder.encode(Script { _ in throw Own() }) as Bytes }
    try #expect(encoder.encode(["a": 1]) as Bytes == good)
  }
}

/// Objects that refer to each other, compared by their names.
final class NodeList: GCodable, Equatable, Sendable {
  let nodes: [NamedNode]
  init(count: Int) {
    var nodes: [NamedNode] = []
    for index in 0..<count { nodes.append(NamedNode("node \(index)", Array(nodes.suffix(index % 4)))) }
    self.nodes = nodes
  }
  init(from decoder: GDecoder) throws { nodes = try decoder.decode(for: Letter.n) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(nodes, for: Letter.n) }
  static func == (lhs: NodeList, rhs: NodeList) -> Bool {
    lhs.nodes.map(\.name) == rhs.nodes.map(\.name)
      && lhs.nodes.map { $0.others.map(\.name) } == rhs.nodes.map { $0.others.map(\.name) }
  }
}

final class NamedNode: GCodable, Sendable {
  let name: String
  let others: [NamedNode]
  init(_ name: String, _ others: [NamedNode]) { (self.name, self.others) = (name, others) }
  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Letter.n)
    others = try decoder.decode(for: Letter.o)
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Letter.n)
    try encoder.encode(others, for: Letter.o)
  }
}
