import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Determinism")
struct DeterminismTests {
  /// A graph of some hundred objects; `reversed` makes its objects in another order, at other addresses.
  private func graph(reversed: Bool) -> ModelGraph {
    let order = reversed ? Array((0..<300).reversed()) : Array(0..<300)
    var nodes: [Int: ModelNode] = [:]
    var ballast: [AnyObject] = []
    for index in order {
      if reversed { ballast.append(NSObject()) }
      nodes[index] = index.isMultiple(of: 3) ? RichNode(index) : ModelNode(index)
    }
    var random = SplitMix64(seed: 7)
    let all = (0..<300).compactMap { nodes[$0] }
    for (index, node) in all.enumerated().dropLast() {
      for _ in 0..<random.below(4) { node.links.append(all[index + 1 + random.below(299 - index)]) }
      node.others = [all[random.below(300)]]
      node.owner = all[random.below(300)]
    }
    return withExtendedLifetime(ballast) { ModelGraph(root: all[0], nodes: all) }
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4]) func theSameGraphGivesTheSameBytes(
    compression: GraphEncoder.Compression
  )
    throws
  {
    let one = graph(reversed: false)
    let other = graph(reversed: true)
    defer { for graph in [one, other] { graph.breakUp() } }
    let bytes = try encoded(one.root, compression: compression)
    try #expect(encoded(one.root, compression: compression) == bytes)
    try #expect(encoded(other.root, compression: compression) == bytes)
    try #expect(
      onThread(stackByteCount: 1 << 20) { try encoded(other.root, compression: compression) } == bytes)
  }

  @Test func anEncoderGivesTheSameBytesAgain() throws {
    let graph = graph(reversed: false)
    defer { graph.breakUp() }
    let encoder = GraphEncoder()
    let first = try encoder.encode(graph.root) as Bytes
    _ = try encoder.encode(["something else": 1]) as Bytes
    try #expect(encoder.encode(graph.root) == first)
  }

  @Test func whatDecodesEncodesToTheSameBytes() throws {
    let graph = graph(reversed: false)
    defer { graph.breakUp() }
    // What only conditional references lead to is nil after decoding, so the second copy is compared.
    let first = try decoded(ModelNode.self, from: encoded(graph.root))
    defer { ModelGraph(root: first).breakUp() }
    let bytes = try encoded(first)
    let second = try decoded(ModelNode.self, from: bytes)
    defer { ModelGraph(root: second).breakUp() }
    try #expect(encoded(second) == bytes)
  }

  @Test func paddingBytesAreNotInTheArchive() throws {
    // A `SIMD3` has a fourth lane in memory, which may hold anything.
    func vectors(_ filler: Float) -> [SIMD3<Float>] {
      (0..<3000).map { index in
        let wide = SIMD4<Float>(Float(index), 1, 2, filler)
        return unsafeBitCast(wide, to: SIMD3<Float>.self)
      }
    }
    try #expect(encoded(vectors(7)) == encoded(vectors(-1)))
    try #expect(encoded(vectors(7)[5]) == encoded(vectors(-1)[5]))
  }
}
