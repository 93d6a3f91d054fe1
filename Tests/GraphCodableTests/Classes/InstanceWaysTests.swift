import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles

/// All ways in which a decoder makes an instance of a class: each asks the list of allowed classes.
@Suite("Allowed classes, whichever way an instance is made")
struct InstanceWaysTests {
  /// A way to an instance of `types`, which an archive has with or without its class.
  struct Way: CustomTestStringConvertible, @unchecked Sendable {  // Types and functions are shared freely.
    let testDescription: String
    let types: [AnyClass]
    let bytes: () throws -> Bytes
    let decode: (GraphDecoder, Bytes) throws -> Void
    /// Whether an archive can have it without its class.
    var isNamed = true

    init<Root: GDecodable>(
      _ name: String, _ types: [AnyClass], as root: Root.Type, _ bytes: @escaping () throws -> Bytes
    ) {
      self.init(name, types, bytes) { _ = try $0.decode(root, from: $1) }
    }

    init(
      _ name: String, _ types: [AnyClass], _ bytes: @escaping () throws -> Bytes,
      _ decode: @escaping (GraphDecoder, Bytes) throws -> Void
    ) {
      (testDescription, self.types, self.bytes, self.decode) = (name, types, bytes, decode)
    }

    /// One that has no name of a class to leave out.
    var unnamed: Self {
      var way = self
      way.isNamed = false
      return way
    }
  }

  static let ways: [Way] = [
    theRoot(), anElement(), anOptionalElement(), aValueOfADictionary(), aFieldOfAClass(), aDeferredField(),
    anObjectThatIsBuiltInAdvance(), withoutAnIdentity(), behindAProtocol(), behindAProtocolThatIsAClass(),
    withoutAnIdentityBehindAClass(), ofAGenericClass(), inAnArgument(), askedForAsItsSuperclass(),
    byItsRawValue(), thatWritesItsOwnBytes(), inADataUnit(), inADataUnitAsAnOptional(),
    whereADataUnitStands(), codable(), codableWithoutAnIdentity(), codableOfAStructsFields(),
    codableOfAValueWithoutFields(), codableInAValueThatIsNot(), aPart(), aLazyValue(),
    aLazyValueWithoutObjects(), anEntryOfASeries(),
  ]

  // A function for each: the compiler takes minutes for one array of them.

  private static func theRoot() -> Way {
    Way("the root", [Animal.self], as: Animal.self) { try encoded(Animal(1)) }
  }

  private static func anElement() -> Way {
    Way("an element", [Animal.self], as: [Animal].self) { try encoded([Animal(1), Animal(2)]) }
  }

  private static func anOptionalElement() -> Way {
    Way("an optional element", [Animal.self], as: [Animal?].self) { try encoded([Animal(1), nil]) }
  }

  private static func aValueOfADictionary() -> Way {
    Way("a value of a dictionary", [Animal.self], as: [Int: Animal].self) { try encoded([1: Animal(1)]) }
  }

  private static func aFieldOfAClass() -> Way {
    Way("a field of a class", [Ways.Pen.self, Animal.self], as: Ways.Pen.self) {
      try encoded(Ways.Pen(Animal(1)))
    }
  }

  private static func aDeferredField() -> Way {
    Way("a deferred field", [Ways.Loop.self], as: Ways.Box.self) { try encoded(Ways.Box(Ways.Loop())) }
  }

  private static func anObjectThatIsBuiltInAdvance() -> Way {
    Way("an object that is built in advance", [Ways.Link.self], as: Ways.Link.self) {
      try encoded(Ways.Link.chain(1_000))
    }
  }

  private static func withoutAnIdentity() -> Way {
    Way("without an identity", [Animal.self], as: [Animal].self) {
      try encoded([Animal(1)], .disableIdentity)
    }
  }

  private static func behindAProtocol() -> Way {
    Way("behind a protocol", [Ways.Fox.self], as: GObject<any WaysWild>.self) {
      try encoded(GObject<any WaysWild>(Ways.Fox()))
    }
  }

  private static func behindAProtocolThatIsAClass() -> Way {
    Way("behind a protocol that is a class", [Ways.Fox.self], as: GObject<Ways.Fox>.self) {
      try encoded(GObject<Ways.Fox>(Ways.Fox()))
    }
  }

  private static func withoutAnIdentityBehindAClass() -> Way {
    Way("without an identity, behind a class", [Ways.Fox.self], as: [GObject<Ways.Fox>].self) {
      try encoded([GObject<Ways.Fox>(Ways.Fox())], .disableIdentity)
    }
  }

  private static func ofAGenericClass() -> Way {
    Way("of a generic class", [Holder<Int>.self], as: Holder<Int>.self) { try encoded(Holder(1)) }
  }

  private static func inAnArgument() -> Way {
    Way("in an argument", [Holder<[Animal]>.self, Animal.self], as: Holder<[Animal]>.self) {
      try encoded(Holder([Animal(1)]))
    }
  }

  private static func askedForAsItsSuperclass() -> Way {
    Way("asked for as its superclass", [Dog.self], as: [Animal].self) { try encoded([Dog(1)]) }
  }

  private static func byItsRawValue() -> Way {
    Way("by its raw value", [Ways.Grade.self], as: [Ways.Grade].self) {
      try encoded([Ways.Grade(rawValue: 1)!])
    }
  }

  private static func thatWritesItsOwnBytes() -> Way {
    Way("that writes its own bytes", [Ways.Unit.self], as: [Ways.Unit].self) { try encoded([Ways.Unit(1)]) }
  }

  private static func inADataUnit() -> Way {
    Way("in a data unit", [Ways.Unit.self], as: Ways.Units.self) { try encoded(Ways.Units([Ways.Unit(1)])) }
      .unnamed
  }

  private static func inADataUnitAsAnOptional() -> Way {
    Way("in a data unit, as an optional", [Ways.Unit.self], as: Ways.Maybe.self) {
      try encoded(Ways.Maybe(Ways.Unit(1)))
    }.unnamed
  }

  private static func whereADataUnitStands() -> Way {
    Way("where a data unit stands", [Ways.Unit.self], as: Ways.Unit.self) { try encoded(Ways.Lone(1)) }
      .unnamed
  }

  private static func codable() -> Way {
    Way(
      "Codable", [Plane.self], { try GraphEncoder().encode(codable: [Plane()]) },
      { _ = try $0.decode(codable: [Plane].self, from: $1) })
  }

  private static func codableWithoutAnIdentity() -> Way {
    Way(
      "Codable, without an identity", [Plane.self],
      { try GraphEncoder(.disableIdentity).encode(codable: [Plane()]) },
      { _ = try $0.decode(codable: [Plane].self, from: $1) })
  }

  private static func codableOfAStructsFields() -> Way {
    Way(
      "Codable, of a struct's fields", [Ways.Point.self],
      { try GraphEncoder().encode(codable: [Ways.PointValue(x: 1)]) },
      { _ = try $0.decode(codable: [Ways.Point].self, from: $1) }
    ).unnamed
  }

  private static func codableOfAValueWithoutFields() -> Way {
    Way(
      "Codable, of a value without fields", [Ways.Number.self], { try GraphEncoder().encode(codable: [7]) },
      { _ = try $0.decode(codable: [Ways.Number].self, from: $1) }
    ).unnamed
  }

  private static func codableInAValueThatIsNot() -> Way {
    Way("Codable, in a value that is not", [Plane.self], as: Ways.Hangar.self) {
      try encoded(Ways.Hangar(plane: Plane()))
    }
  }

  private static func aPart() -> Way {
    Way(
      "a part", [Animal.self], { try encoded([Animal(1)]) },
      { _ = try GraphArchive($1).decode(Animal.self, at: "[0]", using: $0) })
  }

  private static func aLazyValue() -> Way {
    Way(
      "a lazy value", [Animal.self], { try encoded(Ways.Later(value: GLazy([Animal(1)]))) },
      { _ = try GraphArchive($1).decode(Ways.Later.self, using: $0).value.get() })
  }

  private static func aLazyValueWithoutObjects() -> Way {
    Way(
      "a lazy value without objects", [Ways.Unit.self],
      { try encoded(Ways.Later2(value: GLazy(Ways.Units([Ways.Unit(1)])))) },
      { _ = try GraphArchive($1).decode(Ways.Later2.self, using: $0).value.get() }
    ).unnamed
  }

  private static func anEntryOfASeries() -> Way {
    Way(
      "an entry of a series", [Animal.self], { try encoded([Animal(1)]) },
      { decoder, bytes in
        let folder = try TemporaryFolder()
        let writer = try GraphArchiveSeries.Writer(folder.file("series"))
        try writer.append(GraphArchive(bytes), step: 1, time: 1)
        let series = try GraphArchiveSeries(folder.file("series"))
        _ = try decoder.read([Animal].self, from: series[0])
      })
  }

  /// The archive with no name of a class, so that what is asked for is all that is known.
  private func unnamed(_ bytes: Bytes) throws -> Bytes {
    try Forge(bytes).changingContents { contents in
      for index in contents.shapes.indices { contents.shapes[index].classNumber = 0 }
    }
  }

  private func expectRefusal(_ way: Way, _ decoder: GraphDecoder, _ bytes: Bytes) {
    let error = #expect(throws: GCodableError.self) { try way.decode(decoder, bytes) }
    #expect(error?.code == .classNotFound, "\(error.map(String.init(describing:)) ?? "made")")
  }

  @Test(arguments: ways + otherWays) func anInstanceIsMadeOnlyIfItsClassIsListed(way: Way) throws {
    var archives = [try way.bytes()]
    if way.isNamed && way.testDescription != "behind a protocol" { archives.append(try unnamed(archives[0])) }
    for (index, bytes) in archives.enumerated() {
      // A superclass, a protocol: what is asked for is not what is listed.
      let isKnown =
        index == 0 || way.testDescription != "asked for as its superclass"
      if isKnown {
        try way.decode(GraphDecoder(allowing: .all), bytes)
        try way.decode(GraphDecoder(allowing: AllowedClasses(way.types)), bytes)
      }
      expectRefusal(way, GraphDecoder(allowing: []), bytes)
      expectRefusal(way, GraphDecoder(allowing: [Cat.self, Holder<Double>.self]), bytes)
      expectRefusal(way, GraphDecoder(allowing: .registeredOnly), bytes)
      for left in way.types {
        expectRefusal(way, GraphDecoder(allowing: AllowedClasses(way.types.filter { $0 != left })), bytes)
      }
    }
  }

  @Test func aGenericClassIsNotMadeWithOtherArguments() throws {
    let bytes = try unnamed(encoded(Holder("x")))
    let decoder = GraphDecoder(allowing: [Holder<Int>.self])
    let error = #expect(throws: GCodableError.self) { try decoder.decode(Holder<String>.self, from: bytes) }
    #expect(error?.code == .classNotFound)
    #expect(error?.description.contains("without its class") == true)
    // The same in a decoder that has made an allowed one.
    #expect(try decoder.decode(Holder<Int>.self, from: unnamed(encoded(Holder(1)))).value == 1)
    #expect(throws: GCodableError.self) { try decoder.decode(Holder<String>.self, from: bytes) }
  }

  @Test func whatIsSetOrReplacedMayBeMadeWithoutItsName() throws {
    let decoder = GraphDecoder(allowing: [Ways.Pond.self])
    #expect(try decoder.decode([Ways.Lake].self, from: unnamed(encoded([Ways.Lake(7)]))).map(\.depth) == [7])
    let setting = GraphDecoder(allowing: [])
    setting.setClass(Dog.self, for: .qualifiedName("Wolf"))
    #expect(try setting.decode([Dog].self, from: unnamed(encoded([Dog(1)]))).map(\.number) == [1])
  }

  /// Registering is for the whole process, so the class is one that no other test uses.
  @Test func registeredClassesAreMadeWithoutTheirNames() throws {
    let bytes = try unnamed(encoded([Ways.Registered(3)]))
    let decoder = GraphDecoder(allowing: .registeredOnly)
    #expect(throws: GCodableError.self) { try decoder.decode([Ways.Registered].self, from: bytes) }
    Ways.Registered.register()
    #expect(try decoder.decode([Ways.Registered].self, from: bytes).map(\.number) == [3])
  }
}
