import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// Sets and dictionaries whose elements or keys are hashed or compared through breakers come back whole, or are refused.
@Suite("CyclicCoding: hashes through breakers")
struct HashedBreakerTests {
  final class Owner: Codable {
    var number: Int
    init(_ number: Int = 1) { self.number = number }
  }

  /// Hashed by the identity of its owner.
  final class Item: Codable, Hashable {
    var owner = WeakCycleBreaker<Owner>()
    init(_ owner: Owner) { self.owner[] = owner }
    static func == (one: Item, other: Item) -> Bool { one.owner[] === other.owner[] }
    func hash(into hasher: inout Hasher) { hasher.combine(owner[].map { ObjectIdentifier($0) }) }
  }

  struct Model: Codable {
    var owners: [Owner]
    var items: Set<Item>
  }

  @Test(arguments: allWays)
  func setIsWholeWhereItsOwnersComeFirst(coder: AnyCoder?) throws {
    let owners = (0..<5).map(Owner.init)
    let copy = try copy(Model(owners: owners, items: Set(owners.map(Item.init))), through: coder)
    #expect(copy.items.count == 5)
    #expect(copy.owners.allSatisfy { copy.items.contains(Item($0)) })
  }

  struct Backwards: Codable {
    var items: Set<Item>
    var owners: [Owner]
  }

  @Test(arguments: allWays)
  func setIsWholeWhereItsOwnersComeLast(coder: AnyCoder?) throws {
    let owners = (0..<5).map(Owner.init)
    let copy = try copy(Backwards(items: Set(owners.map(Item.init)), owners: owners), through: coder)
    #expect(copy.items.count == 5)
    #expect(copy.owners.allSatisfy { copy.items.contains(Item($0)) })
  }

  struct Keyed: Codable {
    var names: [Item: String]
    var owners: [Owner]
  }

  @Test(arguments: allWays)
  func dictionaryIsWhole(coder: AnyCoder?) throws {
    let owners = (0..<5).map(Owner.init)
    let names = Dictionary(uniqueKeysWithValues: owners.map { (Item($0), "\($0.number)") })
    let copy = try copy(Keyed(names: names, owners: owners), through: coder)
    #expect(copy.names.count == 5)
    #expect(copy.owners.allSatisfy { copy.names[Item($0)] == "\($0.number)" })
  }

  struct Part: Codable, Hashable {
    var owner: UnownedCycleBreaker<Owner>
    static func == (one: Part, other: Part) -> Bool { one.owner[].number == other.owner[].number }
    func hash(into hasher: inout Hasher) { hasher.combine(owner[].number) }
  }

  struct Nested: Codable {
    var groups: [String: Set<Set<Part>>]
    var choice: Choice
    var owners: [Owner]

    enum Choice: Codable {
      case none
      case some(Set<Part>?)
    }
  }

  @Test(arguments: allWays)
  func setsInsideSetsAndEnumsAreWhole(coder: AnyCoder?) throws {
    let owners = (0..<4).map(Owner.init)
    let parts = owners.map { Part(owner: UnownedCycleBreaker($0)) }
    let model = Nested(
      groups: ["a": [[parts[0], parts[1]], [parts[2]]]], choice: .some([parts[3], parts[0]]), owners: owners)
    let copy = try copy(model, through: coder)
    #expect(copy.groups["a"]?.count == 2 && copy.groups["a"]?.contains([parts[0], parts[1]]) == true)
    guard case .some(let set?) = copy.choice else {
      Issue.record("the case is lost")
      return
    }
    #expect(set == [parts[3], parts[0]])
    withExtendedLifetime(copy.owners) {}
  }

  // MARK: Objects that are being decoded

  /// Its items are hashed by its number.
  final class Shelf: Codable {
    var boxes: Set<Box> = []
    var number = 7
    init() {}
  }

  final class Box: Codable, Hashable {
    var shelf: UnownedCycleBreaker<Shelf>
    let id: Int
    init(_ shelf: Shelf, _ id: Int) { (self.shelf, self.id) = (UnownedCycleBreaker(shelf), id) }
    static func == (one: Box, other: Box) -> Bool {
      one.id == other.id && one.shelf[].number == other.shelf[].number
    }
    func hash(into hasher: inout Hasher) { hasher.combine([id, shelf[].number]) }
  }

  @Test(arguments: allWays)
  func valuesOfAnObjectThatIsBeingDecodedCanBeHashed(coder: AnyCoder?) throws {
    let shelf = Shelf()
    shelf.boxes = [Box(shelf, 1), Box(shelf, 2), Box(shelf, 3)]
    let copy = try copy(shelf, through: coder)
    #expect(copy.boxes.count == 3 && copy.boxes.allSatisfy { $0.shelf[] === copy })
    #expect((1...3).allSatisfy { copy.boxes.contains(Box(copy, $0)) })
  }

  /// Hashed by the identity of the object that it belongs to.
  final class Folder: Codable {
    var files: Set<File> = []
    var names: [File: String] = [:]
    init() {}
  }

  final class File: Codable, Hashable {
    var folder: UnownedCycleBreaker<Folder>
    var id: Int
    init(_ folder: Folder, _ id: Int) { (self.folder, self.id) = (UnownedCycleBreaker(folder), id) }
    static func == (one: File, other: File) -> Bool { one.folder[] === other.folder[] && one.id == other.id }
    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(folder[]))
      hasher.combine(id)
    }
  }

  @Test(arguments: allWays)
  func identityOfAnObjectThatIsBeingDecodedIsRefused(coder: AnyCoder?) throws {
    let folder = Folder()
    folder.files = [File(folder, 1), File(folder, 2)]
    try expectRefusal(of: folder, through: coder, at: ["files"], naming: "Set<File>")
    folder.files = []
    folder.names = [File(folder, 1): "a"]
    try expectRefusal(of: folder, through: coder, at: ["names"], naming: "Dictionary<File, String>")
  }

  private func expectRefusal<Value: Codable>(
    of value: Value, through coder: AnyCoder?, at path: [String], naming type: String
  ) throws {
    let error = try #require(#expect(throws: DecodingError.self) { try copy(value, through: coder) })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == path)
    #expect(context.debugDescription.contains(type) && context.debugDescription.contains("encode an array"))
  }

  /// Equal as long as its parent is unknown, with a hash that does not tell.
  final class Child: Codable, Hashable {
    var parent = WeakCycleBreaker<Parent>()
    init(_ parent: Parent) { self.parent[] = parent }
    static func == (one: Child, other: Child) -> Bool { one.parent[] === other.parent[] }
    func hash(into hasher: inout Hasher) {}
  }

  final class Parent: Codable {
    var children: Set<Child> = []
    init() {}
  }

  struct Parents: Codable {
    var all: [Parent]
  }

  @Test(arguments: allWays)
  func elementsThatAreEqualOnlyForATimeAreRefused(coder: AnyCoder?) throws {
    let parents = [Parent(), Parent()]
    parents[0].children = [Child(parents[0]), Child(parents[1])]
    // The second parent can be decoded early, so this one is whole.
    #expect(try copy(Parents(all: parents), through: coder).all[0].children.count == 2)
    parents[1].children = [Child(parents[0])]
    let copies = try copy(Parents(all: parents), through: coder)
    #expect(copies.all.map(\.children.count) == [2, 1])
    // Each leads to the other.
    final class Ring: Codable {
      var next: Ring?
      var children: Set<RingChild> = []
      init() {}
    }
    final class RingChild: Codable, Hashable {
      var ring = WeakCycleBreaker<Ring>()
      init(_ ring: Ring) { self.ring[] = ring }
      static func == (one: RingChild, other: RingChild) -> Bool { one.ring[] === other.ring[] }
      func hash(into hasher: inout Hasher) {}
    }
    let ring = Ring()
    let inner = Ring()
    ring.next = inner
    inner.children = [RingChild(ring), RingChild(Ring())]
    let children = inner.children
    inner.children = [RingChild(ring), RingChild(inner)]
    try expectRefusal(of: ring, through: coder, at: ["next", "children"], naming: "Set<RingChild>")
    withExtendedLifetime(children) {}
  }

  // MARK: What goes on as before

  /// Hashed by its number, whatever its parent is.
  final class Node: Codable, Hashable {
    var id: Int
    var parent: UnownedCycleBreaker<Node>?
    var children: Set<Node> = []
    init(_ id: Int, _ children: Set<Node> = []) {
      (self.id, self.children) = (id, children)
      for child in children { child.parent = UnownedCycleBreaker(self) }
    }
    static func == (one: Node, other: Node) -> Bool { one.id == other.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  @Test(arguments: allWays)
  func elementsWithANumberMayHaveParents(coder: AnyCoder?) throws {
    let tree = Node(0, [Node(1, [Node(2), Node(3)]), Node(4)])
    let copy = try copy(tree, through: coder)
    #expect(copy.children.map(\.id).sorted() == [1, 4])
    let inner = try #require(copy.children.first { $0.id == 1 })
    #expect(inner.parent?[] === copy && inner.children.map(\.id).sorted() == [2, 3])
  }

  @Test func repeatedElementsOfAnArrayMayBecomeASet() throws {
    struct Array: Encodable {
      var owners: [Owner]
      var items: [Item]
    }
    let owner = Owner()
    let copy = try copy(
      Array(owners: [owner], items: [Item(owner), Item(owner)]), as: Model.self, through: nil)
    #expect(copy.items.count == 1)
  }

  @Test func keysWithoutValuesAreRefused() throws {
    let flattened = try CyclicEncoder().flatten([[1], [2], [3]])
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode([[Int]: [Int]].self, from: flattened) }
  }

  /// A container of the user's, which hashes what it has decoded.
  struct OrderedItems: Codable {
    var elements: [Item]
    var set: Set<Item>
    init(_ elements: [Item]) { (self.elements, set) = (elements, Set(elements)) }
    init(from decoder: any Decoder) throws { self.init(try [Item](from: decoder)) }
    func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
  }

  @Test(arguments: allWays)
  func containersOfUsersFindTheOwners(coder: AnyCoder?) throws {
    struct Model: Codable {
      var items: OrderedItems
      var owners: [Owner]
    }
    let owners = (0..<3).map(Owner.init)
    let copy = try copy(Model(items: OrderedItems(owners.map(Item.init)), owners: owners), through: coder)
    #expect(copy.items.set.count == 3 && copy.owners.allSatisfy { copy.items.set.contains(Item($0)) })
  }

  @Test func ownerThatNothingHoldsIsNoReasonToTrap() throws {
    let owners = [Owner(1), Owner(2)]
    let parts: Set<Part> = Set(owners.map { Part(owner: UnownedCycleBreaker($0)) })
    let error = try #require(#expect(throws: DecodingError.self) { try copy(parts, through: nil) })
    guard case .valueNotFound = error else { throw error }
    withExtendedLifetime(owners) {}
  }
}
