import Foundation
import GraphCodableMacros
import Testing

@MainActor @GCodable final class MainModel {
  var name = ""
  let id: Int
  weak var parent: MainModel?
  @GDeferred var next: MainModel?
  var children: [MainModel] = []
  init(id: Int) { self.id = id }
}

@MainActor @GCodable struct MainValue: Equatable {
  var x = 1
  var y: String
}

@MainActor @GCodable struct MainRecord {
  let id = UUID()
  var list: [Int] = made()
  static func made() -> [Int] { [1] }
}

@MainActor @GCodable enum MainChoice {
  case a(x: Int), b
  case c([MainValue])
}

@MainActor @GCodable enum MainLevel: String { case low, high }

@MainActor @GCodable class MainBase {
  var number = 1
  init() {}
}

@MainActor @GCodable class MainSubclass: MainBase {
  var other = 2
  override init() { super.init() }
}

/// Isolated as its superclass is.
@GCodable final class ImpliedSubclass: MainSubclass {
  var third = 3
  override init() { super.init() }
}

@globalActor actor StoreActor { static let shared = StoreActor() }

@StoreActor @GCodable final class Stock {
  var count = 1
  init() {}
}

/// Its name does not say that it is an actor, so the conformances say where they belong.
@globalActor actor Depot { static let shared = Depot() }

@Depot @GCodable class Pallet: @Depot GCodable {
  var count = 1
  weak var other: Pallet?
  init() {}
}

@Depot @GCodable final class Crate: Pallet {
  var weight = 2.5
  override init() { super.init() }
}

@Depot @GCodable(name: "test.barrel", was: "test.oldBarrel") final class Barrel: @Depot GCodable {
  var litres = 3
  init() {}
}

@Depot @GCodable struct Label: @Depot GCodable {
  let id = UUID()
  var text = "l"
}

@Depot @GCodable enum Place: @Depot GCodable, Equatable { case shelf(x: Int), floor }

@MainActor @GCodable indirect enum MainTree { case leaf(Int), node(MainTree, more: [MainTree]) }

@MainActor struct MainAround {
  @GCodable struct Inside { var x = 1 }
  @GCodable final class Object {
    var x = 1
    init() {}
  }
}

@MainActor extension Grid { @GCodable struct Place { var x = 1 } }

actor Owner {
  @GCodable struct State { var x = 1 }
  var state = State(x: 4)
  func copied() throws -> Int { try copy(state).x }
}

@MainActor @GCodableMembers final class MainMembers: @MainActor GCodable {
  var name = ""
  init() {}
}

@MainActor @GCodableMembers struct MainStructMembers: @MainActor GCodable {
  var name = ""
  init() {}
}

@MainActor @GPacked struct MainPacked: Equatable {
  var a: Double
  var b: Double
}

@MainActor @GCodable(name: "MainHidden", was: "OldHidden") private final class MainHidden {
  var value = 3
  init() {}
}

@MainActor @GCodable(name: "MainNamed", version: 3) class MainNamed {
  var value = 3
  init() {}
  func migrate(from version: UInt32, _ decoder: GDecoder) throws {}
}

@MainActor @GCodable struct MainBox<Value> { var value: Value }

@MainActor @GCodable final class MainMixed {
  nonisolated let id: Int
  nonisolated(unsafe) var cache = 0
  var value = 1
  init(id: Int) { self.id = id }
}

@MainActor protocol Presenting: AnyObject { var title: String { get } }

@MainActor @GCodable final class Home: Presenting {
  var title = "home"
  init() {}
}

@GCodable final class Frozen: Sendable {
  let values: [Int]
  init(_ values: [Int]) { self.values = values }
}

actor Worker {
  func copied(_ frozen: Frozen) throws -> Frozen { try copy(frozen) }
}

@Suite("@GCodable: isolation")
struct IsolationKindTests {
  /// For types whose conformances belong to the main actor.
  @MainActor private func copied<Value: GCodable>(_ value: Value) throws -> Value {
    try GraphDecoder().decode(Value.self, from: GraphEncoder().encode(value) as [UInt8])
  }

  @Test @MainActor func classesOfTheMainActorRoundTrip() throws {
    let (model, child) = (MainModel(id: 4), MainModel(id: 5))
    (model.children, child.parent, model.next, model.name) = ([child], model, model, "z")
    let decoded = try copied(model)
    #expect(decoded.id == 4 && decoded.name == "z" && decoded.next === decoded)
    #expect(decoded.children[0].parent === decoded)
  }

  @Test @MainActor func valuesOfTheMainActorRoundTrip() throws {
    #expect(try copied(MainValue(x: 3, y: "y")) == MainValue(x: 3, y: "y"))
    let record = MainRecord()
    #expect(try copied(record).id == record.id)
    guard case .a(x: 4) = try copied(MainChoice.a(x: 4)) else {
      Issue.record("another case")
      return
    }
    #expect(try copied(MainLevel.high) == .high)
    #expect(try copied(MainPacked(a: 1, b: 2)) == MainPacked(a: 1, b: 2))
    #expect(try copied(MainBox(value: 1)).value == 1)
  }

  @Test @MainActor func subclassesOfTheMainActorRoundTrip() throws {
    let object = ImpliedSubclass()
    (object.number, object.other, object.third) = (4, 5, 6)
    let decoded = try #require(try copied([object] as [MainBase])[0] as? ImpliedSubclass)
    #expect(decoded.number == 4 && decoded.other == 5 && decoded.third == 6)
  }

  @Test @MainActor func isolatedConformancesOfTheUserStay() throws {
    let members = MainMembers()
    members.name = "m"
    #expect(try copied(members).name == "m")
    #expect(try copied(MainStructMembers()).name == "")
  }

  @Test @MainActor func hiddenClassesOfTheMainActorAreRegistered() throws {
    let hidden = MainHidden()
    hidden.value = 4
    #expect(try copied([hidden])[0].value == 4)
    #expect(try copied(MainNamed()).value == 3)
  }

  @Test @MainActor func nonisolatedPropertiesOfIsolatedClassesAreStored() throws {
    let mixed = MainMixed(id: 8)
    mixed.value = 9
    #expect(try copied(mixed).id == 8 && copied(mixed).value == 9)
    #expect(try copied(Home()).title == "home")
  }

  @Test @StoreActor func classesOfOtherActorsRoundTrip() throws {
    let stock = Stock()
    stock.count = 7
    let bytes = try GraphEncoder().encode(stock) as [UInt8]
    #expect(try GraphDecoder().decode(Stock.self, from: bytes).count == 7)
  }

  @Test @Depot func conformancesSayWhichActorTheyBelongTo() throws {
    func copied<Value: GCodable>(_ value: Value) throws -> Value {
      try GraphDecoder().decode(Value.self, from: GraphEncoder().encode(value) as [UInt8])
    }
    let (crate, label) = (Crate(), Label(text: "t"))
    (crate.count, crate.weight, crate.other) = (5, 6, crate)
    let decoded = try #require(try copied([crate] as [Pallet])[0] as? Crate)
    #expect(decoded.count == 5 && decoded.weight == 6 && decoded.other === decoded)
    #expect(try copied([Barrel()])[0].litres == 3)
    #expect(try copied(label).id == label.id && copied(Place.shelf(x: 3)) == .shelf(x: 3))
  }

  @Test @MainActor func typesInsideIsolatedOnesRoundTrip() throws {
    guard case .node(.leaf(1), let more) = try copied(MainTree.node(.leaf(1), more: [.leaf(2)])) else {
      Issue.record("another case")
      return
    }
    #expect(more.count == 1)
    #expect(try copied(MainAround.Inside(x: 3)).x == 3 && copied(MainAround.Object()).x == 1)
    #expect(try copied(Grid<Int>.Place(x: 4)).x == 4)
  }

  @Test func statesOfActorsAreCodedInside() async throws { #expect(try await Owner().copied() == 4) }

  @Test func sendableClassesCrossActors() async throws {
    #expect(try await Worker().copied(Frozen([1, 2])).values == [1, 2])
  }
}
