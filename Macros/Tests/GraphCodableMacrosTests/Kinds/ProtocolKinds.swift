import GraphCodableMacros
import Testing

protocol Creature: AnyObject, GCodable { var name: String { get } }

protocol Keeper: AnyObject, GCodable { var creatures: [any Creature] { get set } }

protocol Rated<Score>: AnyObject, GCodable {
  associatedtype Score
  var score: Score { get }
}

@GCodable final class Fox: Creature {
  var name: String
  weak var keeper: (any Keeper)?
  init(_ name: String) { self.name = name }
}

@GCodable class Fish: Creature {
  let name: String
  init(_ name: String) { self.name = name }
}

@GCodable final class Shark: Fish {
  var teeth = 300
  override init(_ name: String) { super.init(name) }
}

@GCodable final class Warden: Keeper {
  @GDeferred var creatures: [any Creature] = []
  init() {}
}

@GCodable final class Film: Rated {
  var score: Int
  init(_ score: Int) { self.score = score }
}

@GCodable struct Menagerie {
  var one: any Creature
  var maybe: (any Creature)?
  var spelled: Optional<any Creature>
  var list: Array<any Creature>
  var byName: [String: any Creature]
  var nested: [String: [(any Creature)?]]?
  var composed: any Creature & AnyObject
  var film: any Rated<Int>
  let constant: any Creature
  let made: any Creature = Fox("made")
  @GKey("k", was: "old") var renamed: any Creature
}

@GCodable struct Lists {
  var contiguous: ContiguousArray<any Creature>
  var slice: ArraySlice<(any Creature)?>
  var nested: Swift.ContiguousArray<[any Creature]>?
}

@GCodable enum Sighting {
  case one(any Creature)
  case pair(first: any Creature, second: (any Creature)?)
  case many([any Creature])
  case later(of: (any Creature)? = nil)
}

@GCodable struct Tame { @GDefault(Fox("default")) var creature: any Creature }

@GCodable final class Handler {
  @GConditional unowned let charge: any Creature
  @GConditional var watched: (any Creature)?
  var own: any Creature
  init(_ creature: any Creature) { (charge, own) = (creature, creature) }
}

@Suite("@GCodable: behind protocols")
struct ProtocolKindTests {
  let fox = Fox("fox")
  let shark = Shark("shark")

  private func menagerie() -> Menagerie {
    Menagerie(
      one: fox, maybe: shark, spelled: nil, list: [fox, shark, fox], byName: ["a": fox],
      nested: ["x": [fox, nil, shark]], composed: shark, film: Film(5), constant: shark, renamed: fox)
  }

  @Test func objectsBehindProtocolsComeBackAsTheyAre() throws {
    shark.teeth = 299
    let decoded = try copy(menagerie())
    #expect(decoded.one is Fox && decoded.one.name == "fox")
    #expect((decoded.constant as? Shark)?.teeth == 299)
    #expect((decoded.film as? Film)?.score == 5)
  }

  @Test func objectsBehindProtocolsStayShared() throws {
    let decoded = try copy(menagerie())
    #expect(decoded.list.map { $0 === decoded.one } == [true, false, true])
    #expect(decoded.byName["a"] === decoded.one && decoded.renamed === decoded.one)
    #expect(decoded.maybe === decoded.composed && decoded.composed === decoded.constant)
    #expect(decoded.spelled == nil)
    let nested = try #require(decoded.nested?["x"])
    #expect(nested[0] === decoded.one && nested[1] == nil && nested[2] === decoded.constant)
  }

  @Test func constantsOfProtocolsAreStored() throws {
    let before = menagerie()
    (before.made as? Fox)?.name = "renamed"
    #expect(try copy(before).made.name == "renamed")
  }

  @Test func cyclesThroughProtocolsClose() throws {
    let warden = Warden()
    (warden.creatures, fox.keeper) = ([fox, shark], warden)
    let decoded = try copy(warden)
    #expect((decoded.creatures[0] as? Fox)?.keeper === decoded)
    #expect(try copy(fox).keeper == nil)
  }

  @Test func payloadsMayBeBehindProtocols() throws {
    guard case .one(let one) = try copy(Sighting.one(shark)), one is Shark else {
      Issue.record("another case")
      return
    }
    guard case .pair(let first, nil) = try copy(Sighting.pair(first: fox, second: nil)), first is Fox else {
      Issue.record("another case")
      return
    }
    guard case .many(let many) = try copy(Sighting.many([fox, fox])), many[0] === many[1] else {
      Issue.record("another case")
      return
    }
    guard case .later(nil) = try copy(Sighting.later()) else {
      Issue.record("another case")
      return
    }
  }

  @Test func conditionalReferencesMayBeBehindProtocols() throws {
    let handler = Handler(fox)
    handler.watched = shark
    let decoded = try copy(handler)
    #expect(decoded.charge === decoded.own && decoded.watched == nil)
  }

  @Test func propertiesOfProtocolsMayBeMissing() throws {
    let old = try bytes(ByHand.Older(fields: [("n", 1)]))
    #expect(try GraphDecoder().decode(Tame.self, from: old).creature.name == "default")
  }

  @Test func propertyMayChangeFromAClassToItsProtocol() throws {
    let old = try GraphEncoder().encode(ByHand.Older(fields: [("creature", fox)])) as [UInt8]
    #expect(try GraphDecoder().decode(Tame.self, from: old).creature.name == "fox")
  }

  @Test func objectsOfAnotherProtocolAreRefused() throws {
    let old = try GraphEncoder().encode(ByHand.Older(fields: [("creature", Warden())])) as [UInt8]
    #expect(throws: GCodableError.self) { try GraphDecoder().decode(Tame.self, from: old) }
  }

  @Test(arguments: [
    GraphEncoder.Options.disableIdentity, .disableAutoObjectIdentifierIdentityForReferences,
    .tryHashableIdentityAtFirst,
  ])
  func optionsOfIdentityHoldBehindProtocols(_ options: GraphEncoder.Options) throws {
    let bytes = try GraphEncoder(options).encode(Sighting.many([fox, shark])) as [UInt8]
    guard case .many(let many) = try GraphDecoder().decode(Sighting.self, from: bytes) else {
      Issue.record("another case")
      return
    }
    #expect(many.map(\.name) == ["fox", "shark"] && many[1] is Shark)
  }

  @Test func codeByHandUsesTheSameType() throws {
    let copies = try copy([GObject<any Creature>(fox), GObject<any Creature>(fox)])
    #expect(copies[0].object === copies[1].object)
    #expect(try copy(copies)[1].object.name == "fox")
  }

  @Test func otherListsAreStoredAsArrays() throws {
    let lists = Lists(contiguous: [fox], slice: [nil, fox][0...], nested: [[shark, fox]])
    let decoded = try copy(lists)
    #expect(decoded.contiguous.count == 1 && decoded.slice.count == 2 && decoded.nested?.count == 1)
    #expect(decoded.slice[1] === decoded.contiguous[0] && decoded.nested?[0][0] is Shark)
    #expect(decoded.nested?[0][1] === decoded.contiguous[0])
  }
}
