import CyclicCoding
import Foundation
import GraphCodable
import Testing

/// Archives and flattened containers with sets and dictionaries whose elements are hashed through cycle breakers.
@Suite("Hashes through cycle breakers")
struct HashedBreakerTests {
  static let ways: [Way] = [.archive, .canonicalArchive, .archiveFile, .flattened, .flattenedJSON]

  /// Its items are hashed by its number.
  final class Owner: Codable {
    var items: Set<Item> = []
    var names: [Item: String] = [:]
    var number = 1
    init(_ number: Int = 1) { self.number = number }
  }

  final class Item: Codable, Hashable {
    var owner: UnownedCycleBreaker<Owner>
    let id: Int
    init(_ owner: Owner, _ id: Int) { (self.owner, self.id) = (UnownedCycleBreaker(owner), id) }
    static func == (one: Item, other: Item) -> Bool {
      one.owner[].number == other.owner[].number && one.id == other.id
    }
    func hash(into hasher: inout Hasher) {
      hasher.combine(owner[].number)
      hasher.combine(id)
    }
  }

  @Test(arguments: ways)
  func valuesOfAnObjectThatIsBeingDecodedCanBeHashed(way: Way) throws {
    let owner = Owner(7)
    owner.items = [Item(owner, 1), Item(owner, 2)]
    owner.names = [Item(owner, 3): "a", Item(owner, 4): "b"]
    let copy = try way.copy(owner)
    #expect(copy.items.count == 2 && copy.items.contains(Item(copy, 2)))
    #expect(copy.names[Item(copy, 3)] == "a" && copy.names[Item(copy, 4)] == "b")
    #expect(copy.items.allSatisfy { $0.owner[] === copy })
  }

  @Test(arguments: ways)
  func manyOwnersAreToldApart(way: Way) throws {
    let owners = (0..<300).map(Owner.init)
    for owner in owners { owner.items = [Item(owner, 1), Item(owner, 2), Item(owners[0], 3)] }
    let copies = try way.copy(owners)
    for copy in copies {
      #expect(copy.items.count == 3 && copy.items.contains(Item(copy, 2)))
      #expect(copy.items.contains(Item(copies[0], 3)))
    }
  }

  /// Hashed by the identity of the object that it belongs to.
  final class Folder: Codable {
    var files: Set<File> = []
    var names: [File: Int] = [:]
    init() {}
  }

  final class File: Codable, Hashable {
    var folder: UnownedCycleBreaker<Folder>
    init(_ folder: Folder) { self.folder = UnownedCycleBreaker(folder) }
    static func == (one: File, other: File) -> Bool { one.folder[] === other.folder[] }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(folder[])) }
  }

  @Test(arguments: ways)
  func identityOfAnObjectThatIsBeingDecodedIsRefused(way: Way) throws {
    for isSet in [true, false] {
      let folder = Folder()
      if isSet { folder.files = [File(folder)] } else { folder.names = [File(folder): 1] }
      let error = try #require(#expect(throws: (any Error).self) { try way.copy(folder) })
      let text = "\(error)"
      #expect(text.contains(isSet ? "Set<" : "Dictionary<") && text.contains("File"))
      #expect(text.contains("array") && text.contains("breaker"))
    }
  }

  /// Two that are equal as long as their owners are unknown.
  struct Part: Codable, Hashable {
    var owner: WeakCycleBreaker<Owner>
    static func == (one: Part, other: Part) -> Bool { one.owner[] === other.owner[] }
    func hash(into hasher: inout Hasher) { hasher.combine(owner[].map { ObjectIdentifier($0) }) }
  }

  struct Model: Codable {
    var owners: [Owner]
    var parts: Set<Part>
  }

  @Test(arguments: ways)
  func setIsWholeWhereItsOwnersComeFirst(way: Way) throws {
    let owners = [Owner(1), Owner(2)]
    let parts: Set<Part> = Set(owners.map { Part(owner: WeakCycleBreaker($0)) })
    let copy = try way.copy(Model(owners: owners, parts: parts))
    #expect(copy.parts.count == 2)
    #expect(copy.owners.allSatisfy { copy.parts.contains(Part(owner: WeakCycleBreaker($0))) })
  }

  struct Backwards: Codable {
    var parts: Set<Part>
    var owners: [Owner]
  }

  @Test(arguments: ways)
  func setIsWholeWhereItsOwnersComeLast(way: Way) throws {
    let owners = [Owner(1), Owner(2)]
    let parts: Set<Part> = Set(owners.map { Part(owner: WeakCycleBreaker($0)) })
    let copy = try way.copy(Backwards(parts: parts, owners: owners))
    #expect(copy.parts.count == 2)
    #expect(copy.owners.allSatisfy { copy.parts.contains(Part(owner: WeakCycleBreaker($0))) })
  }

  final class Group: Codable {
    var members: Set<Member> = []
    init() {}
  }

  final class Member: Codable, Hashable {
    var group: UnownedCycleBreaker<Group>
    init(_ group: Group) { self.group = UnownedCycleBreaker(group) }
    static func == (one: Member, other: Member) -> Bool {
      one.group[].members.count == other.group[].members.count
    }
    func hash(into hasher: inout Hasher) { hasher.combine(group[].members.count) }
  }

  /// The hash depends on the set itself, which no decoder can know in advance.
  @Test(arguments: ways)
  func hashThatDependsOnTheSetIsRefused(way: Way) throws {
    let group = Group()
    let member = Member(group)
    group.members = [member]
    #expect(throws: (any Error).self) { try way.copy(group) }
  }
}
