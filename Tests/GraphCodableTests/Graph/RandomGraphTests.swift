import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Random graphs, encoded, decoded and compared: vertex by vertex, and byte by byte when encoded again.
///
/// `GRAPHCODABLE_GRAPHS` sets how many.
@Suite("Random graphs")
struct RandomGraphTests {
  static let count = UInt64(Effort.count("GRAPHCODABLE_GRAPHS", usual: 1000, thorough: 20_000))
  /// A failure names its seed, which makes the graph again.
  static let shards = 0..<16 as Range<UInt64>

  /// Runs `body` with the seeds of a shard, one of `times`.
  private func forEachSeed(in shard: UInt64, oneIn times: UInt64, _ body: (UInt64) throws -> Void) rethrows {
    for seed in stride(from: shard, to: max(Self.count / times, 16), by: Self.shards.count) { try body(seed) }
  }

  /// Graphs come back as they were.
  private func checkGraph(_ graph: ModelGraph, _ seed: UInt64, _ options: GraphEncoder.Options = []) throws {
    defer { graph.breakUp() }
    let copy = try decoded(ModelNode.self, from: encoded(graph.root, options, compression: .none))
    defer { ModelGraph(root: copy).breakUp() }
    if let difference = difference(original: graph.root, copy: copy) {
      Issue.record("seed \(seed): \(difference)")
    }
  }

  /// What was decoded encodes to the same bytes.
  ///
  /// The first time, a conditional reference that leads nowhere is one to an object that is not there; nil
  /// from then on.
  private func checkBytes(_ graph: ModelGraph, _ seed: UInt64, _ options: GraphEncoder.Options = []) throws {
    defer { graph.breakUp() }
    var bytes = try encoded(graph.root, options, compression: .none)
    for round in 0..<2 {
      let copy = try decoded(ModelNode.self, from: bytes)
      let nodes = ModelGraph(root: copy)
      defer { nodes.breakUp() }
      let again = try encoded(copy, options, compression: .none)
      if round > 0 || !graph.root.reachable().hasOutsiders {
        if again != bytes { Issue.record("seed \(seed), round \(round): other bytes") }
      }
      bytes = again
    }
  }

  @Test(arguments: shards) func smallGraphsComeBackAsTheyWere(shard: UInt64) throws {
    try forEachSeed(in: shard, oneIn: 1) { try checkGraph(ModelGraph(seed: $0, maximumCount: 12), $0) }
  }

  @Test(arguments: shards) func largerGraphsComeBackAsTheyWere(shard: UInt64) throws {
    try forEachSeed(in: shard, oneIn: 200) { try checkGraph(ModelGraph(seed: $0, maximumCount: 400), $0) }
  }

  /// Deep enough that objects are made children first.
  @Test(arguments: shards) func graphsAfterALongChainComeBackUnchanged(shard: UInt64) throws {
    try forEachSeed(in: shard, oneIn: 40) {
      try checkGraph(ModelGraph(seed: $0, maximumCount: 30, depth: 100 + Int($0 % 40)), $0)
    }
  }

  @Test(
    arguments: [.tryHashableIdentityAtFirst, .tryHashableIdentityAtLast, .ignoreGInheritanceProtocol]
      as [GraphEncoder.Options])
  func graphsComeBackAsTheyWereWithOptions(options: GraphEncoder.Options) throws {
    for shard in Self.shards {
      try forEachSeed(in: shard, oneIn: 100) {
        try checkGraph(ModelGraph(seed: $0, maximumCount: 12), $0, options)
      }
    }
  }

  /// Sets and dictionaries iterate in another order in each copy, so they have one element here.
  @Test(arguments: shards) func whatDecodesEncodesToTheSameBytes(shard: UInt64) throws {
    try forEachSeed(in: shard, oneIn: 4) {
      try checkBytes(ModelGraph(seed: $0, maximumCount: 12, hashedCount: 1), $0)
    }
    try forEachSeed(in: shard, oneIn: 200) {
      try checkBytes(ModelGraph(seed: $0, maximumCount: 30, hashedCount: 1, depth: 120 + Int($0 % 20)), $0)
      try checkBytes(ModelGraph(seed: $0, maximumCount: 300, hashedCount: 1), $0)
    }
  }

  @Test(arguments: shards) func whatDecodesEncodesToTheSameBytesInCanonicalOrder(shard: UInt64) throws {
    try forEachSeed(in: shard, oneIn: 20) {
      try checkBytes(ModelGraph(seed: $0, maximumCount: 12), $0, .canonicalOrder)
    }
  }
}

/// The model itself: what it is to find, it finds, and it has what it is to try.
@Suite("The model of random graphs")
struct ModelGraphTests {
  @Test func theSameSeedGivesTheSameGraph() throws {
    for seed in 0..<50 as Range<UInt64> {
      let graphs = (0..<2).map { _ in ModelGraph(seed: seed, maximumCount: 30, hashedCount: 1) }
      defer { for graph in graphs { graph.breakUp() } }
      try #expect(encoded(graphs[0].root) == encoded(graphs[1].root))
    }
  }

  @Test func theComparisonFindsEveryChange() throws {
    var changedCount = 0
    for seed in 0..<20 as Range<UInt64> {
      let graph = ModelGraph(seed: seed, maximumCount: 20)
      defer { graph.breakUp() }
      let copy = try roundTrip(graph.root)
      let nodes = ModelGraph(root: copy)
      defer { nodes.breakUp() }
      for node in nodes.nodes {
        func change<Value>(
          _ field: ReferenceWritableKeyPath<ModelNode, Value>, _ change: (inout Value) -> Void,
          _ location: SourceLocation = #_sourceLocation
        ) {
          let value = node[keyPath: field]
          change(&node[keyPath: field])
          #expect(difference(original: graph.root, copy: copy) != nil, sourceLocation: location)
          node[keyPath: field] = value
          changedCount += 1
        }
        change(\.links) { $0.append(copy) }
        change(\.next) { $0 = $0 == nil ? copy : nil }
        change(\.named) { $0["new"] = copy }
        change(\.members) { if $0.isEmpty { $0 = [copy] } else { $0.removeFirst() } }
        change(\.choice) { if case .nothing = $0 { $0 = .nodes([]) } else { $0 = .nothing } }
        change(\.otherBoxes) { $0.append(SharedBox("new", nil)) }
        change(\.leaves) { $0 = $0.isEmpty ? [ModelLeaf(isAnonymous: false, nil)] : [] }
        change(\.parent) { $0 = $0 == nil ? copy : nil }
        change(\.owner) { $0 = $0 == nil ? copy : nil }
        change(\.values) { $0.append(.double(0)) }
        // The same node, but another object; the same bits but one.
        change(\.others) { $0 = $0.isEmpty ? [copy] : $0.map { ModelNode($0.label, $0.style) } }
        change(\.values) { $0 = $0.isEmpty ? [.double(0)] : $0.dropLast() + [.double(-0.0)] }
      }
      #expect(difference(original: graph.root, copy: copy) == nil)
    }
    #expect(changedCount > 1000)
  }

  /// Every class, field and form of a value is in the first thousand graphs, each in some number.
  @Test func theGraphsHaveEverything() throws {
    var counts: [String: Int] = [:]
    for seed in 0..<1000 as Range<UInt64> {
      let graph = ModelGraph(seed: seed, maximumCount: 12)
      defer { graph.breakUp() }
      let reachable = graph.root.reachable()
      counts[reachable.hasOutsiders ? "outsiders" : "no outsiders", default: 0] += 1
      for vertex in reachable.vertices {
        counts["\(type(of: vertex))", default: 0] += 1
        guard let node = vertex as? ModelNode else { continue }
        for field in node.filledFields { counts[field.rawValue, default: 0] += 1 }
        counts[node.style.isSparse ? "sparse" : "not sparse", default: 0] += 1
        for value in node.values { counts[value.name, default: 0] += 1 }
      }
    }
    let names =
      ModelNode.Field.allCases.map(\.rawValue) + [
        "ModelNode", "RichNode", "RicherNode", "PlainSubnode", "GenericNode<Int>", "IdentifiedNode",
        "NestedNode",
        "ModelLeaf", "Content", "sparse", "not sparse", "outsiders", "no outsiders", "integer", "byte",
        "wide",
        "double", "single", "text", "flags", "numbers", "vectors", "data", "moment", "range", "maybe",
        "strings",
        "list", "table", "outcome",
      ]
    for name in names { #expect(counts[name, default: 0] > 50, "\(name) in \(counts)") }
  }
}
