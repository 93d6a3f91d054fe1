import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Inheritance")
struct InheritanceTests {
  @Test func subclassesComeBackFromEveryContainer() throws {
    let objects = [Base(name: "b"), Derived(name: "d", size: 1), Grand(name: "g", size: 2, extra: 3)]
    let expected = objects.map { ObjectIdentifier(type(of: $0)) }
    func classes(_ objects: some Sequence<Base?>) -> [ObjectIdentifier?] {
      objects.map { $0.map { ObjectIdentifier(type(of: $0)) } }
    }
    try #expect(classes(roundTrip(objects)) == expected)
    try #expect(classes(roundTrip(ContiguousArray(objects))) == expected)
    try #expect(classes(roundTrip(objects.map(Optional.init))) == expected)
    let named = try roundTrip(["a": objects[0], "b": objects[1], "c": objects[2]])
    #expect(classes(["a", "b", "c"].map { named[$0] }) == expected)
    try #expect(classes(roundTrip([[objects]])[0][0]) == expected)
    let grand = try #require(try roundTrip(objects[2]) as? Grand)
    #expect((grand.name, grand.size, grand.extra) == ("g", 2, 3))
  }

  @Test func anObjectReachedByItsClassAndItsSuperclassIsOne() throws {
    struct Pair: GCodable {
      var base: Base
      var derived: Derived
      init(_ object: Derived) { (base, derived) = (object, object) }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(base, for: Letter.a)
        try encoder.encode(derived, for: Letter.b)
      }
      init(from decoder: GDecoder) throws {
        derived = try decoder.decode(for: Letter.b)
        base = try decoder.decode(for: Letter.a)
      }
    }
    let copy = try roundTrip(Pair(Derived(name: "d", size: 1)))
    #expect(copy.base === copy.derived)
  }

  @Test func anObjectOfAnotherClassThanRequestedThrows() throws {
    let bytes = try script { try $0.encode(Base(name: "b"), for: Letter.a) }
    let error = #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) { _ = try $0.decode(Derived.self, for: Letter.a) }
    }
    #expect(error?.code == .typeMismatch)
    #expect(error?.description.contains("Base") == true)
    #expect(error?.description.contains("Derived") == true)
  }

  @Test func genericClassesComeBack() throws {
    let objects: [GenericBase] = [
      Generic(1), Generic("two"), Generic([Base(name: "b"), Derived(name: "d", size: 4)]),
      Generic(Generic<Double?>(nil)),
    ]
    let copy = try roundTrip(objects)
    #expect((copy[0] as? Generic<Int>)?.value == 1)
    #expect((copy[1] as? Generic<String>)?.value == "two")
    #expect((copy[2] as? Generic<[Base]>)?.value[1] is Derived)
    #expect((copy[3] as? Generic<Generic<Double?>>)?.value.value == .some(nil))
  }

  @Test func classesNestedInTypesComeBack() throws {
    let copy = try roundTrip([Outer.Inner(name: "i"), Outer.Box<Int>.Content(name: "c")] as [Base])
    #expect(copy[0] is Outer.Inner)
    #expect(copy[1] is Outer.Box<Int>.Content)
  }

  @Test func aPrivateClassThrowsAndSaysWhatToDo() throws {
    for object in [
      Hidden(name: "h"),
      {
        class Local: Base {}; return Local(name: "l")
      }(),
    ] {
      #expect(!object.supportsCodableInheritance)
      let error = #expect(throws: GCodableError.self) { try encoded([object]) }
      #expect(error?.code == .classNotConstructible)
      #expect(error?.description.contains("GInheritance") == true)
      #expect(error?.typeName?.isEmpty == false)
    }
    #expect(Base(name: "b").supportsCodableInheritance)
    #expect(Base.supportsCodableInheritance)
    #expect(Generic<Int>.supportsCodableInheritance)
  }

  @Test func aPrivateClassWithoutInheritanceIsStoredAsItsStaticType() throws {
    let secret = Secret("s")
    let copy = try roundTrip([secret, secret, Secret("t")])
    #expect(copy.map(\.text) == ["s", "s", "t"])
    #expect(copy[0] === copy[1])
    let error = #expect(throws: GCodableError.self) { try encoded([secret], .ignoreGInheritanceProtocol) }
    #expect(error?.code == .classNotConstructible)
  }

  @Test func inheritanceIsDecidedInstanceByInstance() throws {
    let all = [Choosing(true), Choosing(false), ChoosingMore(true), ChoosingMore(false)]
    let copy = try roundTrip(all)
    #expect(copy.map { type(of: $0) == ChoosingMore.self } == [false, false, false, true])
    #expect(copy.map(\.isAnonymous) == [true, false, true, false])
  }

  @Test func disableInheritanceStoresTheStaticType() throws {
    let derived = Derived(name: "d", size: 1)
    let copy = try roundTrip([derived, derived] as [Base], .disableInheritance)
    #expect(copy.allSatisfy { type(of: $0) == Base.self && $0.name == "d" })
    #expect(copy[0] === copy[1])
  }
}

class Grand: Derived {
  let extra: Int
  init(name: String, size: Int, extra: Int) {
    self.extra = extra
    super.init(name: name, size: size)
  }
  required init(from decoder: GDecoder) throws {
    extra = try decoder.decode()
    try super.init(from: decoder)
  }
  override func encode(to encoder: GEncoder) throws {
    try encoder.encode(extra)
    try super.encode(to: encoder)
  }
}

class GenericBase: GCodable {
  init() {}
  required init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

final class Generic<Value: GCodable>: GenericBase {
  let value: Value
  init(_ value: Value) {
    self.value = value
    super.init()
  }
  required init(from decoder: GDecoder) throws {
    value = try decoder.decode()
    try super.init(from: decoder)
  }
  override func encode(to encoder: GEncoder) throws { try encoder.encode(value) }
}

enum Outer {
  final class Inner: Base {}
  struct Box<T> {
    final class Content: Base {}
  }
}

private final class Hidden: Base {}

private final class Secret: GCodable, GInheritance {
  let text: String
  var disableInheritance: Bool { true }
  init(_ text: String) { self.text = text }
  init(from decoder: GDecoder) throws { text = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(text) }
}

class Choosing: GCodable, GInheritance {
  let isAnonymous: Bool
  var disableInheritance: Bool { isAnonymous }
  init(_ isAnonymous: Bool) { self.isAnonymous = isAnonymous }
  required init(from decoder: GDecoder) throws { isAnonymous = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(isAnonymous) }
}

final class ChoosingMore: Choosing {}
