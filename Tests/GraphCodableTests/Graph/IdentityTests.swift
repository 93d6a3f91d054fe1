import GraphCodable
import GraphCodableTestSupport
import Testing

/// A value with an identity of its own choice.
struct Tagged: GCodable, GIdentifiable {
  /// Not encoded.
  let gcodableID: Int?
  var name: String

  init(_ gcodableID: Int?, _ name: String) { (self.gcodableID, self.name) = (gcodableID, name) }

  func encode(to encoder: GEncoder) throws {
    Self.encodeCount.value += 1
    try encoder.encode(name)
  }

  init(from decoder: GDecoder) throws {
    gcodableID = nil
    name = try decoder.decode()
  }

  /// How often a value was encoded on this task.
  final class Counter { var value = 0 }
  @TaskLocal static var encodeCount = Counter.make()
}

extension Tagged.Counter: @unchecked Sendable {
  static func make() -> Tagged.Counter { Tagged.Counter() }
}

@Suite("Identity")
struct IdentityTests {
  @Test func anObjectMetTwiceIsOneObject() throws {
    let shared = Base(name: "shared")
    let copy = try roundTrip(["a": [shared], "b": [shared, Base(name: "shared")]])
    let first = try #require(copy["a"]?[0])
    #expect(first === copy["b"]?[0])
    #expect(first !== copy["b"]?[1])
    #expect(copy["b"]?[1].name == "shared")
  }

  @Test func aValueWithAnIdentityIsEncodedOnce() throws {
    let counter = Tagged.Counter()
    try Tagged.$encodeCount.withValue(counter) {
      let values = [
        Tagged(1, "one"), Tagged(2, "two"), Tagged(1, "never seen"), Tagged(nil, "no"), Tagged(nil, "no"),
      ]
      let copy = try roundTrip(values)
      #expect(copy.map(\.name) == ["one", "two", "one", "no", "no"])
      #expect(counter.value == 4)
    }
  }

  @Test func identifiableTypesNeedNoMore() throws {
    struct Item: GCodable, Identifiable, GIdentifiable {
      let id: Int
      var text: String
      init(_ id: Int, _ text: String) { (self.id, self.text) = (id, text) }
      func encode(to encoder: GEncoder) throws { try encoder.encode(text) }
      init(from decoder: GDecoder) throws {
        id = 0
        text = try decoder.decode()
      }
    }
    #expect(try roundTrip([Item(1, "a"), Item(1, "b"), Item(2, "c")]).map(\.text) == ["a", "a", "c"])
  }

  @Test func aClassChoosesItsOwnIdentity() throws {
    final class Named: GCodable, GIdentifiable {
      let name: String
      var gcodableID: String? { name.isEmpty ? nil : name }
      init(_ name: String) { self.name = name }
      func encode(to encoder: GEncoder) throws { try encoder.encode(name) }
      init(from decoder: GDecoder) throws { name = try decoder.decode() }
    }
    let nameless = Named("")
    // A local class cannot be found by its name, so it is stored without.
    let copy = try GraphDecoder().decode(
      [Named].self,
      from: encoded([Named("a"), Named("a"), Named("b"), nameless, nameless], .disableInheritance))
    #expect(copy[0] === copy[1])
    #expect(copy[0] !== copy[2])
    // nil: no identity, so the same object becomes two.
    #expect(copy[3] !== copy[4])
    #expect(copy.map(\.name) == ["a", "a", "b", "", ""])
  }

  @Test func aBoxedArrayIsSharedByTheIdentityOfItsBox() throws {
    let a = SharedArray([1, 2])
    let b = SharedArray([a, a])
    let root = SharedArray([b, b])
    let copy = try roundTrip(root)
    #expect(
      copy.box.value.map { $0.box.value.map(\.box.value) } == [[[1, 2], [1, 2]], [[1, 2], [1, 2]]])
    #expect(copy.box.value[0].box === copy.box.value[1].box)
    #expect(copy.box.value[0].box.value[0].box === copy.box.value[1].box.value[1].box)
    #expect(try encoded(root).count < encoded(root, .ignoreGIdentifiableProtocol).count)
  }
}

/// The guide's array with copy on write and the identity of its box.
struct SharedArray<Element: GCodable>: GCodable, GIdentifiable {
  final class Box {
    var value: [Element]
    init(_ value: [Element]) { self.value = value }
  }

  let box: Box

  init(_ value: [Element]) { box = Box(value) }
  var gcodableID: ObjectIdentifier? { ObjectIdentifier(box) }
  init(from decoder: GDecoder) throws { box = Box(try decoder.decode()) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(box.value) }
}
