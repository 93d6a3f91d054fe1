import GraphCodableMacros
import Testing

@GCodable struct First<C: Collection> { var first: C.Element }

@GCodable struct Window<C: RandomAccessCollection> {
  var range: Range<C.Index>
  var last: C.Element?
  var rest: [C.Element]
}

@GCodable struct Steps<C: Collection> where C.Index: Strideable { var stride: C.Index.Stride }

@GCodable struct Identifier<Owner>: Equatable { var raw: Int }

enum Nothing {}

@GCodable struct Link: Equatable { var id: Identifier<Nothing> }

/// Adopts the protocol itself, so that no constraint is added: the parameter is a phantom.
@GCodable struct Tagged2<Owner>: GCodable { var id: Identifier<Owner> }

@GCodable struct Lookup<Key: Hashable, Value: Codable> {
  var values: [Key: Value]
  var keys: Set<Key>
}

@GCodable struct Reference<Target: AnyObject> {
  var target: Target
  weak var back: Target?
}

@GCodable enum Outcome<Success, Failure: Error> {
  case success(Success)
  case failure(String)
}

@GCodable enum Tree<C: Collection> {
  case leaf
  indirect case node(C.Element, left: Tree, right: Tree)
}

struct Grid<Value> {
  @GCodable struct Cell { var value: Value }
  @GCodable enum Change {
    case set(Value)
    case clear
  }
  struct Deep<Other> {
    @GCodable struct Pair {
      var value: Value
      var other: Other
    }
  }
}

@GCodable struct Matrix<let rows: Int, let columns: Int> { var numbers: [Double] }

@GCodable struct Sized<let count: Int, Value> { var values: InlineArray<count, Value> }

@GCodable struct Same<C: Collection> where C.Element == Int { var first: C.Element }

@GCodable class Keeping<C: Collection> where C.Element: GCodable {
  var first: C.Element
  init(_ first: C.Element) { self.first = first }
}

@GCodable final class Cache<Key: Hashable & GCodable, Value: GCodable> {
  var values: [Key: Value] = [:]
  init() {}
}

@GCodable struct Tuple<each Value>: Equatable {
  var count: Int
  var name: String?
}

@GCodable struct Tuples<each Value> {
  var list: [Int] = [1].map { $0 }
  @GKey("k", was: "old") var count = 3
}

@GCodable final class TupleObject<each Value> {
  var count = 4
  weak var other: TupleObject?
  @GDeferred var next: TupleObject?
  init() {}
}

struct Unique: ~Copyable {}

@GCodable struct Handle<Resource: ~Copyable> { var number = 1 }

@GCodable enum Slot<Resource: ~Copyable, Value> {
  case full(Value)
  case empty
}

protocol Entity { associatedtype ID: Hashable }

enum Person: Entity { typealias ID = String }

@GCodable struct Key<Owner: Entity> { var id: Owner.ID }

@GCodable struct Raw<Value: RawRepresentable> { var raw: Value.RawValue }

@GCodable enum Fork<Left, Right> {
  case left(Left)
  case right(Right)
}

@GCodable struct Nested<Value> {
  var either: Fork<Value, [Value?]>
  var byName: [String: Value?]
}

extension Grid where Value: GCodable {
  @GCodable final class Row {
    var values: [Value]
    init(_ values: [Value]) { self.values = values }
  }
}

@GCodable struct Boxes {
  var corners: [4 of Double]
  var weights: InlineArray<3, Int>
  var nested: [2 of [2 of Int]]
  var strings: [2 of String]
  var objects: [2 of Fox]
  var none: [0 of Int]
  var maybe: [2 of Int]?
}

@Suite("@GCodable: constraints")
struct GenericKindTests {
  @Test func associatedTypesAreCodedWhereTheyAre() throws {
    #expect(try copy(First<[Int]>(first: 3)).first == 3)
    #expect((First<[Nothing]>.self as Any.Type) as? any GCodable.Type == nil)
    let window = try copy(Window<[String]>(range: 1..<3, last: "z", rest: ["a"]))
    #expect(window.range == 1..<3 && window.last == "z" && window.rest == ["a"])
    #expect(try copy(Steps<[Int]>(stride: 2)).stride == 2)
    #expect(try copy(Same<[Int]>(first: 4)).first == 4)
  }

  @Test func phantomsNeedNoConstraint() throws {
    #expect(try copy(Link(id: Identifier(raw: 5))) == Link(id: Identifier(raw: 5)))
    #expect(try copy(Tagged2<Nothing>(id: Identifier(raw: 6))).id.raw == 6)
  }

  @Test func constraintsOfOthersStay() throws {
    let lookup = try copy(Lookup(values: ["a": 1], keys: ["b"]))
    #expect(lookup.values == ["a": 1] && lookup.keys == ["b"])
    let fox = Fox("f")
    let reference = try copy(Reference(target: fox, back: fox))
    #expect(reference.back === reference.target)
    guard case .success(let value) = try copy(Outcome<Int, CancellationError>.success(3)) else {
      Issue.record("another case")
      return
    }
    #expect(value == 3)
  }

  @Test func payloadsOfAssociatedTypesAreCoded() throws {
    guard case .node(let value, .leaf, .leaf) = try copy(Tree<[Int]>.node(3, left: .leaf, right: .leaf))
    else {
      Issue.record("another case")
      return
    }
    #expect(value == 3)
  }

  @Test func parametersOfTypesAroundAreConstrained() throws {
    #expect(try copy(Grid<Int>.Cell(value: 3)).value == 3)
    guard case .set(4) = try copy(Grid<Int>.Change.set(4)) else {
      Issue.record("another case")
      return
    }
    let pair = try copy(Grid<Int>.Deep<String>.Pair(value: 1, other: "o"))
    #expect(pair.value == 1 && pair.other == "o")
    #expect((Grid<Nothing>.Cell.self as Any.Type) as? any GCodable.Type == nil)
  }

  @Test func numbersAsParametersNeedNoConstraint() throws {
    #expect(try copy(Matrix<2, 2>(numbers: [1, 2, 3, 4])).numbers.count == 4)
    let sized = try copy(Sized<3, Int>(values: [1, 2, 3]))
    #expect(sized.values[2] == 3)
  }

  @Test func packsOfPhantomsNeedNoConstraint() throws {
    #expect(try copy(Tuple<Int, Nothing>(count: 3, name: "n")) == Tuple(count: 3, name: "n"))
    #expect(try copy(Tuples<Nothing>(list: [4])).list == [4])
    let old = try bytes(ByHand.Older(fields: [("old", 5)]))
    #expect(try GraphDecoder().decode(Tuples<Int>.self, from: old).count == 5)
    let object = TupleObject<Int, Nothing>()
    TupleObject<Int, Nothing>.register()
    (object.count, object.other, object.next) = (5, object, object)
    let decoded = try copy(object)
    #expect(decoded.count == 5 && decoded.other === decoded && decoded.next === decoded)
  }

  @Test func parametersThatCannotBeCopiedStayPhantoms() throws {
    #expect(try copy(Handle<Unique>(number: 4)).number == 4 && copy(Handle<Int>(number: 5)).number == 5)
    guard case .full(6) = try copy(Slot<Unique, Int>.full(6)) else {
      Issue.record("another case")
      return
    }
  }

  @Test func associatedTypesOfUsersAreCodedWhereTheyAre() throws {
    #expect(try copy(Key<Person>(id: "p")).id == "p")
    #expect(try copy(Raw<EscapedRaw>(raw: "r")).raw == "r")
  }

  @Test func genericTypesInsideEachOtherRoundTrip() throws {
    let nested = try copy(Nested<Int>(either: .right([1, nil]), byName: ["a": nil, "b": 2]))
    guard case .right([1, nil]) = nested.either else {
      Issue.record("another case")
      return
    }
    #expect(nested.byName == ["a": nil, "b": 2])
    #expect(try copy(Grid<Int>.Row([1, 2])).values == [1, 2])
  }

  @Test func classesWithConstraintsRoundTrip() throws {
    #expect(try copy(Keeping<[Int]>(4)).first == 4)
    let cache = Cache<String, [Int]>()
    cache.values = ["a": [1]]
    #expect(try copy(cache).values == ["a": [1]])
  }

  @Test func inlineArraysAreStoredAsArrays() throws {
    let fox = Fox("f")
    let boxes = Boxes(
      corners: [1, 2, 3, 4], weights: [5, 6, 7], nested: [[1, 2], [3, 4]], strings: ["a", "b"],
      objects: [fox, fox], none: [], maybe: [8, 9])
    let decoded = try copy(boxes)
    #expect((0..<4).map { decoded.corners[$0] } == [1, 2, 3, 4] && decoded.weights[2] == 7)
    #expect(decoded.nested[1][0] == 3 && decoded.strings[1] == "b" && decoded.maybe?[1] == 9)
    #expect(decoded.objects[0] === decoded.objects[1])
    #expect(try bytes([1, 2, 3] as InlineArray<3, Int>) == bytes([1, 2, 3] as [Int]))
  }

  @Test func inlineArraysOfAnotherCountAreRefused() throws {
    #expect(throws: GCodableError.self) {
      try GraphDecoder().decode(InlineArray<4, Int>.self, from: bytes([1, 2, 3] as [Int]))
    }
  }
}
