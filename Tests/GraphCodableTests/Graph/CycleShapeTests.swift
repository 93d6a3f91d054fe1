import GraphCodable
import GraphCodableTestSupport
import Testing

/// Cycles through everything that a reference can stand in.
@Suite("Shapes of cycles")
struct CycleShapeTests {
  /// Vertices that are all connected to each other and to themselves, by every field.
  private func mesh(_ count: Int) -> [Vertex] {
    let vertices = (0..<count).map(Vertex.init)
    for vertex in vertices { vertex.connect(to: vertices) }
    return vertices
  }

  @Test(arguments: 1...4) func everyFieldLeadsBackToTheSameObjects(count: Int) throws {
    let vertices = mesh(count)
    defer { for vertex in vertices { vertex.connect(to: []) } }
    for start in vertices {
      let copy = try roundTrip(start)
      #expect(copy.number == start.number)
      let copies = copy.array
      defer { for vertex in copies { vertex.connect(to: []) } }
      #expect(copies.map(\.number) == Array(0..<count))
      #expect(copies[copy.number] === copy)
      for vertex in copies { #expect(vertex.differences(from: copies).isEmpty) }
    }
  }

  /// The root is a value that leads to the cycle; the cycle's objects are made in another order.
  @Test func aCycleBehindAValueComesBack() throws {
    let vertices = mesh(3)
    defer { for vertex in vertices { vertex.connect(to: []) } }
    let copy = try roundTrip(["two": vertices[2], "one": vertices[1]])
    let copies = try #require(copy["one"]).array
    defer { for vertex in copies { vertex.connect(to: []) } }
    #expect(copies[1] === copy["one"] && copies[2] === copy["two"])
    for vertex in copies { #expect(vertex.differences(from: copies).isEmpty) }
  }

  @Test func aValueDefersWhatABoxOfItsOwnHolds() throws {
    let owner = BoxOwner()
    owner.boxed.box.owner = owner
    defer { owner.boxed.box.owner = nil }
    let copy = try roundTrip(owner)
    defer { copy.boxed.box.owner = nil }
    #expect(copy.boxed.box.owner === copy)
    #expect(copy.boxed.text == "boxed")
  }

  /// The back link is a constant, so the other side waits.
  @Test func unownedConstantsComeBackWhereTheOtherSideDefers() throws {
    let parent = PatientParent()
    parent.children = (0..<5).map { UnownedChild(parent, $0) }
    let copy = try roundTrip(parent)
    #expect(copy.children.map(\.number) == Array(0..<5))
    #expect(copy.children.allSatisfy { $0.parent === copy })
    // A child is met first: it asks for its parent, which defers it.
    let pair = try roundTrip(Both(parent.children[3], parent))
    #expect(pair.second.children[3] === pair.first)
    #expect(pair.second.children.allSatisfy { $0.parent === pair.second })
  }

  @Test func unownedVariablesAreDeferred() throws {
    let parent = HastyParent((0..<5).map(WaitingChild.init))
    let copy = try roundTrip(parent)
    #expect(copy.children.map(\.number) == Array(0..<5))
    #expect(copy.children.allSatisfy { $0.parent === copy && $0.maybeParent === copy })
    let child = try roundTrip(parent.children[2])
    #expect(child.maybeParent == nil, "the parent is not in the archive")
    let pair = try roundTrip(Both(parent.children[2], parent))
    #expect(pair.first.parent === pair.second)
  }
}

// MARK: - Models

/// Has a deferred field for every form that a reference can stand in.
final class Vertex: GCodable, Hashable {
  let number: Int
  private(set) var array: [Vertex] = []
  private var single: Vertex?
  private var twice: Vertex??
  private var nested: [[Vertex?]] = []
  private var contiguous: ContiguousArray<Vertex> = []
  private var named: [String: Vertex] = [:]
  private var numbered: [Vertex: Int] = [:]
  private var set: Set<Vertex> = []
  private var edge: Edge?
  private var pairs: [Both<Vertex, Int>] = []
  private var either: Either<String, Vertex> = .left("")
  private var result: Result<Vertex, Refusal> = .failure(Refusal())
  private var identified: [Named<Vertex>] = []
  private var generic: Generic<[Vertex]>?
  private weak var back: Vertex?

  init(_ number: Int) { self.number = number }

  /// Sets every field; no vertices cut all connections.
  func connect(to vertices: [Vertex]) {
    let next = vertices.isEmpty ? nil : vertices[(number + 1) % vertices.count]
    (array, single, twice) = (vertices, next, .some(next))
    (nested, contiguous) = ([[nil], vertices, []], ContiguousArray(vertices))
    named = Dictionary(uniqueKeysWithValues: vertices.map { ("\($0.number)", $0) })
    numbered = Dictionary(uniqueKeysWithValues: vertices.map { ($0, $0.number) })
    (set, edge, back) = (Set(vertices), next.map { Edge(to: $0) }, next)
    pairs = vertices.map { Both($0, $0.number) }
    either = next.map { .right($0) } ?? .left("")
    result = next.map { .success($0) } ?? .failure(Refusal())
    identified = vertices.flatMap { [Named("\($0.number)", $0), Named("\($0.number)", $0)] }
    generic = Generic(vertices)
  }

  /// Fields that are not as `connect` has made them.
  func differences(from vertices: [Vertex]) -> [String] {
    let next = vertices[(number + 1) % vertices.count]
    func same(_ other: some Sequence<Vertex>) -> Bool { other.elementsEqual(vertices, by: ===) }
    let ordered = set.sorted { $0.number < $1.number }
    let keys = numbered.sorted { $0.value < $1.value }.map(\.key)
    let checks: [(String, Bool)] = [
      ("array", same(array)), ("single", single === next), ("twice", (twice ?? nil) === next),
      ("nested", nested.count == 3 && nested[0] == [nil] && same(nested[1].compactMap { $0 })),
      ("contiguous", same(contiguous)), ("named", same(vertices.compactMap { named["\($0.number)"] })),
      ("numbered", same(keys) && vertices.allSatisfy { numbered[$0] == $0.number }),
      ("set", same(ordered) && vertices.allSatisfy(set.contains)), ("edge", edge?.to === next),
      ("pairs", same(pairs.map(\.first)) && pairs.allSatisfy { $0.first.number == $0.second }),
      ("either", either.right === next), ("result", (try? result.get()) === next),
      ("identified", same(stride(from: 0, to: identified.count, by: 2).map { identified[$0].value })),
      ("copies", identified.allSatisfy { "\($0.value.number)" == $0.gcodableID }),
      ("generic", same(generic?.value ?? [])), ("back", back === next),
    ]
    return checks.filter { !$0.1 }.map(\.0)
  }

  private enum Key: String {
    case number, array, single, twice, nested, contiguous, named, numbered, set, edge, pairs, either, result
    case identified, generic, back
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Key.number)
    try encoder.encode(array, for: Key.array)
    try encoder.encode(single, for: Key.single)
    try encoder.encode(twice, for: Key.twice)
    try encoder.encode(nested, for: Key.nested)
    try encoder.encode(contiguous, for: Key.contiguous)
    try encoder.encode(named, for: Key.named)
    try encoder.encode(numbered, for: Key.numbered)
    try encoder.encode(set, for: Key.set)
    try encoder.encode(edge, for: Key.edge)
    try encoder.encode(pairs, for: Key.pairs)
    try encoder.encode(either, for: Key.either)
    try encoder.encode(result, for: Key.result)
    try encoder.encode(identified, for: Key.identified)
    try encoder.encode(generic, for: Key.generic)
    try encoder.encodeConditional(back, for: Key.back)
  }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.number)
    // In another order than encoded.
    try decoder.deferDecode(for: Key.back) { self.back = $0 }
    try decoder.deferDecode(for: Key.numbered) { self.numbered = $0 }
    try decoder.deferDecode(for: Key.set) { self.set = $0 }
    try decoder.deferDecode(for: Key.generic) { self.generic = $0 }
    try decoder.deferDecode(for: Key.array) { self.array = $0 }
    try decoder.deferDecode(for: Key.single) { self.single = $0 }
    try decoder.deferDecode(for: Key.twice) { self.twice = $0 }
    try decoder.deferDecode(for: Key.nested) { self.nested = $0 }
    try decoder.deferDecode(for: Key.contiguous) { self.contiguous = $0 }
    try decoder.deferDecode(for: Key.named) { self.named = $0 }
    try decoder.deferDecode(for: Key.edge) { self.edge = $0 }
    try decoder.deferDecode(for: Key.pairs) { self.pairs = $0 }
    try decoder.deferDecode(for: Key.either) { self.either = $0 }
    try decoder.deferDecode(for: Key.result) { self.result = $0 }
    try decoder.deferDecode(for: Key.identified) { self.identified = $0 }
  }

  static func == (lhs: Vertex, rhs: Vertex) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A value around a reference.
private struct Edge: GCodable {
  let to: Vertex
  init(to: Vertex) { self.to = to }
  init(from decoder: GDecoder) throws { to = try decoder.decode(for: Letter.t) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(to, for: Letter.t) }
}

enum Either<Left: GCodable, Right: GCodable>: GCodable {
  case left(Left)
  case right(Right)

  var right: Right? { if case .right(let value) = self { value } else { nil } }

  init(from decoder: GDecoder) throws {
    self =
      try decoder.contains(Letter.l)
      ? .left(decoder.decode(for: Letter.l)) : .right(decoder.decode(for: Letter.r))
  }
  func encode(to encoder: GEncoder) throws {
    switch self {
    case .left(let value): try encoder.encode(value, for: Letter.l)
    case .right(let value): try encoder.encode(value, for: Letter.r)
    }
  }
}

struct Refusal: Error, GCodable {
  init() {}
  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

/// A value with an identity.
struct Named<Value: GCodable>: GCodable, GIdentifiable {
  let gcodableID: String?
  let value: Value
  init(_ name: String, _ value: Value) { (gcodableID, self.value) = (name, value) }
  init(from decoder: GDecoder) throws {
    (gcodableID, value) = (try decoder.decode(for: Letter.n), try decoder.decode(for: Letter.v))
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(gcodableID, for: Letter.n)
    try encoder.encode(value, for: Letter.v)
  }
}
