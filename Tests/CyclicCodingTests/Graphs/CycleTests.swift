import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// Cycles come back where a breaker is, and are errors that name them where none is.
@Suite("CyclicCoding: cycles")
struct CycleTests {
  final class Tree: Codable {
    var name: String
    var parent = WeakCycleBreaker<Tree>()
    var children: [Tree] = []

    init(_ name: String, _ children: [Tree] = []) {
      self.name = name
      self.children = children
      for child in children { child.parent[] = self }
    }
  }

  @Test(arguments: allWays)
  func parentsAreFoundAgain(coder: AnyCoder?) throws {
    let tree = Tree("a", [Tree("b", [Tree("c"), Tree("d")]), Tree("e")])
    let copy = try copy(tree, through: coder)
    #expect(copy.parent[] == nil)
    #expect(copy.children.map(\.name) == ["b", "e"])
    #expect(copy.children.allSatisfy { $0.parent[] === copy })
    #expect(copy.children[0].children.map(\.name) == ["c", "d"])
    #expect(copy.children[0].children.allSatisfy { $0.parent[] === copy.children[0] })
  }

  /// The part is reached first, and leads back to the whole, which leads to the part.
  @Test func rootMayBeInsideTheCycle() throws {
    let tree = Tree("a", [Tree("b")])
    struct Both: Codable {
      var part: Tree
      var whole: Tree
    }
    for coder in allWays {
      let copy = try copy(Both(part: tree.children[0], whole: tree), through: coder)
      #expect(copy.part.parent[] === copy.whole && copy.whole.children[0] === copy.part)
    }
  }

  @Test(arguments: allWays)
  func objectWithoutAnotherReferenceIsReleased(coder: AnyCoder?) throws {
    let tree = Tree("a", [Tree("b")])
    let child = try copy(tree.children[0], through: coder)
    #expect(child.name == "b" && child.parent[] == nil)
    withExtendedLifetime(tree) {}
  }

  final class Table: Codable {
    var legs: [Leg] = []
    var itself = UnownedCycleBreaker<Table>()

    init(legCount: Int) {
      legs = (0..<legCount).map { Leg(number: $0, table: UnownedCycleBreaker(self)) }
      itself[] = self
    }
  }

  struct Leg: Codable {
    var number: Int
    var table: UnownedCycleBreaker<Table>
  }

  @Test(arguments: allWays)
  func unownedReferencesAndReferencesToOneselfAreFoundAgain(coder: AnyCoder?) throws {
    let table = try copy(Table(legCount: 3), through: coder)
    #expect(table.itself[] === table)
    #expect(table.legs.map(\.number) == [0, 1, 2])
    #expect(table.legs.allSatisfy { $0.table[] === table })
  }

  @Test func copiesOfABreakerAreIndependent() {
    let (one, other) = (Tree("1"), Tree("2"))
    var first = WeakCycleBreaker(one)
    let second = first
    first[] = other
    #expect(first[] === other && second[] === one)
    var leg = UnownedCycleBreaker(one)
    let copy = leg
    leg[] = other
    #expect(leg[] === other && copy[] === one)
  }

  @Test func emptyAndExpiredBreakersAreEncodedAsNil() throws {
    let tree = Tree("a")
    tree.parent[] = Tree("gone")
    #expect(tree.parent[] == nil)
    #expect(
      try "\(CyclicEncoder().flatten(tree))"
        == "referenced: [],\nroot: { name: \"a\", parent: nil, children: [] }")
    #expect(try copy(tree, through: .json).parent[] == nil)
  }

  // MARK: Errors

  final class Node: Codable {
    var next: Node?
    var others: [String: [Node]] = [:]
    init(next: Node? = nil) { self.next = next }
  }

  private func cycleContext<Value: Encodable>(of value: Value) throws -> EncodingError.Context {
    let error = try #require(#expect(throws: EncodingError.self) { try CyclicEncoder().flatten(value) })
    guard case .invalidValue(_, let context) = error else { throw error }
    return context
  }

  @Test func cycleWithoutABreakerIsNamed() throws {
    let nodes = [Node(), Node(), Node()]
    (nodes[0].next, nodes[1].next, nodes[2].next) = (nodes[1], nodes[2], nodes[1])
    defer { nodes[2].next = nil }
    let context = try cycleContext(of: [nodes[0]])
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", "next"])
    #expect(context.debugDescription.contains(": Node.next → Node.next → Node. "))
  }

  @Test func referenceToOneselfIsNamed() throws {
    let node = Node()
    node.others["it"] = [Node(), node]
    defer { node.others = [:] }
    let context = try cycleContext(of: node)
    #expect(context.codingPath.isEmpty)
    #expect(context.debugDescription.contains(": Node.others.it[1] → Node. "))
  }

  @Test func objectThatEncodesItselfIsNamed() throws {
    final class Odd: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    #expect(try cycleContext(of: Odd()).debugDescription.contains(": Odd → Odd. "))
  }

  @Test func longCycleIsShownInPart() throws {
    let first = Node()
    var last = first
    for _ in 0..<100_000 {
      let next = Node()
      last.next = next
      last = next
    }
    last.next = first
    let context = try cycleContext(of: first)
    #expect(context.debugDescription.contains("Node.next → … → Node.next"))
    #expect(context.debugDescription.count < 1000)
    dismantle(first)
  }

  private func dismantle(_ first: Node) {
    var node: Node? = first
    while let current = node {
      node = current.next
      current.next = nil
    }
  }

  @Test func unownedReferenceToNothingIsAnErrorWhenEncoded() {
    #expect(throws: EncodingError.self) {
      try CyclicEncoder().flatten(Leg(number: 0, table: UnownedCycleBreaker(Table(legCount: 0))))
    }
    #expect(throws: EncodingError.self) {
      try CyclicEncoder().flatten(Leg(number: 0, table: UnownedCycleBreaker()))
    }
  }

  @Test func unownedReferenceThatNothingHoldsIsAnErrorWhenDecoded() throws {
    let table = Table(legCount: 2)
    for coder in allWays {
      let error = try #require(#expect(throws: DecodingError.self) { try copy(table.legs, through: coder) })
      guard case .valueNotFound(_, let context) = error else { throw error }
      #expect(context.codingPath.map(\.stringValue) == ["Index 0", "table"])
    }
  }

  @Test func nilInAnUnownedReferenceIsAnError() throws {
    struct Optional: Encodable {
      let number = 0, table: Table? = nil
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(number, forKey: .number)
        try container.encodeNil(forKey: .table)
      }
      enum Key: CodingKey { case number, table }
    }
    let flattened = try CyclicEncoder().flatten(Optional())
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Leg.self, from: flattened) }
  }

  #if !canImport(Darwin) || os(macOS)
    @Test func useOfAnEmptyUnownedReferenceTraps() async {
      await #expect(processExitsWith: .failure) {
        _ = UnownedCycleBreaker<Table>()[].legs
      }
    }
  #endif
}
