import GraphCodableMacros
import Testing

/// A wrapper of somebody else's.
@propertyWrapper struct Foreign<Value> {
  var wrappedValue: Value
  var limit = 10
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  init(wrappedValue: Value, limit: Int) { (self.wrappedValue, self.limit) = (wrappedValue, limit) }
  var projectedValue: Int { limit }
}

@propertyWrapper final class Shared<Value> {
  var wrappedValue: Value
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper @GCodable struct Kept<Value: GCodable> {
  var wrappedValue: Value
  var count = 0
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@GCodable struct ForeignWrappers {
  @GWrapped @Foreign var a: Int
  @GWrapped @Foreign(limit: 5) var b = 3
  @GWrapped @Foreign var c: String?
  @GKey("k", was: "old") @GWrapped @Foreign var d: [Int] = []
  @GDefault(8) @GWrapped @Foreign var e: Int
  @GWrapped @Shared var f = 1.5
  @GWrapped @Foreign @Shared var g = "both"
  var plain = 1
}

@GCodable class ForeignInClass {
  @GWrapped @Foreign var a: Int
  @GWrapped @Foreign(limit: 5) var b = 3
  @GWrapped @Shared var object = Fox("f")
  let id: Int
  init(id: Int) { (a, self.id) = (1, id) }
}

@GCodable final class ForeignInSubclass: ForeignInClass {
  @GWrapped @Foreign var more = [1]
  @GWrapped @Foreign var behind: any Creature = Fox("b")
  override init(id: Int) { super.init(id: id) }
}

@GCodable struct KeptInOtherWays {
  var last = 1
  @Kept var spelled: Optional<Int>
  @Kept @Kept var twice: Int?
  @GKey("f", was: "ff") @Kept var list: [Int]?
  @Kept private(set) var read = 3
  @Kept<Int> var typed = 1
}

@GCodable struct KeptOptionals {
  @Kept var a: Int?
  @Kept var b: String? = "b"
  @GKey(was: "old") @Kept var c: Int?
  var last = 1
}

@GCodable final class KeptOptionalInClass {
  @Kept var a: Int?
  init() { a = 4 }
}

@Suite("@GCodable: wrappers of others")
struct WrapperKindTests {
  @Test func valuesOfForeignWrappersAreStored() throws {
    var value = ForeignWrappers(a: 2, c: nil, e: 9)
    (value.b, value.c, value.d, value.f, value.g) = (4, "c", [5], 2.5, "g")
    let decoded = try copy(value)
    #expect(decoded.a == 2 && decoded.b == 4 && decoded.c == "c" && decoded.d == [5] && decoded.e == 9)
    #expect(decoded.f == 2.5 && decoded.g == "g" && decoded.$b == 5)
    #expect(try keys(value) == ["a", "b", "c", "k", "e", "f", "g", "plain"])
  }

  @Test func valuesOfForeignWrappersMayBeMissing() throws {
    let old = try bytes(ByHand.Older(fields: [("a", 1), ("old", [7])]))
    let decoded = try GraphDecoder().decode(ForeignWrappers.self, from: old)
    #expect(decoded.b == 3 && decoded.c == nil && decoded.d == [7] && decoded.e == 8 && decoded.g == "both")
  }

  @Test func foreignWrappersInClassesRoundTrip() throws {
    let object = ForeignInSubclass(id: 5)
    (object.a, object.b, object.more, object.object.name) = (6, 7, [8], "renamed")
    let decoded = try #require(try copy([object] as [ForeignInClass])[0] as? ForeignInSubclass)
    #expect(decoded.a == 6 && decoded.b == 7 && decoded.more == [8] && decoded.id == 5)
    #expect(decoded.object.name == "renamed" && decoded.behind.name == "b")
  }

  @Test func wrappedOptionalsMayBeMissing() throws {
    let old = try bytes(ByHand.Older(fields: [("last", 3)]))
    let decoded = try GraphDecoder().decode(KeptOptionals.self, from: old)
    #expect(decoded.a == nil && decoded.b == "b" && decoded.c == nil && decoded.last == 3)
    let object = try GraphDecoder().decode(KeptOptionalInClass.self, from: bytes(OlderObject([("x", 1)])))
    #expect(object.a == nil)
  }

  @Test func optionalsInWrappersMayBeSpelledInOtherWays() throws {
    let old = try bytes(ByHand.Older(fields: [("last", 3), ("ff", Kept(wrappedValue: [4] as [Int]?))]))
    let decoded = try GraphDecoder().decode(KeptInOtherWays.self, from: old)
    #expect(decoded.spelled == nil && decoded.twice == nil && decoded.list == [4] && decoded.read == 3)
    let copied = try copy(KeptInOtherWays(spelled: 1, twice: 2, list: nil, typed: 4))
    #expect(copied.spelled == 1 && copied.twice == 2 && copied.list == nil && copied.typed == 4)
  }

  @Test func wrappersThatAreCodedKeepAllThatTheyHold() throws {
    let decoded = try copy(KeptOptionals(a: 1, c: nil))
    #expect(decoded.a == 1 && decoded.c == nil)
    #expect(try copy(KeptOptionalInClass()).a == 4)
  }
}
