import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// Elements and keys that hold their breakers inside other values come back whole.
@Suite("CyclicCoding: breakers inside what is hashed")
struct HashedPlaceTests {
  final class Owner: Codable {
    var number: Int
    init(_ number: Int = 1) { self.number = number }
  }

  /// Hashed by the identity of its owner.
  struct Weak: Codable, Hashable {
    var owner: WeakCycleBreaker<Owner>
    init(_ owner: Owner) { self.owner = WeakCycleBreaker(owner) }
    static func == (one: Weak, other: Weak) -> Bool { one.owner[] === other.owner[] }
    func hash(into hasher: inout Hasher) { hasher.combine(owner[].map { ObjectIdentifier($0) }) }
  }

  /// Hashed and ordered by the number of its owner.
  struct Unowned: Codable, Hashable, Comparable {
    var owner: UnownedCycleBreaker<Owner>
    init(_ owner: Owner) { self.owner = UnownedCycleBreaker(owner) }
    static func == (one: Unowned, other: Unowned) -> Bool { one.owner[].number == other.owner[].number }
    static func < (one: Unowned, other: Unowned) -> Bool { one.owner[].number < other.owner[].number }
    func hash(into hasher: inout Hasher) { hasher.combine(owner[].number) }
  }

  private let owners = (0..<4).map(Owner.init)

  enum Tag: Codable, Hashable {
    case none
    case owned(Weak)
    case pair(Weak, Weak)
  }

  struct Tagged: Codable {
    var tags: Set<Tag>
    var numbers: [Tag: Int]
    var owners: [Owner]
  }

  @Test(arguments: allWays)
  func payloadsOfEnumsAreHashedWhole(coder: AnyCoder?) throws {
    let tags: [Tag] = owners.map { .owned(Weak($0)) } + [.none, .pair(Weak(owners[0]), Weak(owners[1]))]
    let numbers: [Tag: Int] = [tags[0]: 1, tags[1]: 2]
    let copy = try copy(Tagged(tags: Set(tags), numbers: numbers, owners: owners), through: coder)
    #expect(copy.tags.count == 6 && copy.tags.contains(.pair(Weak(copy.owners[0]), Weak(copy.owners[1]))))
    #expect(copy.numbers.count == 2 && copy.numbers[.owned(Weak(copy.owners[1]))] == 2)
  }

  struct Contained: Codable {
    var optionals: Set<Unowned?>
    var arrays: Set<[Unowned]>
    var sets: [[Unowned]: Set<Unowned>]
    var owners: [Owner]
  }

  @Test(arguments: allWays)
  func optionalsAndArraysAreHashedWhole(coder: AnyCoder?) throws {
    let parts = owners.map(Unowned.init)
    let copy = try copy(
      Contained(
        optionals: [nil, parts[0], parts[1]], arrays: [[parts[0]], [parts[1], parts[2]]],
        sets: [[parts[3]]: [parts[0], parts[1]]], owners: owners), through: coder)
    #expect(copy.optionals.count == 3 && copy.arrays.contains([parts[1], parts[2]]))
    #expect(copy.sets[[parts[3]]]?.count == 2)
    withExtendedLifetime(copy) {}
  }

  /// Two sets of classes, each hashed by the other's.
  final class Team: Codable, Hashable {
    var id: Int
    var members: Set<Member> = []
    init(_ id: Int) { self.id = id }
    static func == (one: Team, other: Team) -> Bool { one.id == other.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  final class Member: Codable, Hashable {
    var team: UnownedCycleBreaker<Team>
    var id: Int
    init(_ team: Team, _ id: Int) { (self.team, self.id) = (UnownedCycleBreaker(team), id) }
    static func == (one: Member, other: Member) -> Bool {
      one.team[] == other.team[] && one.id == other.id
    }
    func hash(into hasher: inout Hasher) {
      hasher.combine(team[])
      hasher.combine(id)
    }
  }

  @Test(arguments: allWays)
  func setsThatLeadToEachOtherAreWhole(coder: AnyCoder?) throws {
    let teams = [Team(1), Team(2)]
    teams[0].members = [Member(teams[0], 1), Member(teams[0], 2)]
    teams[1].members = [Member(teams[0], 3), Member(teams[1], 3)]
    let copies = try copy(Set(teams), through: coder)
    #expect(copies.map(\.members.count) == [2, 2])
    for team in copies where team.id == 2 { #expect(team.members.contains(Member(team, 3))) }
  }

  /// Sorted whenever it is made.
  struct Sorted: Codable {
    var parts: [Unowned]
    init(_ parts: [Unowned]) { self.parts = parts.sorted() }
    init(from decoder: any Decoder) throws { self.init(try [Unowned](from: decoder)) }
    func encode(to encoder: any Encoder) throws { try parts.encode(to: encoder) }
  }

  @Test(arguments: allWays)
  func containersOfUsersCompareThroughBreakers(coder: AnyCoder?) throws {
    struct Model: Codable {
      var sorted: Sorted
      var owners: [Owner]
    }
    let owners = [Owner(3), Owner(1), Owner(2)]
    let copy = try copy(Model(sorted: Sorted(owners.map(Unowned.init)), owners: owners), through: coder)
    #expect(withExtendedLifetime(copy.owners) { copy.sorted.parts.map { $0.owner[].number } } == [1, 2, 3])
  }
}
