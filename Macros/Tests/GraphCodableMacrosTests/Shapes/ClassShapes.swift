import Foundation
import GraphCodableMacros
import Testing

@GCodable class Animal {
  let name: String
  var age: Int

  init(name: String, age: Int) {
    self.name = name
    self.age = age
  }
}

@GCodable class Dog: Animal {
  var tricks: [String]

  init(name: String, age: Int, tricks: [String]) {
    self.tricks = tricks
    super.init(name: name, age: age)
  }
}

@GCodable final class Puppy: Dog {
  var weeks: Int

  init(name: String, weeks: Int) {
    self.weeks = weeks
    super.init(name: name, age: 0, tricks: [])
  }
}

/// A subclass without anything to store.
@GCodable final class Cat: Animal {}

@GCodable final class Leaf { let value: Int; init(_ value: Int) { self.value = value } }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@GCodable open class OpenShape {
  public var name: String
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(name: String) { self.name = name }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@GCodable open class OpenSubclass: OpenShape {
  public var size = 0
  public override init(name: String) { super.init(name: name) }
}

@GCodable class WithDefaults {
  var count = 1
  var text: String?
}

@GCodable class Named: CustomStringConvertible, Hashable {
  var name: String
  init(name: String) { self.name = name }
  var description: String { name }
  static func == (one: Named, other: Named) -> Bool { one.name == other.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@GCodable class Declared: GCodable {
  var value: Int
  init(_ value: Int) { self.value = value }
}

@GCodable class Mixed: Codable {
  var value: Int
  init(_ value: Int) { self.value = value }
}

@GCodable final class MixedSubclass: Mixed {
  var extra: Int
  private enum CodingKeys: CodingKey { case extra }

  init(_ value: Int, extra: Int) {
    self.extra = extra
    super.init(value)
  }

  required init(from decoder: any Decoder) throws {
    extra = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .extra)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(extra, forKey: .extra)
  }
}

/// What does not know of archives.
class Machine {
  var isOn = false
}

@GCodable(inherits: false) class Printer: Machine {
  var pages: Int
  weak var neighbour: Printer?

  init(pages: Int) {
    self.pages = pages
    super.init()
  }
}

/// By hand, with a subclass that the macro codes.
class Instrument: GCodable {
  var name: String
  init(name: String) { self.name = name }
  private enum Key: String { case name }
  func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: Key.name) }
  required init(from decoder: GDecoder) throws { name = try decoder.decode(for: Key.name) }
}

@GCodable class Piano: Instrument {
  var keys: Int
  init(keys: Int) {
    self.keys = keys
    super.init(name: "piano")
  }
}

/// By hand, with a superclass that the macro codes.
final class Grand: Piano {
  var length: Double
  init(length: Double) {
    self.length = length
    super.init(keys: 88)
  }
  private enum Key: String { case length }
  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(length, for: Key.length)
  }
  required init(from decoder: GDecoder) throws {
    length = try decoder.decode(for: Key.length)
    try super.init(from: decoder)
  }
}

protocol Stored: GCodable, AnyObject {}

/// The compiler does not say whether it is a superclass that conforms.
@GCodable(inherits: false) class Implied: Stored {
  var value: Int
  init(_ value: Int) { self.value = value }
}

struct Room {
  @GCodable final class Chair { var legs: Int; init(legs: Int) { self.legs = legs } }
  @GCodable final class Stool: Furniture {
    var height: Int
    init(height: Int) {
      self.height = height
      super.init(kind: "stool")
    }
  }
}

@GCodable class Furniture {
  var kind: String
  init(kind: String) { self.kind = kind }
}

// MARK: By hand

class AnimalByHand: GCodable, Equatable {
  let name: String
  var age: Int
  private enum Key: String { case name, age }

  init(_ animal: Animal) { (name, age) = (animal.name, animal.age) }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(age, for: Key.age)
  }

  required init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    age = try decoder.decode(for: Key.age)
  }

  static func == (one: AnimalByHand, other: AnimalByHand) -> Bool {
    one.name == other.name && one.age == other.age
  }
}

final class DogByHand: AnimalByHand {
  var tricks: [String]
  private enum Key: String { case tricks }

  init(_ dog: Dog) {
    tricks = dog.tricks
    super.init(dog)
  }

  override func encode(to encoder: GEncoder) throws {
    try encoder.encode(tricks, for: Key.tricks)
    try super.encode(to: encoder)
  }

  required init(from decoder: GDecoder) throws {
    tricks = try decoder.decode(for: Key.tricks)
    try super.init(from: decoder)
  }
}

extension Animal: Equatable {
  static func == (one: Animal, other: Animal) -> Bool {
    one.name == other.name && one.age == other.age && (one as? Dog)?.tricks == (other as? Dog)?.tricks
      && (one as? Puppy)?.weeks == (other as? Puppy)?.weeks
  }
}

@Suite("@GCodable: classes")
struct ClassShapeTests {
  @Test func rootsAreWrittenAsByHand() throws {
    let animal = Animal(name: "a", age: 3)
    try expectTwins(animal, AnimalByHand(animal))
  }

  @Test func subclassesWriteTheirOwnPartFirst() throws {
    let dog = Dog(name: "d", age: 3, tricks: ["sit"])
    try expectTwins(dog, DogByHand(dog))
  }

  @Test func instancesComeBackAsTheirClass() throws {
    let animals = [
      Animal(name: "a", age: 1), Dog(name: "d", age: 2, tricks: ["sit"]), Puppy(name: "p", weeks: 6),
      Cat(name: "c", age: 4),
    ]
    let copies = try copy(animals)
    #expect(copies == animals)
    #expect(copies.map { "\(type(of: $0))" } == ["Animal", "Dog", "Puppy", "Cat"])
  }

  @Test func sharedObjectsStayOne() throws {
    let leaf = Leaf(1)
    let copies = try copy([leaf, leaf])
    #expect(copies[0] === copies[1])
  }

  @Test func openClassesRoundTrip() throws {
    let shape = OpenSubclass(name: "open")
    shape.size = 3
    let decoded = try copy([shape, OpenShape(name: "o")])
    #expect((decoded[0] as? OpenSubclass)?.size == 3)
    #expect(decoded.map(\.name) == ["open", "o"])
  }

  @Test func classWithoutInitializersKeepsTheOneOfSwift() throws {
    let value = WithDefaults()
    value.count = 4
    let decoded = try copy(value)
    #expect(decoded.count == 4 && decoded.text == nil)
  }

  @Test func protocolsAreNoSuperclass() throws {
    #expect(try copy(Named(name: "n")) == Named(name: "n"))
    #expect(try copy(Declared(1)).value == 1)
    #expect(try copy(Implied(1)).value == 1)
  }

  @Test func codableClassesStayAsTheyAre() throws {
    let value = MixedSubclass(1, extra: 2)
    let decoded = try copy(value)
    #expect(decoded.value == 1 && decoded.extra == 2)
    let json = try JSONDecoder().decode(MixedSubclass.self, from: JSONEncoder().encode(value))
    #expect(json.value == 1 && json.extra == 2)
  }

  @Test func superclassThatIsNotStoredIsMadeAnew() throws {
    let printers = [Printer(pages: 1), Printer(pages: 2)]
    printers[0].neighbour = printers[1]
    printers[1].isOn = true
    let copies = try copy(printers)
    #expect(copies.map(\.pages) == [1, 2])
    #expect(copies[0].neighbour === copies[1] && !copies[1].isOn)
  }

  @Test func classesByHandAndByMacroInheritFromEachOther() throws {
    let copies = try copy([Instrument(name: "i"), Piano(keys: 61), Grand(length: 2.5)])
    #expect(copies.map(\.name) == ["i", "piano", "piano"])
    #expect((copies[1] as? Piano)?.keys == 61)
    #expect((copies[2] as? Grand)?.length == 2.5)
  }

  @Test func nestedClassesRoundTrip() throws {
    #expect(try copy(Room.Chair(legs: 3)).legs == 3)
    let stool = try copy(Room.Stool(height: 70))
    #expect(stool.height == 70 && stool.kind == "stool")
  }
}
