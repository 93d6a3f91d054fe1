import Foundation
import GraphCodableMacros
import Testing

@GCodable final class Drawer: Creature {
  var items: [Int] = []
  let name = "drawer"
  init() {}
}

private func number() -> Int { Int.random(in: 0..<1_000_000_000) }

@GCodable struct Stamped {
  let id = UUID()
  var x = 1
}

@GCodable struct Cabinet {
  let drawer = Drawer()
  let count: Int = number()
  let maybe: Int? = number()
  let a = number(), b = number()
  let version = 3
  let name: String = "n"
  var list: [Int] = []
  @GKey("k", was: "older") let keyed = UUID()
  @GIgnored let skipped = UUID()
  @GPrecision(.absolute(0.5)) let rough = Double(number()) + 0.25
  let behind: any Creature = Drawer()
  let all: [any Creature] = [Drawer(), Drawer()]
  weak let weakDrawer: Drawer?
  init(_ drawer: Drawer?) { weakDrawer = drawer }
}

@GCodable struct Generic<Value: GCodable> {
  let id = UUID()
  var value: Value
  let drawers: [Drawer] = [Drawer()]
}

@GCodable struct Inferred {
  let date = Date(), list = [UUID()]
  let byName = ["k": number()]
  let called = { number() }()
  let text = "\(number())"
  let set: Set<Int> = [number()]
  let cast = number() as Int?
  let wrapped = Optional(number())
  #if os(Linux) || os(macOS)
    let conditional = UUID()
  #endif
  private let hidden = UUID()
  var seen: UUID { hidden }
}

enum Outer<Value: GCodable> {
  @GCodable struct Inner {
    let id = UUID()
    var value: Value
  }
}

extension Stamped { @GCodable enum Mark { case stamped(Stamped) } }

@GCodable final class Literals {
  let version = 1
  let names: [String] = ["a"]
  let shift = -1.5
  let isOn: Bool = true
  let none: Int? = nil
  @GIgnored let id = UUID()
  var x = 1
  init() {}
}

@GCodable final class WeakConstant {
  @GConditional weak let drawer: Drawer?
  let own: Drawer
  init(_ drawer: Drawer) { (self.drawer, own) = (drawer, drawer) }
}

@GCodable class Vehicle {
  var name = "v"
  init() {}
}

@GCodable final class Bicycle: Vehicle { let wheels = 2 }

@GCodable final class Cart: Vehicle {
  @GIgnored var load = [1, 2]
  @GIgnored let id = UUID()
  override init() { super.init() }
}

@GCodable final class Sledge: Vehicle { lazy var runners = 2 }

@Suite("@GCodable: constants with values")
struct ConstantKindTests {
  @Test func constantsOfStructsAreRestored() throws {
    let stamped = Stamped()
    #expect(try copy(stamped).id == stamped.id)
    #expect(try keys(stamped) == ["x", "id"])
  }

  @Test func allKindsOfConstantsOfStructsAreRestored() throws {
    let drawer = Drawer()
    let cabinet = Cabinet(drawer)
    cabinet.drawer.items = [3]
    (cabinet.behind as? Drawer)?.items = [4]
    (cabinet.all[1] as? Drawer)?.items = [5]
    let decoded = try copy(cabinet)
    #expect(decoded.drawer.items == [3] && decoded.count == cabinet.count && decoded.maybe == cabinet.maybe)
    #expect(decoded.a == cabinet.a && decoded.b == cabinet.b && decoded.keyed == cabinet.keyed)
    #expect(decoded.skipped != cabinet.skipped && abs(decoded.rough - cabinet.rough) <= 0.5)
    #expect((decoded.behind as? Drawer)?.items == [4] && (decoded.all[1] as? Drawer)?.items == [5])
    #expect(decoded.version == 3 && decoded.name == "n" && decoded.weakDrawer == nil)
  }

  @Test func constantsKeepTheirValuesWhereTheyAreMissing() throws {
    let old = try bytes(ByHand.Older(fields: [("x", 5)]))
    #expect(try GraphDecoder().decode(Stamped.self, from: old).x == 5)
  }

  @Test func olderKeysOfConstantsAreRead() throws {
    let id = UUID()
    let old = try bytes(ByHand.Older(fields: [("list", [Int]()), ("older", id)]))
    #expect(try GraphDecoder().decode(Cabinet.self, from: old).keyed == id)
  }

  @Test func constantsOfGenericStructsAreRestored() throws {
    let generic = Generic(value: 4)
    generic.drawers[0].items = [7]
    let decoded = try copy(generic)
    #expect(decoded.id == generic.id && decoded.value == 4 && decoded.drawers[0].items == [7])
  }

  @Test func constantsWithInferredTypesAreRestored() throws {
    let value = Inferred()
    let decoded = try copy(value)
    #expect(decoded.date == value.date && decoded.list == value.list && decoded.byName == value.byName)
    #expect(decoded.called == value.called && decoded.text == value.text && decoded.set == value.set)
    #expect(decoded.cast == value.cast && decoded.wrapped == value.wrapped && decoded.seen == value.seen)
    #expect(decoded.conditional == value.conditional)
  }

  @Test func constantsOfNestedTypesAreRestored() throws {
    let inner = Outer<Int>.Inner(value: 1)
    #expect(try copy(inner).id == inner.id)
    let stamped = Stamped()
    guard case .stamped(let decoded) = try copy(Stamped.Mark.stamped(stamped)) else {
      Issue.record("another case")
      return
    }
    #expect(decoded.id == stamped.id)
    let many = (0..<100).map { _ in Stamped() }
    #expect(try copy(many).map(\.id) == many.map(\.id))
  }

  @Test func constantsOfLocalTypesAreRestored() throws {
    @GCodableMembers struct Local: GCodable {
      let id = UUID()
      init() {}
    }
    let local = Local()
    #expect(try copy(local).id == local.id)
  }

  @Test func literalsAreTheSameInEachInstance() throws {
    let decoded = try copy(Literals())
    #expect(decoded.version == 1 && decoded.names == ["a"] && decoded.shift == -1.5)
    #expect(try keys(Literals()) == ["x"])
  }

  @Test func weakConstantsAreConditional() throws {
    let decoded = try copy(WeakConstant(Drawer()))
    #expect(decoded.drawer === decoded.own)
  }

  @Test func subclassesMayLeaveOutAllThatTheyAdd() throws {
    let cart = Cart()
    (cart.name, cart.load) = ("c", [3])
    let copies = try copy([Bicycle(), cart, Sledge()] as [Vehicle])
    #expect((copies[0] as? Bicycle)?.wheels == 2 && (copies[1] as? Cart)?.load == [1, 2])
    #expect(copies[1].name == "c" && copies[2] is Sledge)
  }

  @Test func releasedValuesAreNotLeaked() throws {
    weak var released: Drawer?
    try {
      let decoded = try copy(Cabinet(nil))
      released = decoded.drawer
      #expect(released != nil)
    }()
    #expect(released == nil)
  }
}
