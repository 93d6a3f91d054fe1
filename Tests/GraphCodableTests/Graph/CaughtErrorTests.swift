import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// User code that catches errors gets correct values, at any depth of the graph, and nothing of failed ones.
@Suite("Errors that are caught, and objects nobody asks for")
struct CaughtErrorTests {
  enum Key: String {
    case a, b, c, d, e
  }

  struct Failure: Error {}

  // MARK: Fields

  /// Fields that are requested in vain again and again.
  private struct Stubborn: GDecodable {
    let counts: Set<Int>
    init(from decoder: GDecoder) throws {
      var counts: Set<Int> = []
      for _ in 0..<50 {
        _ = try? decoder.decode(Int.self, for: Key.b)
        counts.insert(decoder.unkeyedCount)
      }
      for _ in 0..<50 { _ = try? decoder.decode(Double.self) }
      self.counts = counts
    }
  }

  @Test func aFieldThatCannotBePassedOverIsCountedOnce() throws {
    // An unkeyed float64 of which three bytes are there, and a number behind it.
    let bytes = try script { encoder in
      try encoder.encode(
        Script {
          try $0.encode(1.5)
          try $0.encode(1, for: Key.b)
        })
    }
    let forge = try Forge(bytes)
    let stream = try forge.stream()
    for count in 1..<stream.count {
      let cut = try forge.replacingStream(with: Bytes(stream[..<count]))
      do {
        try Reading.decode(cut) { decoder in
          try #expect(decoder.decode(Stubborn.self).counts.isSubset(of: [0, 1]))
        }
      } catch { #expect(error is GCodableError) }
    }
  }

  /// In a run of fields in order, it is the whole value that fails.
  @Test(arguments: [
    [Key.e, .c, .d, .e, .a, .b], [.e, .c, .d, .e], [.c, .c], [.e, .a, .b, .c, .d, .e], [.b, .a, .b],
  ])
  func aKeyCanBeDecodedOnceInAnyOrder(keys: [Key]) throws {
    let bytes = try encoded(
      (0..<2).map { _ in
        Script {
          for (index, key) in [Key.a, .b, .c, .d, .e].enumerated() { try $0.encode(index, for: key) }
        }
      })
    for order in [keys, keys + [.d], Array(keys.reversed())] {
      let decoder = GraphDecoder()
      decoder.userInfo[Ordered.order] = order
      let error = #expect(throws: GCodableError.self) { try decoder.decode([Ordered].self, from: bytes) }
      #expect(error?.code == .keyNotFound)
    }
    let decoder = GraphDecoder()
    decoder.userInfo[Ordered.order] = [Key.e, .c, .d, .a, .b]
    #expect(throws: Never.self) { try decoder.decode([Ordered].self, from: bytes) }
  }

  /// Fields of the second one of a shape are found by what the first one was decoded with.
  private struct Ordered: GDecodable {
    static let order = CodingUserInfoKey(rawValue: "order")!
    init(from decoder: GDecoder) throws {
      for key in decoder.userInfo[Self.order] as? [Key] ?? [] { _ = try decoder.decode(Int.self, for: key) }
    }
  }

  // MARK: What failed

  /// Defers a field, and fails.
  final class Failing: GCodable {
    nonisolated(unsafe) static var setterCount = 0
    init() {}
    init(from decoder: GDecoder) throws {
      try decoder.deferDecode(for: Key.a) { (_: Int) in Self.setterCount += 1 }
      throw Failure()
    }
    func encode(to encoder: GEncoder) throws { try encoder.encode(1, for: Key.a) }
  }

  @Test(arguments: [GraphEncoder.Options(), .disableIdentity])
  func settersOfAnInstanceThatFailsDoNotRun(options: GraphEncoder.Options) throws {
    let bytes =
      try GraphEncoder(options).encode(
        Script {
          try $0.encode(Failing(), for: Key.a)
          try $0.encode(7, for: Key.b)
        }) as Bytes
    try Reading.decode(bytes) { decoder in
      #expect(throws: Failure.self) { try decoder.decode(Failing.self, for: Key.a) }
      try #expect(decoder.decode(Int.self, for: Key.b) == 7)
    }
    #expect(Failing.setterCount == 0)
  }

  struct Item: GCodable, GIdentifiable {
    let id: Int
    let value: Int
    var gcodableID: Int? { id }
    init(_ id: Int, _ value: Int) { (self.id, self.value) = (id, value) }
    init(from decoder: GDecoder) throws {
      id = try decoder.decode(for: Key.a)
      value = try decoder.decode(for: Key.b)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(id, for: Key.a)
      try encoder.encode(value, for: Key.b)
    }
  }

  struct SmallItem: GDecodable {
    let value: Int8
    init(from decoder: GDecoder) throws { value = try decoder.decode(for: Key.b) }
  }

  @Test func aValueThatCannotBeOneTypeCanBeAnother() throws {
    let bytes = try script { encoder in
      let item = Item(1, 1000)
      try encoder.encode(item, for: Key.a)
      try encoder.encode(item, for: Key.b)
      try encoder.encode(item, for: Key.c)
    }
    try Reading.decode(bytes) { decoder in
      #expect(throws: GCodableError.self) { try decoder.decode(SmallItem.self, for: Key.a) }
      #expect(throws: GCodableError.self) { try decoder.decode(SmallItem.self, for: Key.b) }
      try #expect(decoder.decode(Item.self, for: Key.c).value == 1000)
    }
  }

  // MARK: Depth

  static let depths = [1, 127, 128, 129, 130, 300, 1000]

  /// A list whose first item is decoded as another type than the others.
  final class ItemNode: GCodable {
    let isFirst: Bool
    let item: Item?
    let next: ItemNode?
    init(_ isFirst: Bool, _ item: Item, _ next: ItemNode?) {
      (self.isFirst, self.item, self.next) = (isFirst, item, next)
    }
    init(from decoder: GDecoder) throws {
      isFirst = try decoder.decode(for: Key.a)
      if isFirst { _ = try decoder.decode(SmallItem.self, for: Key.c) }
      item = isFirst ? nil : try decoder.decode(Item.self, for: Key.c)
      next = try decoder.decode(for: Key.b)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(isFirst, for: Key.a)
      try encoder.encode(item, for: Key.c)
      try encoder.encode(next, for: Key.b)
    }
  }

  @Test(arguments: depths) func valuesOfOneShapeMayBeOfSeveralTypes(depth: Int) throws {
    var list: ItemNode?
    for index in (0..<depth).reversed() {
      list = ItemNode(index == 0, Item(index, index == 0 ? 1 : 1000), list)
    }
    var copy: ItemNode? = try decoded(ItemNode.self, from: encoded(#require(list)))
    var count = 0
    while let node = copy {
      #expect(node.item?.value == (count == 0 ? nil : 1000))
      count += 1
      copy = node.next
    }
    #expect(count == depth)
  }

  /// A list whose nodes hold what their `init(from:)` does not ask for.
  final class Reluctant: GCodable {
    let next: Reluctant?
    let extra: Extra?
    init(_ next: Reluctant?, _ extra: Extra) { (self.next, self.extra) = (next, extra) }
    init(from decoder: GDecoder) throws {
      next = try decoder.decode(for: Key.a)
      extra = nil
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(next, for: Key.a)
      try encoder.encode(extra, for: Key.b)
    }
  }

  final class Extra: GCodable {
    var failing: Failing? = Failing()
    init() {}
    init(from decoder: GDecoder) throws {
      try decoder.deferDecode(for: Key.a) { [unowned self] in self.failing = $0 }
    }
    func encode(to encoder: GEncoder) throws { try encoder.encode(failing, for: Key.a) }
  }

  @Test(arguments: depths) func deferredFieldsOfUnrequestedObjectsAreNotDecoded(depth: Int) throws {
    var list: Reluctant?
    for _ in 0..<depth { list = Reluctant(list, Extra()) }
    var copy: Reluctant? = try decoded(Reluctant.self, from: encoded(#require(list)))
    var count = 0
    while let node = copy {
      count += 1
      copy = node.next
    }
    #expect(count == depth)
  }

  /// Asks for a child that needs its owner, and does without where that cannot be.
  final class Owner: GCodable {
    var next: Owner?
    weak var back: Owner?
    var child: Child?
    init() {}
    init(from decoder: GDecoder) throws {
      try decoder.deferDecode(for: Key.c) { [unowned self] (back: Owner?) in self.back = back }
      child = try? decoder.decode(Child.self, for: Key.d)
      next = try decoder.decode(for: Key.b)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(next, for: Key.b)
      try encoder.encodeConditional(back, for: Key.c)
      try encoder.encode(child, for: Key.d)
    }
  }

  final class Child: GCodable {
    weak var owner: Owner?
    init(_ owner: Owner) { self.owner = owner }
    init(from decoder: GDecoder) throws { owner = try decoder.decode(for: Key.a) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(owner, for: Key.a) }
  }

  @Test(arguments: [1, 127, 128, 129, 130, 300]) func caughtCyclesAreTheSameAtAnyDepth(depth: Int) throws {
    let nodes = (0..<depth).map { _ in Owner() }
    for (index, node) in nodes.enumerated() {
      node.child = Child(node)
      if index > 0 { (node.back, nodes[index - 1].next) = (nodes[index - 1], node) }
    }
    var copy: Owner? = try decoded(Owner.self, from: encoded(nodes[0]))
    var count = 0
    while let node = copy {
      // A child needs its owner, which is being made: it is not there at any depth.
      #expect(node.child == nil)
      count += 1
      copy = node.next
    }
    #expect(count == depth)
  }

  // MARK: Without identity

  class Nameless: GCodable {
    init() {}
    required init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
  }

  /// Its instances say that they have no identity, and lead to two others.
  final class Forked: Nameless, GIdentifiable {
    var gcodableID: Int? { nil }
    var one: Nameless?
    var other: Nameless?
    override func encode(to encoder: GEncoder) throws {
      try encoder.encode(one, for: Key.a)
      try encoder.encode(other, for: Key.b)
    }
  }

  @Test func aCycleWithoutIdentityThatForksIsFoundAtOnce() throws {
    let (first, second) = (Forked(), Forked())
    (first.one, first.other) = (first, second)
    (second.one, second.other) = (first, second)
    defer { for node in [first, second] { (node.one, node.other) = (nil, nil) } }
    let error = #expect(throws: GCodableError.self) { try encoded([first as Nameless]) }
    #expect(error?.code == .limitExceeded)
  }

  /// Their keys are all alike.
  @Test func dictionariesOfKeysThatLookAlikeAreSortedByTheirValues() throws {
    var archives: Set<Bytes> = []
    for round in 0..<20 {
      let others = (0..<round).map { _ in Anonymous() }
      let dictionary = [Anonymous(): 1, Anonymous(): 2, Anonymous(): 3]
      try archives.insert(GraphEncoder(.canonicalOrder).encode(dictionary))
      #expect(others.count == round)
    }
    #expect(archives.count == 1)
  }

  final class Anonymous: GCodable, Hashable {
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
    static func == (one: Anonymous, other: Anonymous) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}
