import Foundation
import GraphCodable
import Testing

/// `verifyArchivable` finds a graph that can be encoded but not decoded.
@Suite("Cycles that cannot be decoded")
struct UnsaveableCycleTests {
  final class Node: GCodable {
    var next: Node?
    var others: [Node] = []
    enum Key: String { case next, others }
    init() {}
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(next, for: Key.next)
      try encoder.encode(others, for: Key.others)
    }
    required init(from decoder: GDecoder) throws {
      next = try decoder.decode(for: Key.next)
      others = try decoder.decode(for: Key.others)
    }
  }

  private func expectCycle(_ body: () throws -> Void) throws {
    let error = try #require(#expect(throws: GCodableError.self) { try body() })
    #expect(error.code == .cycle)
    let text = "\(error)"
    #expect(text.contains("deferDecode") && text.contains("@GDeferred") && text.contains("weak"))
  }

  @Test func cyclesAreFoundByVerification() throws {
    let nodes = (0..<3).map { _ in Node() }
    defer { for node in nodes { (node.next, node.others) = (nil, []) } }
    try GraphCodableUti.verifyArchivable(root: nodes)
    nodes[0].next = nodes[1]
    nodes[1].others = [nodes[2], nodes[2]]
    try GraphCodableUti.verifyArchivable(root: nodes)
    nodes[2].next = nodes[0]
    try expectCycle { try GraphCodableUti.verifyArchivable(root: nodes) }
    try expectCycle { try GraphCodableUti.verifyArchivable(root: ["a": nodes[2]]) }
    try expectCycle { try GraphCodableUti.verifyArchivable(root: nodes[1], options: .canonicalOrder) }
    (nodes[1].others, nodes[2].next) = ([], nil)
    nodes[0].next = nodes[0]
    try expectCycle { try GraphCodableUti.verifyArchivable(root: nodes[0]) }
  }

  final class CodableNode: Codable {
    var next: CodableNode?
    init() {}
  }

  @Test func cyclesOfCodableObjectsAreFoundByVerification() throws {
    let nodes = [CodableNode(), CodableNode()]
    defer { nodes[1].next = nil }
    nodes[0].next = nodes[1]
    try GraphCodableUti.verifyArchivable(codableRoot: nodes)
    nodes[1].next = nodes[0]
    try expectCycle { try GraphCodableUti.verifyArchivable(codableRoot: nodes) }
  }

  /// Needs something that only its user knows.
  final class Picky: GCodable {
    init() {}
    func encode(to encoder: GEncoder) throws {}
    init(from decoder: GDecoder) throws {
      guard !decoder.userInfo.isEmpty else { throw CocoaError(.coderInvalidValue) }
    }
  }

  @Test func otherErrorsAreIgnored() throws { try GraphCodableUti.verifyArchivable(root: [Picky()]) }
}
