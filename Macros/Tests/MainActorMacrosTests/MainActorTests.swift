import Foundation
import GraphCodableMacros
import Testing

// What says nothing belongs to the main actor, and so do its conformances.

@GCodable struct PlainList: Equatable { var x = 1 }

@GCodable struct PlainRecord {
  let id = UUID()
  var list: [Int] = made()
  static func made() -> [Int] { [1] }
}

@GCodable enum PlainChoice: Equatable { case a(x: Int), b }

@GCodable enum PlainLevel: Int { case low, high }

@GCodable class PlainClass {
  var number = 1
  weak var parent: PlainClass?
  @GDeferred var next: PlainClass?
  var children: [PlainClass] = []
  init() {}
}

@GCodable final class PlainSubclass: PlainClass {
  var other = 2
  override init() { super.init() }
}

@GCodable(name: "mainHidden", was: "oldHidden") private final class PlainHidden {
  var value = 3
  init() {}
}

@GPacked struct PlainPacked: Equatable {
  var a: Double
  var b: Double
}

@GCodable struct PlainBox<Value> { var value: Value }

protocol Animal: AnyObject, GCodable { var name: String { get } }

@GCodable final class Dog: @MainActor Animal {
  var name = "d"
  init() {}
}

@GCodable struct Zoo { var animals: [any Animal] = [] }

// What is nonisolated can be coded by any actor.

@GCodable nonisolated struct FreeList: Sendable, Equatable { var x = 1 }

@GCodable nonisolated struct FreeRecord: Sendable {
  let id = UUID()
  var list: [Int] = made()
  static func made() -> [Int] { [1] }
}

@GCodable nonisolated enum FreeChoice: Equatable { case a(x: Int), b }

@GCodable nonisolated enum FreeLevel: String { case low, high }

@GCodable nonisolated class FreeClass {
  var number = 1
  weak var parent: FreeClass?
  var children: [FreeClass] = []
  init() {}
}

@GCodable nonisolated final class FreeSubclass: FreeClass {
  var other = 2
  override init() { super.init() }
}

@GCodable(name: "freeHidden", was: "oldFreeHidden") nonisolated private final class FreeHidden {
  var value = 3
  init() {}
}

@GPacked nonisolated struct FreePacked: Equatable {
  var a: Double
  var b: Double
}

@GCodableMembers nonisolated final class FreeMembers: nonisolated GCodable {
  var name = ""
  init() {}
}

@GCodableMembers nonisolated struct FreeStructMembers: GCodable {
  var name = ""
  init() {}
}

@GCodable nonisolated struct FreeBox<Value> { var value: Value }

nonisolated struct Around {
  @GCodable struct Inside { var x = 1 }
  @GCodable nonisolated enum Choice { case a(Int) }
}

nonisolated extension Around {
  @GCodable struct Extended { var x = 1 }
}

private nonisolated func copy<Value: GCodable>(_ value: Value) throws -> Value {
  try GraphDecoder().decode(Value.self, from: GraphEncoder().encode(value) as [UInt8])
}

private func copyHere<Value: GCodable>(_ value: Value) throws -> Value {
  try GraphDecoder().decode(Value.self, from: GraphEncoder().encode(value) as [UInt8])
}

actor Other {
  func copyValues() throws {
    #expect(try copy(FreeList(x: 4)) == FreeList(x: 4))
    let record = FreeRecord()
    #expect(try copy(record).id == record.id)
    #expect(try copy(FreeChoice.a(x: 3)) == .a(x: 3))
    #expect(try copy(FreeLevel.high) == .high)
    #expect(try copy(FreePacked(a: 1, b: 2)) == FreePacked(a: 1, b: 2))
    #expect(try copy(FreeBox(value: 1)).value == 1)
    #expect(try copy(FreeStructMembers()).name == "")
    #expect(try copy(Around.Inside(x: 2)).x == 2 && copy(Around.Extended(x: 3)).x == 3)
    guard case .a(4) = try copy(Around.Choice.a(4)) else {
      Issue.record("another case")
      return
    }
  }

  func copyObjects() throws {
    let (object, child) = (FreeSubclass(), FreeClass())
    (object.number, object.other, object.children, child.parent) = (4, 5, [child], object)
    let decoded = try #require(try copy([object] as [FreeClass])[0] as? FreeSubclass)
    #expect(decoded.number == 4 && decoded.other == 5 && decoded.children[0].parent === decoded)
    #expect(try copy(FreeHidden()).value == 3 && copy(FreeMembers()).name == "")
  }
}

@Suite("@GCodable: default isolation to the main actor")
struct MainActorTests {
  @Test func valuesRoundTrip() throws {
    #expect(try copyHere(PlainList(x: 4)) == PlainList(x: 4))
    let record = PlainRecord()
    #expect(try copyHere(record).id == record.id)
    #expect(try copyHere(PlainChoice.a(x: 3)) == .a(x: 3))
    #expect(try copyHere(PlainLevel.high) == .high)
    #expect(try copyHere(PlainPacked(a: 1, b: 2)) == PlainPacked(a: 1, b: 2))
    #expect(try copyHere(PlainBox(value: 1)).value == 1)
  }

  @Test func objectsRoundTrip() throws {
    let (object, child) = (PlainSubclass(), PlainClass())
    (object.number, object.other, object.children, child.parent, object.next) = (4, 5, [child], object, child)
    let decoded = try #require(try copyHere([object] as [PlainClass])[0] as? PlainSubclass)
    #expect(decoded.number == 4 && decoded.other == 5 && decoded.children[0].parent === decoded)
    #expect(decoded.next === decoded.children[0])
    #expect(try copyHere(PlainHidden()).value == 3)
  }

  @Test func objectsBehindProtocolsRoundTrip() throws {
    let dog = Dog()
    dog.name = "renamed"
    #expect(try copyHere(Zoo(animals: [dog])).animals[0].name == "renamed")
  }

  @Test func nonisolatedTypesAreCodedByOtherActors() async throws {
    try await Other().copyValues()
    try await Other().copyObjects()
  }
}
