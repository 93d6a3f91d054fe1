import GraphCodableMacros
import Testing

@GCodable struct Pair<First: GCodable, Second: GCodable> {
  var first: First
  var second: Second
}

@GCodable struct Box<Value> { var value: Value }

@GCodable struct Tagged<Tag, Value: GCodable & Equatable>: Equatable { var value: Value }

@GCodable struct Ranked<Value> where Value: Comparable, Value: GCodable { var values: [Value] }

@GCodable enum Either<Left, Right> {
  case left(Left)
  case right(Right)
}

@GCodable class Holder<Value: GCodable> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

@GCodable final class IntHolder: Holder<Int> {
  var extra: String
  init(_ value: Int, extra: String) {
    self.extra = extra
    super.init(value)
  }
}

struct Space<Value> {
  @GCodable struct Inside where Value: GCodable { var value: Value }
}

private struct NotCoded {}

@Suite("@GCodable: generics")
struct GenericShapeTests {
  @Test func constrainedParametersAreCoded() throws {
    let pair = try copy(Pair(first: 1, second: ["a"]))
    #expect(pair.first == 1 && pair.second == ["a"])
    #expect(try copy(Ranked(values: [1, 2])).values == [1, 2])
  }

  @Test func structIsCodedWhereItsParametersAre() throws {
    #expect(try copy(Box(value: "a")).value == "a")
    #expect((Box(value: NotCoded()) as Any) as? any GCodable == nil)
    #expect((Box(value: 1) as Any) as? any GCodable != nil)
  }

  @Test func parametersThatAreNotStoredNeedNoConstraint() throws {
    let value = Tagged<NotCoded, Int>(value: 1)
    #expect(try copy(value) == value)
  }

  @Test func genericEnumsRoundTrip() throws {
    guard case .right(let text) = try copy(Either<Int, String>.right("a")) else {
      Issue.record("another case")
      return
    }
    #expect(text == "a")
  }

  @Test func genericClassesAndTheirSubclassesRoundTrip() throws {
    #expect(try copy(Holder([1.5])).value == [1.5])
    let copies = try copy([Holder(1), IntHolder(2, extra: "e")])
    #expect(copies.map(\.value) == [1, 2])
    #expect((copies[1] as? IntHolder)?.extra == "e")
  }

  @Test func structsInsideGenericTypesRoundTrip() throws {
    #expect(try copy(Space<Int>.Inside(value: 1)).value == 1)
  }

  @Test func genericKeysAreThoseOfThePropertiesNames() throws {
    #expect(try keys(Pair(first: 1, second: 2)) == ["first", "second"])
  }
}
