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

/// `GLazy`, values that stay in the archive until they are used.
@Suite("Arrays: lazy values") struct LazyTests {
  private struct Snapshot: GCodable {
    var name: String
    var positions: GLazy<[Double]>
    var matrix: GLazy<[[Float]]>
    var samples: GLazy<[Sample]>
    var settings: GLazy<[String: [Int]]>

    enum Key: String { case name, positions, matrix, samples, settings }

    init(_ name: String) {
      self.name = name
      positions = GLazy((0..<300_000).map(Double.init))
      matrix = GLazy((0..<100).map { row in (0..<3000).map { Float(row * 3000 + $0) } })
      samples = GLazy((0..<5000).map { Sample(time: Double($0), count: Int64($0)) })
      settings = GLazy(["a": [1, 2], "b": []])
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encoder.encode(positions, for: Key.positions)
      try encoder.encode(matrix, for: Key.matrix)
      try encoder.encode(samples, for: Key.samples)
      try encoder.encode(settings, for: Key.settings)
    }

    init(from decoder: GDecoder) throws {
      name = try decoder.decode(for: Key.name)
      positions = try decoder.decode(for: Key.positions)
      matrix = try decoder.decode(for: Key.matrix)
      samples = try decoder.decode(for: Key.samples)
      settings = try decoder.decode(for: Key.settings)
    }
  }

  private struct Sample: GPackedStruct, Equatable {
    var time: Double
    var count: Int64
    static let packedLayout = PackedLayout<Self>(\.time, \.count).named("time", "count")
  }

  private func check(_ snapshot: Snapshot) throws {
    let same = Snapshot(snapshot.name)
    #expect(try snapshot.positions.get() == same.positions.get())
    #expect(try snapshot.matrix.get() == same.matrix.get())
    #expect(try snapshot.samples.get() == same.samples.get())
    #expect(try snapshot.settings.get() == same.settings.get())
  }

  @Test func areDecodedAtFirstUse() throws {
    let archive = try GraphArchive(GraphEncoder().encode(Snapshot("one")) as Bytes)
    let snapshot = try archive.decode(Snapshot.self)
    #expect(archive.counts.expanded == 0)
    #expect(!snapshot.positions.isLoaded)
    #expect(try snapshot.positions.get().count == 300_000)
    #expect(snapshot.positions.isLoaded)
    #expect(archive.counts.expanded == 5)
    try check(snapshot)
    try check(archive.decode(Snapshot.self))
  }

  @Test func leaveNoTraceInTheArchive() throws {
    struct Plain: GEncodable {
      let snapshot: Snapshot
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(snapshot.name, for: Snapshot.Key.name)
        try encoder.encode(snapshot.positions.get(), for: Snapshot.Key.positions)
        try encoder.encode(snapshot.matrix.get(), for: Snapshot.Key.matrix)
        try encoder.encode(snapshot.samples.get(), for: Snapshot.Key.samples)
        try encoder.encode(snapshot.settings.get(), for: Snapshot.Key.settings)
      }
    }
    let encoder = GraphEncoder(.canonicalOrder)
    let lazy: Bytes = try encoder.encode(Snapshot("one"))
    #expect(try encoder.encode(Plain(snapshot: Snapshot("one"))) == lazy)
    // Nor does copying.
    #expect(try encoder.encode(GraphArchive(lazy).decode(Snapshot.self)) == lazy)
  }

  @Test func areCopiedBlockByBlockIfUnused() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("snapshot.gcodable")
    try GraphEncoder().write(Snapshot("one"), to: url)
    let archive = try GraphArchive(url)
    var snapshot = try archive.decode(Snapshot.self)
    snapshot.name = "two"
    // Over the file that they are copied from.
    try GraphEncoder().write(snapshot, to: url)
    #expect(archive.counts.expanded == 0)
    #expect(archive.counts.copied == 5 + 2 + 1)
    let again = try GraphArchive(url).decode(Snapshot.self)
    #expect(again.name == "two")
    try check(again)
    try GraphArchive(url).verify()
    // The old file still exists for readers that have it open.
    try check(snapshot)
  }

  @Test func areCopiedToMemoryAndToASeries() throws {
    let folder = try TemporaryFolder()
    let encoder = GraphEncoder()
    let archive = try GraphArchive(encoder.encode(Snapshot("one")) as Bytes)
    let snapshot = try archive.decode(Snapshot.self)
    encoder.compression = .none
    #expect(try encoder.encode(snapshot) as Data == Data(encoder.encode(snapshot) as Bytes))
    let copy = try GraphArchive(encoder.encode(snapshot) as Bytes)
    #expect(
      try copy.info.segments.filter { $0.kind == .bulk } == archive.info.segments.filter { $0.kind == .bulk })
    let url = folder.file("series.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    try encoder.append(snapshot, to: writer, step: 0, time: 0)
    let entry = try #require(try GraphArchiveSeries(url).entries.last)
    var loaded = try GraphDecoder().read(Snapshot.self, from: entry)
    loaded.name = "two"
    try encoder.append(loaded, to: writer, step: 1, time: 1)
    let last = try #require(try GraphArchiveSeries(url).entries.last)
    try check(GraphDecoder().read(Snapshot.self, from: last))
    #expect(archive.counts.expanded == 0)
  }

  @Test func damageIsFoundWhenTheyAreUsedOrCopied() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("snapshot.gcodable")
    let encoder = GraphEncoder()
    encoder.compression = .none
    try encoder.write(Snapshot("one"), to: url)
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: url)
    let snapshot = try GraphDecoder().read(Snapshot.self, from: url)
    let error = #expect(throws: GCodableError.self) { try encoder.encode(snapshot) as Bytes }
    #expect(error?.code == .damaged)
    #expect(throws: GCodableError.self) { try snapshot.positions.get() }
    #expect(!snapshot.positions.isLoaded)
    #expect(try snapshot.samples.get().count == 5000)
  }

  @Test func valuesThatReferToObjectsAreDecodedAtOnce() throws {
    final class Node: GCodable {
      var next: Node?
      init() {}
      enum Key: String { case next }
      init(from decoder: GDecoder) throws { next = try decoder.decode(for: Key.next) }
      func encode(to encoder: GEncoder) throws { try encoder.encode(next, for: Key.next) }
    }
    struct Pair: GCodable {
      var one: GLazy<[Node]>
      var other: GLazy<Node>
      init(_ node: Node) { (one, other) = (GLazy([node]), GLazy(node)) }
      enum Key: String { case one, other }
      init(from decoder: GDecoder) throws {
        one = try decoder.decode(for: Key.one)
        other = try decoder.decode(for: Key.other)
      }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(one, for: Key.one)
        try encoder.encode(other, for: Key.other)
      }
    }
    let decoder = GraphDecoder()
    let archive = try GraphArchive(GraphEncoder(.disableInheritance).encode(Pair(Node())) as Bytes)
    let pair = try archive.decode(Pair.self, using: decoder)
    #expect(pair.one.isLoaded && pair.other.isLoaded)
    #expect(try pair.one.get()[0] === pair.other.get())
  }

  @Test func memoryThatIsLentIsReadAtOnce() throws {
    let bytes: Bytes = try GraphEncoder().encode(Snapshot("one"))
    let snapshot = try GraphDecoder().decode(Snapshot.self, from: bytes)
    #expect(snapshot.positions.isLoaded)
    try check(snapshot)
  }

  @Test func ofOtherTypesThanStoredAreEncodedByDecodingThem() throws {
    struct Model<Value: GCodable>: GCodable {
      var value: GLazy<Value>
      enum Key: String { case value }
      init(_ value: Value) { self.value = GLazy(value) }
      init(from decoder: GDecoder) throws { value = try decoder.decode(for: Key.value) }
      func encode(to encoder: GEncoder) throws { try encoder.encode(value, for: Key.value) }
    }
    let rows = (0..<20_000).map { [$0] }
    let archive = try GraphArchive(GraphEncoder().encode(Model(rows)) as Bytes)
    let sets = try archive.decode(Model<[Set<Int>]>.self)
    #expect(!sets.value.isLoaded)
    let copy = try GraphArchive(GraphEncoder().encode(sets) as Bytes)
    #expect(try copy.item(at: "value").kind == .array)
    #expect(try copy.decode(Model<[Set<Int>]>.self).value.get() == rows.map { Set($0) })
    let optional = try archive.decode(Model<[[Int]]?>.self)
    #expect(try optional.value.get() == rows)
  }

  @Test func modelsThatAreCodableHaveThem() throws {
    struct Model: Codable {
      var numbers: GLazy<[Double]>
      var list: [GLazy<[Int]>]
      var data = GLazy(Data([1, 2, 3]))
      var none = GLazy<[Int]?>(nil)
      var some = GLazy<[Int]?>([7])
    }
    let model = Model(
      numbers: GLazy((0..<50_000).map(Double.init)), list: [GLazy(Array(0..<3000)), GLazy([1])])
    let archive = try GraphArchive(GraphEncoder().encode(codable: model) as Bytes)
    let loaded = try archive.decode(codable: Model.self)
    #expect(archive.counts.expanded == 0)
    let copy = try GraphArchive(GraphEncoder().encode(codable: loaded) as Bytes)
    #expect(archive.counts.copied == 2)
    #expect(try copy.decode(codable: Model.self).numbers.get().count == 50_000)
    #expect(try loaded.list[1].get() == [1])
    #expect(try loaded.data.get() == Data([1, 2, 3]))
    #expect(try loaded.none.get() == nil)
    #expect(try loaded.some.get() == [7])
    let json = try JSONEncoder().encode(["a": GLazy([1, 2])])
    #expect(try JSONDecoder().decode([String: GLazy<[Int]>].self, from: json)["a"]?.get() == [1, 2])
  }

  @Test func manyThreadsDecodeThemOnce() async throws {
    let archive = try GraphArchive(GraphEncoder().encode(Snapshot("one")) as Bytes)
    let positions = try archive.decode(Snapshot.self).positions
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try positions.get().count } }
      return try await group.reduce(0, +)
    }
    #expect(counts == 8 * 300_000)
    #expect(archive.counts.expanded == 5)
  }

  @Test func aListLeavesEachOfThem() throws {
    let archive = try GraphArchive(
      GraphEncoder().encode([GLazy(Array(0..<3000)), GLazy(Array(0..<3000))]) as Bytes)
    let list = try archive.decode([GLazy<[Int]>].self)
    #expect(try list.map { try $0.get().count } == [3000, 3000])
  }
}
