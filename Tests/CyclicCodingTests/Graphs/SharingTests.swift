import CodableTestSupport
import CyclicCoding
import Testing

/// An object that is referred to several times stays one, and is encoded once.
@Suite("CyclicCoding: sharing")
struct SharingTests {
  final class Person: Codable {
    var name: String
    var friends: [Person] = []

    init(_ name: String) { self.name = name }
  }

  struct Places: Codable {
    var direct: Person
    var optional: Person?
    var nothing: Person?
    var list: [Person]
    var table: [String: Person]
    var numbered: [Int: [Person?]]
    var pair: Pair<Person, Person>
    var choice: Choice
  }

  struct Pair<First: Codable, Second: Codable>: Codable {
    var first: First
    var second: Second
  }

  enum Choice: Codable {
    case one(Person)
    case named(left: Person, right: Person?)
  }

  @Test(arguments: allWays)
  func referencesFromEverywhereLeadToOneObject(coder: AnyCoder?) throws {
    let (ada, bob) = (Person("Ada"), Person("Bob"))
    bob.friends = [ada]
    let places = Places(
      direct: ada, optional: ada, nothing: nil, list: [ada, bob, ada], table: ["a": ada, "b": bob],
      numbered: [-1: [ada, nil], 2: []], pair: Pair(first: bob, second: ada),
      choice: .named(left: ada, right: bob))
    let copies = try copy(places, through: coder)
    let (newAda, newBob) = (copies.direct, copies.list[1])
    #expect(newAda.name == "Ada" && newBob.name == "Bob")
    #expect(copies.optional === newAda && copies.nothing == nil)
    #expect(copies.list[0] === newAda && copies.list[2] === newAda)
    #expect(copies.table["a"] === newAda && copies.table["b"] === newBob && copies.table.count == 2)
    #expect(copies.numbered[-1]?[0] === newAda && copies.numbered[-1]?[1] == nil)
    #expect(copies.numbered[2]?.isEmpty == true)
    #expect(copies.pair.first === newBob && copies.pair.second === newAda)
    guard case .named(let left, let right) = copies.choice else {
      Issue.record("another case")
      return
    }
    #expect(left === newAda && right === newBob)
    #expect(newBob.friends[0] === newAda)
  }

  /// 40 diamonds in a row, along which 2^40 ways lead.
  @Test(arguments: allWays)
  func graphWithVeryManyWaysIsNoCycle(coder: AnyCoder?) throws {
    var top = Person("bottom")
    for level in 0..<40 {
      let next = Person("\(level)")
      next.friends = [top, top]
      top = next
    }
    var person = try copy(top, through: coder)
    for level in (0..<40).reversed() {
      #expect(person.name == "\(level)" && person.friends[0] === person.friends[1])
      person = person.friends[0]
    }
    #expect(person.name == "bottom")
  }

  /// A class that encodes what it holds in its own place.
  final class Ref<Value: Codable>: Codable {
    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  @Test(arguments: allWays)
  func anObjectIsNotTheOneThatItEncodesInItsPlace(coder: AnyCoder?) throws {
    struct Team: Codable {
      var boss: Ref<Person>
      var person: Person
      var others: [Ref<Person>]
      var far: Ref<Ref<Ref<Int>>>
    }
    let person = Person("Ada")
    let other = Ref(person)
    let team = Team(
      boss: Ref(person), person: person, others: [other, Ref(person), other, Ref(Person("Bob"))],
      far: Ref(Ref(Ref(7))))
    let copy = try copy(team, through: coder)
    #expect(copy.boss.value === copy.person && copy.others.prefix(3).allSatisfy { $0.value === copy.person })
    #expect(copy.others[0] === copy.others[2] && copy.others[0] !== copy.others[1])
    #expect(copy.boss !== copy.others[0] && copy.others[3].value.name == "Bob")
    #expect(copy.far.value.value.value == 7)
  }

  /// Random graphs whose objects refer to earlier ones only.
  @Test(arguments: 0..<20)
  func randomGraphsWithoutCyclesComeBack(seed: UInt64) throws {
    var random = Random(seed: seed)
    var people: [Person] = []
    for number in 0..<200 {
      let person = Person("\(number)")
      if number > 0 { person.friends = (0..<random.next(5)).map { _ in people[random.next(number)] } }
      people.append(person)
    }
    // The first ones are reached through others, the last through the list.
    let root = people.reversed().filter { _ in random.next(3) > 0 }
    let copies = try copy(root, through: AnyCoder.allCases[Int(seed) % 4])
    #expect(shape(of: copies) == shape(of: root))
  }

  private struct Random {
    var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
  }

  /// Names and references as numbers in the order of a walk: the same for graphs that are the same.
  private func shape(of people: [Person]) -> [String] {
    var numbers: [ObjectIdentifier: Int] = [:]
    var found: [Person] = []
    func number(_ person: Person) -> Int {
      if let number = numbers[ObjectIdentifier(person)] { return number }
      numbers[ObjectIdentifier(person)] = found.count
      found.append(person)
      return found.count - 1
    }
    var lines = ["\(people.map(number))"]
    var index = 0
    while index < found.count {
      lines.append("\(found[index].name) \(found[index].friends.map(number))")
      index += 1
    }
    return lines
  }

  /// Objects that live only while they are encoded are not taken for each other.
  @Test func temporaryObjectsAreNotMixedUp() throws {
    final class Number: Codable {
      let value: Int
      init(_ value: Int) { self.value = value }
    }
    struct Maker: Encodable {
      let count: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in 0..<count { try container.encode(Number(value)) }
      }
    }
    let copies = try copy(Maker(count: 100_000), as: [Number].self, through: nil)
    #expect(copies.map(\.value) == Array(0..<100_000))
  }

  @Test func sameObjectAsAnotherClassIsAnError() throws {
    class Base: Codable {}
    final class Derived: Base {}
    struct Both: Codable {
      var base: Base
      var derived: Derived
    }
    struct Encoded: Encodable {
      var base: Derived
      var derived: Derived
    }
    let object = Derived()
    let flattened = try CyclicEncoder().flatten(Encoded(base: object, derived: object))
    let error = try #require(
      #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Both.self, from: flattened) })
    guard case .typeMismatch(_, let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["derived"])
    #expect(context.debugDescription.contains("decoded as a Base"))
  }

  /// Objects that lead to the next one in two ways: 2 to the power of 200 ways to the last.
  @Test func sharedObjectsAreDecodedAsStructsOnce() throws {
    final class Node: Codable {
      var next: [Node]
      init(_ next: [Node]) { self.next = next }
    }
    struct Copy: Decodable {
      var next: [Copy]
    }
    var top = Node([])
    for _ in 0..<200 { top = Node([top, top]) }
    for coder in allWays {
      var copy = try copy(top, as: Copy.self, through: coder)
      var count = 0
      while let next = copy.next.last {
        #expect(copy.next.count == 2)
        copy = next
        count += 1
      }
      #expect(count == 200)
    }
  }

  @Test func objectsThatLeadBackAreNoStructs() throws {
    final class Node: Codable {
      var back = WeakCycleBreaker<Node>()
    }
    struct Copy: Decodable {
      indirect enum Back: Decodable {
        case copy(Copy)
        init(from decoder: any Decoder) throws { self = .copy(try Copy(from: decoder)) }
      }
      var back: Back
    }
    let node = Node()
    node.back[] = node
    let error = try #require(
      #expect(throws: DecodingError.self) { try copy([node], as: [Copy].self, through: .json) })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.debugDescription.contains("refers to itself"))
  }
}
