import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Large graphs of small parts, with and without compression: the default limits accept them.
///
/// Each takes more than the free 64 MiB, and more than 16 times its bytes.
@Suite("Large graphs of small parts")
struct HonestGraphTests {
  private static func compressions(_ usual: GraphEncoder.Compression) -> [GraphEncoder.Compression] {
    Effort.of([usual], thorough: [.none, .lz4])
  }

  /// Some of which are neighbours, in no order that compression could find.
  private func nodes(_ count: Int) -> [HonestGraph.Node] {
    var random = SplitMix64(seed: 8)
    let nodes = (0..<count).map { _ in HonestGraph.Node() }
    for node in nodes {
      node.neighbours = (0..<8).map { _ in nodes[Int.random(in: 0..<count, using: &random)] }
    }
    return nodes
  }

  @Test(arguments: compressions(.lz4)) func nodesWithWeakNeighbours(compression: GraphEncoder.Compression)
    throws
  {
    let count = Effort.of(160_000, thorough: 1_000_000)
    let nodes = nodes(count)
    let bytes = try encoded(nodes, compression: compression)
    let result = try decoded([HonestGraph.Node].self, from: bytes)
    let numbers = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { (ObjectIdentifier($1), $0) })
    #expect(result.count == count)
    for (place, node) in nodes.enumerated() {
      let expected = node.neighbours.compactMap { $0.flatMap { numbers[ObjectIdentifier($0)] } }
      guard expected.count == 8, zip(result[place].neighbours, expected).allSatisfy({ $0 === result[$1] })
      else {
        Issue.record("node \(place) has other neighbours")
        return
      }
    }
  }

  /// After fields that were deferred have been decoded, they do not count any more.
  @Test func deferredFieldsThatLeadToDeferredFields() throws {
    let first = HonestGraph.Link()
    var last = first
    for _ in 0..<300_000 {
      last.next = HonestGraph.Link()
      last = last.next!
    }
    defer { HonestGraph.Link.release(first) }
    let decoder = GraphDecoder()
    decoder.limits.elementByteRatio = 0
    // 32 bytes for each, but not 144.
    let result = try decoder.decode(HonestGraph.Link.self, from: encoded(first, compression: .none))
    #expect(HonestGraph.Link.release(result) == 300_001)
  }

  @Test(arguments: compressions(.none)) func lazyValues(compression: GraphEncoder.Compression) throws {
    var random = SplitMix64(seed: 9)
    let values = (0..<200_000).map { _ in GLazy(Int.random(in: 0..<1 << 20, using: &random)) }
    let bytes = try encoded(values, compression: compression)
    let result = try GraphArchive(bytes).decode([GLazy<Int>].self)
    #expect(try result[199_999].get() == values[199_999].get())
  }

  @Test(arguments: compressions(.lz4)) func indexSets(compression: GraphEncoder.Compression) throws {
    let sets = (0..<150_000).map { IndexSet(integer: $0 &* 7_919 % 65_536) }
    #expect(try decoded([IndexSet].self, from: encoded(sets, compression: compression)) == sets)
  }

  @Test(arguments: compressions(.none)) func arraysOfOneNumber(compression: GraphEncoder.Compression) throws {
    var random = SplitMix64(seed: 10)
    let rows = (0..<1_600_000).map { _ in [UInt8.random(in: 0..<255, using: &random)] }
    #expect(try decoded([[UInt8]].self, from: encoded(rows, compression: compression)) == rows)
  }

  @Test(arguments: compressions(.lz4)) func instancesWithoutIdentity(compression: GraphEncoder.Compression)
    throws
  {
    var random = SplitMix64(seed: 11)
    let values = (0..<500_000).map { _ in HonestGraph.Small(UInt8.random(in: 0..<255, using: &random)) }
    let bytes = try encoded(values, .disableIdentity, compression: compression)
    #expect(try decoded([HonestGraph.Small].self, from: bytes).map(\.number) == values.map(\.number))
  }
}

enum HonestGraph {
  final class Node: GCodable {
    private enum Key: String, CaseIterable { case a, b, c, d, e, f, g, h }
    private weak var a: Node?, b: Node?, c: Node?, d: Node?, e: Node?, f: Node?, g: Node?, h: Node?

    var neighbours: [Node?] {
      get { [a, b, c, d, e, f, g, h] }
      set {
        (a, b, c, d) = (newValue[0], newValue[1], newValue[2], newValue[3])
        (e, f, g, h) = (newValue[4], newValue[5], newValue[6], newValue[7])
      }
    }

    init() {}

    init(from decoder: GDecoder) throws {
      try decoder.deferDecode(Node?.self, for: Key.a) { [unowned self] in self.a = $0 }
      try decoder.deferDecode(Node?.self, for: Key.b) { [unowned self] in self.b = $0 }
      try decoder.deferDecode(Node?.self, for: Key.c) { [unowned self] in self.c = $0 }
      try decoder.deferDecode(Node?.self, for: Key.d) { [unowned self] in self.d = $0 }
      try decoder.deferDecode(Node?.self, for: Key.e) { [unowned self] in self.e = $0 }
      try decoder.deferDecode(Node?.self, for: Key.f) { [unowned self] in self.f = $0 }
      try decoder.deferDecode(Node?.self, for: Key.g) { [unowned self] in self.g = $0 }
      try decoder.deferDecode(Node?.self, for: Key.h) { [unowned self] in self.h = $0 }
    }

    func encode(to encoder: GEncoder) throws {
      for (key, node) in zip(Key.allCases, neighbours) { try encoder.encodeConditional(node, for: key) }
    }
  }

  final class Link: GCodable {
    private enum Key: String { case next }
    var next: Link?
    init() {}
    init(from decoder: GDecoder) throws {
      try decoder.deferDecode(Link?.self, for: Key.next) { self.next = $0 }
    }
    func encode(to encoder: GEncoder) throws { try encoder.encode(next, for: Key.next) }

    /// Takes a chain apart.
    ///
    /// - Returns: how many there were.
    @discardableResult static func release(_ first: Link) -> Int {
      var (link, count): (Link?, Int) = (first, 0)
      while let one = link {
        link = one.next
        one.next = nil
        count += 1
      }
      return count
    }
  }

  final class Small: GCodable {
    let number: UInt8
    init(_ number: UInt8) { self.number = number }
    init(from decoder: GDecoder) throws { number = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
  }
}
