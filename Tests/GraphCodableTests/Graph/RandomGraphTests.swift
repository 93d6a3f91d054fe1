import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Random graphs, encoded, decoded and compared node by node.
///
/// `GRAPHCODABLE_GRAPHS` sets how many.
@Suite("Random graphs")
struct RandomGraphTests {
  static let count = Int(ProcessInfo.processInfo.environment["GRAPHCODABLE_GRAPHS"] ?? "") ?? 5000

  private func check(_ graph: NodeGraph, _ seed: UInt64, _ options: GraphEncoder.Options = []) throws {
    defer { graph.breakUp() }
    let copy = try decoded(GraphNode.self, from: encoded(graph.root, options, compression: .none))
    defer { NodeGraph(root: copy).breakUp() }
    if let difference = difference(original: graph.root, copy: copy) {
      Issue.record("seed \(seed): \(difference)")
    }
  }

  @Test func smallGraphsComeBackAsTheyWere() throws {
    for seed in 0..<UInt64(Self.count) { try check(NodeGraph(seed: seed, maximumCount: 12), seed) }
  }

  @Test func largerGraphsComeBackAsTheyWere() throws {
    for seed in 0..<UInt64(max(Self.count / 100, 1)) {
      try check(NodeGraph(seed: seed, maximumCount: 400), seed)
    }
  }

  /// Deep enough that objects are made children first.
  @Test func graphsBehindALongChainComeBackAsTheyWere() throws {
    for seed in 0..<UInt64(max(Self.count / 20, 1)) {
      try check(NodeGraph(seed: seed, maximumCount: 30, depth: 100 + Int(seed % 40)), seed)
    }
  }

  @Test func graphsOfHashableIdentitiesComeBackAsTheyWere() throws {
    for seed in 0..<UInt64(max(Self.count / 50, 1)) {
      try check(NodeGraph(seed: seed, maximumCount: 12), seed, .tryHashableIdentityAtLast)
    }
  }

  @Test func theComparisonFindsDifferences() throws {
    let graph = NodeGraph(seed: 3, maximumCount: 50)
    defer { graph.breakUp() }
    let copy = try roundTrip(graph.root)
    let nodes = NodeGraph(root: copy)
    defer { nodes.breakUp() }
    #expect(difference(original: graph.root, copy: copy) == nil)
    for node in nodes.all {
      let (links, deferred, parent) = (node.links, node.deferred, node.parent)
      node.links.append(copy)
      #expect(difference(original: graph.root, copy: copy) != nil)
      node.links = links
      node.deferred = deferred.isEmpty ? [copy] : deferred.map { _ in GraphNode(0) }
      #expect(difference(original: graph.root, copy: copy) != nil)
      node.deferred = deferred
      node.parent = parent == nil ? copy : nil
      #expect(difference(original: graph.root, copy: copy) != nil)
      node.parent = parent
    }
    #expect(difference(original: graph.root, copy: copy) == nil)
  }
}
