import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Cycles")
struct CycleTests {
  @Test func weakParentsComeBack() throws {
    let root = TreeNode("root", [TreeNode("a", [TreeNode("a1")]), TreeNode("b")])
    let copy = try roundTrip(root)
    #expect(copy.parent == nil)
    #expect(copy.children.map(\.name) == ["a", "b"])
    #expect(copy.children.allSatisfy { $0.parent === copy })
    #expect(copy.children[0].children[0].parent?.parent === copy)
  }

  @Test func aParentOutsideOfTheArchiveIsNil() throws {
    let root = TreeNode("root", [TreeNode("a", [TreeNode("a1")])])
    let copy = try roundTrip(root.children[0])
    #expect(copy.parent == nil)
    #expect(copy.children[0].parent === copy)
  }

  @Test func selfReferencesAndRingsComeBack() throws {
    let ring = Ring()
    ring.next = ring
    let copy = try roundTrip(ring)
    #expect(copy.next === copy)
    let members = (0..<1000).map { _ in Ring() }
    for (index, member) in members.enumerated() { member.next = members[(index + 1) % members.count] }
    let start = try roundTrip(members[0])
    var count = 0
    var member = start
    repeat {
      count += 1
      member = try #require(member.next)
    } while member !== start && count < 2000
    #expect(count == 1000)
    for ring in [ring, copy] { ring.next = nil }
    for member in members { member.next = nil }
    var next: Ring? = start
    while let member = next { (next, member.next) = (member.next, nil) }
  }

  @Test func arraysAndDictionariesAndUnkeyedValuesAreDeferred() throws {
    let a = Knot("a")
    let b = Knot("b")
    a.connect(list: [a, b, a], named: ["b": b, "a": a], last: b)
    b.connect(list: [a], named: [:], last: nil)
    defer { for knot in [a, b] { knot.disconnect() } }
    let copy = try roundTrip([a, b])
    defer { for knot in copy { knot.disconnect() } }
    #expect(copy[0].list.map(\.name) == ["a", "b", "a"])
    #expect(copy[0].list[0] === copy[0] && copy[0].list[1] === copy[1])
    #expect(copy[0].named["a"] === copy[0] && copy[0].named["b"] === copy[1])
    #expect(copy[0].last === copy[1] && copy[1].last == nil)
    #expect(copy[1].list[0] === copy[0])
  }

  @Test func whatIsDeferredRunsInTheOrderOfTheCallsAfterAllObjectsStand() throws {
    let log = Log()
    let bytes = try script {
      try $0.encode("a", for: Letter.a)
      try $0.encode("b", for: Letter.b)
      try $0.encode("u1")
      try $0.encode("u2")
      try $0.encode(TreeNode("n"), for: Letter.c)
    }
    try Reading.decode(bytes) { decoder in
      try decoder.deferDecode(for: Letter.b) { log.lines.append($0) }
      try decoder.deferDecode { log.lines.append($0) }
      try decoder.deferDecode(for: Letter.a) { log.lines.append($0) }
      try decoder.deferDecode { log.lines.append($0) }
      #expect(decoder.unkeyedCount == 0)
      try #expect(!decoder.contains(Letter.a))
      _ = try decoder.decode(TreeNode.self, for: Letter.c)
      log.lines.append("end of init")
    }
    #expect(log.lines == ["end of init", "b", "u1", "a", "u2"])
  }

  @Test func deferringWhatIsNotThereThrows() throws {
    let bytes = try script { try $0.encode(1, for: Letter.a) }
    try Reading.decode(bytes) { decoder in
      let keyed = #expect(throws: GCodableError.self) {
        try decoder.deferDecode(Int.self, for: Letter.b) { _ in }
      }
      #expect(keyed?.code == .keyNotFound)
      let unkeyed = #expect(throws: GCodableError.self) { try decoder.deferDecode(Int.self) { _ in } }
      #expect(unkeyed?.code == .valueNotFound)
    }
  }

  @Test func anErrorInADeferredValueNamesItsKey() throws {
    let bytes = try script { try $0.encode([[1], [2, 3]], for: Letter.p) }
    let error = #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) { try $0.deferDecode([[String]].self, for: Letter.p) { _ in } }
    }
    #expect(error?.code == .typeMismatch)
    #expect(error?.keyPathDescription.hasPrefix("p") == true)
    struct Own: Error {}
    #expect(throws: Own.self) {
      try Reading.decode(bytes) { try $0.deferDecode([[Int]].self, for: Letter.p) { _ in throw Own() } }
    }
  }

  @Test func aCycleOfPlainDecodesThrowsAndIsDescribed() throws {
    let a = Impatient("a")
    let b = Impatient("b")
    (a.next, b.next) = (b, a)
    defer { a.next = nil }
    let error = #expect(throws: GCodableError.self) { _ = try roundTrip(a) }
    #expect(error?.code == .cycle)
    #expect(
      error?.description.contains("Impatient.next → Impatient.next → Impatient") == true,
      "\(error?.description ?? "")")
    #expect(error?.description.contains("deferDecode") == true)

    let itself = Impatient("self")
    itself.next = itself
    defer { itself.next = nil }
    let short = #expect(throws: GCodableError.self) { _ = try roundTrip([itself]) }
    #expect(short?.code == .cycle)
    #expect(short?.description.contains("Impatient.next → Impatient") == true, "\(short?.description ?? "")")
  }

  @Test func aLongCycleOfPlainDecodesThrowsOnAnyStack() throws {
    let members = (0..<20_000).map { Impatient("\($0)") }
    for (index, member) in members.enumerated() { member.next = members[(index + 1) % members.count] }
    defer { for member in members { member.next = nil } }
    let error = #expect(throws: GCodableError.self) { _ = try roundTrip(members[0]) }
    #expect(error?.code == .cycle)
  }
}

final class Log { var lines: [String] = [] }

final class TreeNode: GCodable {
  let name: String
  let children: [TreeNode]
  weak var parent: TreeNode?

  init(_ name: String, _ children: [TreeNode] = []) {
    (self.name, self.children) = (name, children)
    for child in children { child.parent = self }
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Letter.n)
    children = try decoder.decode(for: Letter.c)
    try decoder.deferDecode(for: Letter.p) { self.parent = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encodeConditional(parent, for: Letter.p)
    try encoder.encode(name, for: Letter.n)
    try encoder.encode(children, for: Letter.c)
  }
}

final class Knot: GCodable {
  let name: String
  private(set) var list: [Knot] = []
  private(set) var named: [String: Knot] = [:]
  private(set) var last: Knot?

  init(_ name: String) { self.name = name }

  func connect(list: [Knot], named: [String: Knot], last: Knot?) {
    (self.list, self.named, self.last) = (list, named, last)
  }

  func disconnect() { connect(list: [], named: [:], last: nil) }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Letter.n)
    try decoder.deferDecode { self.last = $0 }
    try decoder.deferDecode(for: Letter.l) { self.list = $0 }
    try decoder.deferDecode(for: Letter.d) { self.named = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(list, for: Letter.l)
    try encoder.encode(name, for: Letter.n)
    try encoder.encode(named, for: Letter.d)
    try encoder.encode(last)
  }
}

/// Decodes its neighbour at once, which a cycle does not allow.
final class Impatient: GCodable {
  let name: String
  var next: Impatient?
  private enum Key: String { case name, next }
  init(_ name: String) { self.name = name }
  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    next = try decoder.decode(for: Key.next)
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(next, for: Key.next)
  }
}
