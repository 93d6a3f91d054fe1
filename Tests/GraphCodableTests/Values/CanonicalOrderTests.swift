import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// The same bytes for sets and dictionaries that iterate in different orders.
@Suite("Canonical order")
struct CanonicalOrderTests {
  private enum Shape: Hashable, GCodable {
    case point
    case circle(Double)
    case named(String, Int)

    private enum Key: String { case radius, name, count }

    func encode(to encoder: GEncoder) throws {
      switch self {
      case .point: break
      case .circle(let radius): try encoder.encode(radius, for: Key.radius)
      case .named(let name, let count):
        try encoder.encode(name, for: Key.name)
        try encoder.encode(count, for: Key.count)
      }
    }

    init(from decoder: GDecoder) throws {
      if try decoder.contains(Key.radius) {
        self = .circle(try decoder.decode(for: Key.radius))
      } else if try decoder.contains(Key.name) {
        self = .named(try decoder.decode(for: Key.name), try decoder.decode(for: Key.count))
      } else {
        self = .point
      }
    }

    static let samples: [Shape] =
      [.point] + (0..<20).map { .circle(Double($0)) } + (0..<20).map { .named("n\($0)", $0) }
  }

  /// A node that is hashed by its address, so that sets iterate differently for each allocation.
  final class Node: Hashable, GCodable {
    var number: Int
    var next: Node?
    var friends: Set<Node> = []
    init(_ number: Int, next: Node? = nil) { (self.number, self.next) = (number, next) }
    static func == (one: Node, other: Node) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number)
      try encoder.encode(next)
      try encoder.encode(friends)
    }
    init(from decoder: GDecoder) throws {
      number = try decoder.decode()
      next = try decoder.decode()
      try decoder.deferDecode { self.friends = $0 }
    }
  }

  /// A set of the same elements that iterates in another order.
  private func rearranged<Element>(_ set: Set<Element>) -> Set<Element> {
    var copy: Set<Element> = []
    copy.reserveCapacity(set.count * 8)
    for element in set.reversed() { copy.insert(element) }
    return copy
  }

  private func rearranged<Key, Value>(_ dictionary: [Key: Value]) -> [Key: Value] {
    var copy: [Key: Value] = [:]
    copy.reserveCapacity(dictionary.count * 8)
    for (key, value) in dictionary.reversed() { copy[key] = value }
    return copy
  }

  private func check<Element: GCodable>(_ set: Set<Element>) throws {
    let other = rearranged(set)
    #expect(Array(set) != Array(other), "the test needs another order")
    let bytes = try encoded(set, .canonicalOrder)
    #expect(try encoded(other, .canonicalOrder) == bytes)
    #expect(try decoded(Set<Element>.self, from: bytes) == set)
    #expect(try encoded(set) != encoded(other))
  }

  @Test func setsOfLeavesAreSorted() throws {
    try check(Set((0..<1000).map { "string \($0)" }))
    try check(Set(-500..<500))
    try check(Set((0..<300).map { Double($0) * 0.1 }))
    try check(Set((0..<300).map { _ in UUID() }))
    try check(Set((0..<300).map { Optional($0) } + [nil]))
  }

  @Test func setsOfValuesAreSorted() throws {
    try check(Set(Shape.samples))
    try check(Set((0..<50).map { [$0, $0 + 1] }))
    try check(Set((0..<50).map { [Shape.circle(Double($0)), .point] }))
  }

  @Test func setsInsideSetsAreSorted() throws {
    let sets = (0..<20).map { base in Set((0..<10).map { "\($0 * 7 + base)" }) }
    let one = Set(sets.map { Set($0) })
    let other = Set(sets.map { rearranged($0) })
    #expect(try encoded(one, .canonicalOrder) == encoded(rearranged(other), .canonicalOrder))
  }

  @Test func dictionariesAreSortedByTheirKeys() throws {
    let strings = Dictionary(uniqueKeysWithValues: (0..<500).map { ("key \($0)", $0) })
    #expect(Array(strings.keys) != Array(rearranged(strings).keys))
    #expect(try encoded(strings, .canonicalOrder) == encoded(rearranged(strings), .canonicalOrder))
    #expect(try roundTrip(strings, .canonicalOrder) == strings)

    let shapes = Dictionary(uniqueKeysWithValues: Shape.samples.map { ($0, [$0]) })
    #expect(try encoded(shapes, .canonicalOrder) == encoded(rearranged(shapes), .canonicalOrder))
    #expect(try roundTrip(shapes, .canonicalOrder) == shapes)
  }

  @Test func dataUnitsAreSorted() throws {
    struct Unit: GPackCodable, Hashable {
      var text: String
      func write(to wbuffer: inout BinaryWriteBuffer) throws { text.write(to: &wbuffer) }
      init(from rbuffer: inout BinaryReadBuffer) throws { text = try String(from: &rbuffer) }
      init(_ text: String) { self.text = text }
    }
    try check(Set((0..<100).map { Unit("\($0)") }))
    let units = Dictionary(uniqueKeysWithValues: (0..<100).map { (Unit("\($0)"), $0) })
    #expect(try encoded(units, .canonicalOrder) == encoded(rearranged(units), .canonicalOrder))
  }

  /// A type of the user's whose parts without keys are those of a set.
  @Test func partsOfATypeAreSorted() throws {
    struct Bag: GEncodable {
      var elements: Set<Int>
      var names: [String: Int]
      func encode(to encoder: GEncoder) throws {
        try elements.encode(to: encoder)
        try names.encode(to: encoder)
      }
    }
    let bag = Bag(
      elements: Set(0..<100), names: Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", $0) }))
    let other = Bag(elements: rearranged(bag.elements), names: rearranged(bag.names))
    #expect(try encoded(bag, .canonicalOrder) == encoded(other, .canonicalOrder))
  }

  /// Objects are hashed by their addresses, so each allocation has another order.
  @Test func setsOfObjectsAreSortedByWhatTheyHoldAndLeadTo() throws {
    func make(_ scattered: Int) -> Set<Node> {
      var spare: [Node] = []
      var nodes: [Node] = []
      for number in 0..<50 {
        for _ in 0..<scattered { spare.append(Node(0)) }
        // Alike at first sight: only what they lead to differs, after up to six steps.
        var node = Node(number)
        for _ in 0..<(number % 7) { node = Node(-1, next: node) }
        nodes.append(node)
      }
      for index in nodes.indices {
        nodes[index].friends = Set(nodes[..<index].suffix(3))
      }
      return withExtendedLifetime(spare) { Set(nodes) }
    }
    let first = make(0)
    let bytes = try encoded(first, .canonicalOrder)
    var orders: Set<[Int]> = [first.map(\.number)]
    for scattered in 1..<10 {
      let set = make(scattered)
      orders.insert(set.map(\.number))
      #expect(try encoded(set, .canonicalOrder) == bytes)
    }
    #expect(orders.count > 1)
    #expect(try decoded(Set<Node>.self, from: bytes).count == 50)
  }

  /// What tells them apart is only found in objects that sets inside the elements lead to.
  @Test func setsOfSetsOfObjectsAreSorted() throws {
    func archives(_ make: (Int) -> some Hashable & GEncodable) throws -> Int {
      var archives: Set<Bytes> = []
      for scattered in 0..<10 {
        let spare = (0..<scattered).map { _ in Node(0) }
        let elements = (0..<8).map(make).shuffled()
        archives.insert(try withExtendedLifetime(spare) { try encoded(Set(elements), .canonicalOrder) })
      }
      return archives.count
    }
    #expect(try archives { Set([Node(0, next: Node($0))]) } == 1)
    #expect(try archives { Set([Set([Node($0)])]) } == 1)
    #expect(
      try archives { number in
        let (top, kid) = (Node(0), Node(0))
        kid.friends = [Node(number), Node(-1)]
        top.friends = [kid]
        return top
      } == 1)
  }

  final class Child: GEncodable, Hashable {
    let parent: Node
    init(_ parent: Node) { self.parent = parent }
    func encode(to encoder: GEncoder) throws { try encoder.encodeConditional(parent) }
    static func == (one: Child, other: Child) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  @Test func objectsAreSortedByWhatConditionalReferencesLeadTo() throws {
    struct Family: GEncodable {
      var children: Set<Child>
      var parents: [Node]
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(children)
        try encoder.encode(parents)
      }
    }
    var archives: Set<Bytes> = []
    for scattered in 0..<10 {
      let spare = (0..<scattered).map { _ in Node(0) }
      let parents = (0..<8).map { Node($0) }
      let family = Family(children: Set(parents.map(Child.init)), parents: parents)
      archives.insert(try withExtendedLifetime(spare) { try encoded(family, .canonicalOrder) })
    }
    #expect(archives.count == 1)
  }

  @Test func keysThatAreEqualToNothingAreSortedByTheirValues() throws {
    var archives: Set<Bytes> = []
    for _ in 0..<10 {
      var dictionary: [Double: Int] = [:]
      for value in (0..<5).shuffled() { dictionary[.nan] = value }
      archives.insert(try encoded(dictionary, .canonicalOrder))
    }
    #expect(archives.count == 1)
  }

  /// Objects that have a number already are compared by it.
  @Test func setsOfObjectsThatAreKnownKeepTheirOrder() throws {
    struct Model: GEncodable {
      var nodes: [Node]
      var chosen: Set<Node>
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(nodes)
        try encoder.encode(chosen)
      }
    }
    var archives: Set<Bytes> = []
    for scattered in 0..<10 {
      let spare = (0..<scattered).map { _ in Node(0) }
      let nodes = (0..<40).map { _ in Node(7) }
      let model = Model(
        nodes: nodes, chosen: Set(nodes.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)))
      archives.insert(try withExtendedLifetime(spare) { try encoded(model, .canonicalOrder) })
    }
    #expect(archives.count == 1)
  }

  @Test func anErrorOfAKeyReachesTheCaller() throws {
    struct Bad: GEncodable, Hashable {
      func encode(to encoder: GEncoder) throws { throw GCodableError(.invalidValue, "cannot be encoded") }
    }
    #expect(throws: GCodableError.self) { _ = try encoded(Set([Bad()]), .canonicalOrder) }
    #expect(throws: GCodableError.self) { try encoded([Bad(): 1], .canonicalOrder) }
  }
}
