import GraphCodable
import GraphCodableTestSupport
import Testing

/// Cycles of plain `decode` calls: an error that prints the way around.
@Suite("Cycles that nobody breaks")
struct CycleErrorTests {
  /// The way around, as the error says it.
  private func cycle(
    _ root: some GCodable, _ options: GraphEncoder.Options = [], depth: Int? = nil
  ) throws -> String {
    let error = try #require(
      #expect(throws: GCodableError.self) { try roundTrip(root, options, depth: depth) })
    #expect(error.code == .cycle)
    let message = error.context.debugDescription
    #expect(message.contains("deferDecode"))
    let parts = message.split(separator: ": ", maxSplits: 1)
    return String(try #require(parts.last).split(separator: ";")[0])
  }

  final class Deep: GCodable {
    indirect enum Way: GCodable {
      case end(Deep?)
      case on(Way)
      init(from decoder: GDecoder) throws {
        self = try decoder.contains(Letter.a) ? .on(decoder.decode(for: Letter.a)) : .end(decoder.decode())
      }
      func encode(to encoder: GEncoder) throws {
        switch self {
        case .end(let deep): try encoder.encode(deep)
        case .on(let way): try encoder.encode(way, for: Letter.a)
        }
      }
    }
    var way = Way.end(nil)
    init() {}
    init(from decoder: GDecoder) throws { way = try decoder.decode(for: Letter.b) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(way, for: Letter.b) }
  }

  @Test func aLongWayThroughValuesIsShortened() throws {
    let deep = Deep()
    deep.way = .end(deep)
    for _ in 0..<20_000 { deep.way = .on(deep.way) }
    defer { while case .on(let way) = deep.way { deep.way = way } }
    #expect(try cycle(deep, depth: .max).utf8.count < 1000)
  }

  @Test func theWayLeadsThroughEveryForm() throws {
    let a = Hasty()
    let b = HastySub()
    defer { for object in [a, b] { object.clear() } }
    func way(_ connect: () -> Void) throws -> String {
      for object in [a, b] { object.clear() }
      connect()
      return try cycle(a)
    }
    try #expect(way { a.single = a } == "Hasty.single → Hasty")
    try #expect(way { (a.single, b.single) = (b, a) } == "Hasty.single → HastySub.single → Hasty")
    try #expect(
      way {
        a.list = [nil, b]; b.single = a
      } == "Hasty.list[1] → HastySub.single → Hasty")
    try #expect(way { a.named = ["x": a] } == "Hasty.named.x → Hasty")
    try #expect(
      way {
        a.set = [b]; b.single = a
      } == "Hasty.set[0] → HastySub.single → Hasty")
    try #expect(
      way {
        a.nested = [[], [[b]]]; b.list = [a]
      } == "Hasty.nested[1][0][0] → HastySub.list[0] → Hasty")
    try #expect(
      way {
        a.pair = Both(1, b); b.pair = Both(2, a)
      } == "Hasty.pair[1] → HastySub.pair[1] → Hasty")
    try #expect(
      way {
        a.tagged = Named("n", b); b.single = a
      } == "Hasty.tagged → object 1.v → HastySub.single → Hasty")
    // Only the cycle itself, not the way to it.
    try #expect(
      way {
        a.single = b; b.single = b
      } == "HastySub.single → HastySub")
    try #expect(cycle([["key": a]]) == "HastySub.single → HastySub")
  }

  @Test func objectsWithoutAClassAreNumbered() throws {
    let a = Impatient("a")
    let b = Impatient("b")
    (a.next, b.next) = (b, a)
    defer { a.next = nil }
    try #expect(cycle(a, .disableInheritance) == "object 0.next → object 1.next → object 0")
  }

  @Test func aLongWayIsShortened() throws {
    for count in [14, 100, 1000] {
      let members = (0..<count).map { Impatient("\($0)") }
      for (index, member) in members.enumerated() { member.next = members[(index + 1) % count] }
      defer { for member in members { member.next = nil } }
      let steps = try cycle(members[0]).split(separator: " → ")
      #expect(steps.first == "Impatient.next" && steps.last == "Impatient")
      #expect(steps.count == (count == 14 ? 15 : 17))
      #expect(steps.contains("…") == (count > 14))
    }
  }

  /// The decoder is as it was before: the other side is asked for after a failed one.
  @Test func whatIsNotInTheCycleCanStillBeDecoded() throws {
    let a = Impatient("a")
    a.next = a
    defer { a.next = nil }
    let bytes = try script {
      try $0.encode(a, for: Letter.a)
      try $0.encode(Impatient("b"), for: Letter.b)
    }
    try Reading.decode(bytes) { decoder in
      for _ in 0..<2 {
        let error = #expect(throws: GCodableError.self) { try decoder.decode(Impatient.self, for: Letter.a) }
        #expect(error?.code == .cycle || error?.code == .keyNotFound)
      }
      try #expect(decoder.decode(Impatient.self, for: Letter.b).name == "b")
    }
  }
}

/// Decodes all that it refers to at once.
class Hasty: GCodable, Hashable {
  var single: Hasty?
  var list: [Hasty?] = []
  var named: [String: Hasty] = [:]
  var set: Set<Hasty> = []
  var nested: [[[Hasty]]] = []
  var pair: Both<Int, Hasty>?
  var tagged: Named<Hasty>?

  init() {}

  func clear() {
    (single, list, named, set, nested, pair, tagged) = (nil, [], [:], [], [], nil, nil)
  }

  private enum Key: String { case single, list, named, set, nested, pair, tagged }

  required init(from decoder: GDecoder) throws {
    single = try decoder.decode(for: Key.single)
    list = try decoder.decode(for: Key.list)
    named = try decoder.decode(for: Key.named)
    set = try decoder.decode(for: Key.set)
    nested = try decoder.decode(for: Key.nested)
    pair = try decoder.decode(for: Key.pair)
    tagged = try decoder.decode(for: Key.tagged)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(single, for: Key.single)
    try encoder.encode(list, for: Key.list)
    try encoder.encode(named, for: Key.named)
    try encoder.encode(set, for: Key.set)
    try encoder.encode(nested, for: Key.nested)
    try encoder.encode(pair, for: Key.pair)
    try encoder.encode(tagged, for: Key.tagged)
  }

  static func == (lhs: Hasty, rhs: Hasty) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

final class HastySub: Hasty {}
