import GraphCodableMacros
import Testing

@GCodable final class Member {
  let id: Int
  weak var parent: Member?
  var children: [Member] = []

  init(_ id: Int) { self.id = id }

  func append(_ child: Member) {
    children.append(child)
    child.parent = self
  }
}

/// The same, by hand: what waits comes last.
final class MemberByHand: GCodable {
  let id: Int
  weak var parent: MemberByHand?
  var children: [MemberByHand] = []
  private enum Key: String { case id, parent, children }

  init(_ member: Member) {
    id = member.id
    children = member.children.map(MemberByHand.init)
    for child in children { child.parent = self }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(id, for: Key.id)
    try encoder.encode(children, for: Key.children)
    try encoder.encodeConditional(parent, for: Key.parent)
  }

  init(from decoder: GDecoder) throws {
    id = try decoder.decode(for: Key.id)
    children = try decoder.decode(for: Key.children)
    try decoder.deferDecode(for: Key.parent) { self.parent = $0 }
  }
}

/// What an older program wrote.
final class OldMember: GEncodable {
  enum Key: String { case id }
  func encode(to encoder: GEncoder) throws { try encoder.encode(3, for: Key.id) }
}

@GCodable final class Cell {
  let index: Int
  @GDeferred var neighbours: [Cell] = []
  @GDeferred var twin: Cell?
  @GDeferred var owner: Cell!

  init(_ index: Int) { self.index = index }
}

@GCodable final class Account {
  let id: Int
  unowned var bank: Bank!
  unowned(unsafe) var spare: Bank?
  @GConditional unowned let first: Bank

  init(_ id: Int, first: Bank) {
    self.id = id
    self.first = first
  }
}

@GCodable final class Bank {
  var name: String
  @GDeferred var accounts: [Account] = []
  init(name: String) { self.name = name }
}

@GCodable struct Watcher {
  weak var watched: Leaf?
  var name: String
}

@GCodable final class Album {
  @GConditional var cover: Leaf?
  var leaves: [Leaf]
  init(cover: Leaf?, leaves: [Leaf]) {
    self.cover = cover
    self.leaves = leaves
  }
}

@GCodable class Base {
  weak var delegate: Base?
  var id: Int
  init(_ id: Int) { self.id = id }
}

@GCodable final class Derived: Base {
  @GKey(was: "friend") @GDeferred var other: Base?
  var extra: String

  init(_ id: Int, extra: String) {
    self.extra = extra
    super.init(id)
  }
}

/// Strong and not optional: the compiler warns, and this is how it is said to be right.
@GCodable final class Ring {
  @GDeferred var next: Ring!
  let id: Int
  init(_ id: Int) { self.id = id }
}

@Suite("@GCodable: references")
struct ReferenceShapeTests {
  private func family() -> Member {
    let root = Member(0)
    for id in 1...3 { root.append(Member(id)) }
    root.children[0].append(Member(4))
    return root
  }

  @Test func weakReferencesAreWrittenAsByHand() throws {
    let root = family()
    #expect(try bytes(root) == bytes(MemberByHand(root)))
  }

  @Test func weakReferencesLeadToTheSameObjects() throws {
    let root = try copy(family())
    #expect(root.parent == nil)
    #expect(root.children.allSatisfy { $0.parent === root })
    #expect(root.children[0].children[0].parent === root.children[0])
  }

  @Test func weakReferencesKeepNothingInTheArchive() throws {
    let root = family()
    let child = try copy(root.children[1])
    #expect(child.parent == nil && child.id == 2)
  }

  @Test func weakReferencesMayBeMissing() throws {
    let decoder = GraphDecoder()
    decoder.setClass(Member.self, for: .qualifiedName("GraphCodableMacrosTests.OldMember"))
    let member = try decoder.decode(Member.self, from: GraphEncoder().encode(OldMember()) as [UInt8])
    #expect(member.id == 3 && member.parent == nil && member.children.isEmpty)
  }

  @Test func deferredReferencesCloseCycles() throws {
    let cells = (0..<3).map(Cell.init)
    for cell in cells {
      cell.neighbours = [cells[(cell.index + 1) % 3]]
      cell.twin = cell
      cell.owner = cells[0]
    }
    defer { for cell in cells { (cell.neighbours, cell.twin, cell.owner) = ([], nil, nil) } }
    let copies = try copy(cells)
    defer { for cell in copies { (cell.neighbours, cell.twin, cell.owner) = ([], nil, nil) } }
    #expect(copies.allSatisfy { $0.twin === $0 && $0.owner === copies[0] })
    #expect(copies[2].neighbours[0] === copies[0])
  }

  @Test func ringsRoundTrip() throws {
    let (one, two) = (Ring(1), Ring(2))
    (one.next, two.next) = (two, one)
    let decoded = try copy(one)
    #expect(decoded.next.id == 2 && decoded.next.next === decoded)
    (one.next, decoded.next) = (nil, nil)
  }

  @Test func unownedReferencesWaitWhereTheyCan() throws {
    let bank = Bank(name: "b")
    bank.accounts = (0..<3).map { Account($0, first: bank) }
    for account in bank.accounts { account.bank = bank }
    let decoded = try copy(bank)
    #expect(decoded.accounts.map(\.id) == [0, 1, 2])
    #expect(decoded.accounts.allSatisfy { $0.bank === decoded && $0.first === decoded && $0.spare == nil })
  }

  @Test func weakReferencesOfStructsAreConditional() throws {
    let leaf = Leaf(3)
    #expect(try copy(Watcher(watched: leaf, name: "w")).watched == nil)
  }

  @Test func conditionalReferencesAreThereIfSomethingElseStoresThem() throws {
    let leaf = Leaf(3)
    let kept = try copy(Album(cover: leaf, leaves: [leaf]))
    #expect(kept.cover === kept.leaves[0])
    #expect(try copy(Album(cover: leaf, leaves: [])).cover == nil)
  }

  @Test func subclassesDeferAfterTheirSuperclass() throws {
    let (one, two) = (Derived(1, extra: "a"), Derived(2, extra: "b"))
    (one.delegate, two.delegate, one.other) = (two, one, two)
    let copies = try copy([one, two] as [Base])
    #expect(copies[0].delegate === copies[1] && copies[1].delegate === copies[0])
    #expect((copies[0] as? Derived)?.other === copies[1])
    #expect(try keys(one) == ["extra", "id", "delegate", "other"])
  }
}
