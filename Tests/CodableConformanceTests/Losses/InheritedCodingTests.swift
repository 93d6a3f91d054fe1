import CyclicCoding
import Foundation
import GraphCodable
import PolyCodable
import Testing

/// Subclasses that add stored properties and inherit the coding of their superclass are refused.
@Suite("Inherited coding")
struct InheritedCodingTests {
  // MARK: GCodable by hand

  class Plane: GCodable {
    var model = "SR22"
    enum Key: String { case model }
    init() {}
    func fly() {}
    func encode(to encoder: GEncoder) throws { try encoder.encode(model, for: Key.model) }
    required init(from decoder: GDecoder) throws { model = try decoder.decode(for: Key.model) }
  }

  final class Jet: Plane { var engine = "E1" }

  private func expectLoss(
    of property: String, _ type: Any.Type, _ body: () throws -> Void
  ) throws {
    let error = try #require(#expect(throws: (any Error).self) { try body() })
    let text = "\(error)"
    #expect(text.contains("'\(property)'") && text.contains("\(type)") && text.contains("InheritsCoding"))
  }

  private func encode(_ plane: Plane) throws { _ = try GraphEncoder().encode([plane] as [Plane]) as Bytes }

  @Test func aSubclassThatAddsAPropertyIsRefused() throws {
    try expectLoss(of: "engine", Jet.self) { try encode(Jet()) }
    // As is the next instance, by the same encoder and by another one.
    let encoder = GraphEncoder()
    for _ in 0..<2 {
      try expectLoss(of: "engine", Jet.self) { _ = try encoder.encode([Jet()] as [Plane]) as Bytes }
      try expectLoss(of: "engine", Jet.self) { _ = try encoder.encode(Jet()) as Data }
    }
  }

  @Test func verificationFindsASubclassThatAddsAProperty() throws {
    try expectLoss(of: "engine", Jet.self) { try GraphCodableUti.verifyArchivable(root: [Jet()] as [Plane]) }
    let error = try #require(
      #expect(throws: GCodableError.self) {
        try GraphCodableUti.verifyArchivable(root: [Jet(), Plane(), Rocket()] as [Plane])
      })
    #expect("\(error)".contains("Jet") && "\(error)".contains("Rocket"))
  }

  class Rocket: Plane {
    var stages: [Int] = [1, 2]
    override func fly() {}
  }

  final class Shuttle: Rocket {}

  @Test func aSubclassThatOverridesAnotherMethodIsRefused() throws {
    try expectLoss(of: "stages", Rocket.self) { try encode(Rocket()) }
    try expectLoss(of: "stages", Rocket.self) { try encode(Shuttle()) }
  }

  final class Drone: Plane { weak var pilot: Plane? }

  @Test func aPropertyThatIsNilIsFound() throws {
    try expectLoss(of: "pilot", Drone.self) { try encode(Drone()) }
  }

  class Generic<Value: GCodable & Hashable, Other: Collection>: Plane where Other.Element == Value {
    var values: [Value] = []
  }

  final class Specific: Generic<Int, [Int]> {}

  final class Pack<each Value: GCodable, Other: Hashable>: Plane { var packed = 1 }

  final class Numbered<let count: Int, Value: GCodable>: Plane { var numbered = 1 }

  final class Both<let count: Int, each Value>: Plane {
    var both = 1
    override func fly() {}
  }

  @Test func genericClassesAreRefused() throws {
    try expectLoss(of: "values", Generic<Int, [Int]>.self) { try encode(Generic<Int, [Int]>()) }
    try expectLoss(of: "values", Generic<Int, [Int]>.self) { try encode(Specific()) }
    try expectLoss(of: "packed", Pack<Int, String, Int>.self) { try encode(Pack<Int, String, Int>()) }
    try expectLoss(of: "packed", Pack<Int>.self) { try encode(Pack<Int>()) }
    // Swift finds no class by numbers.
    Numbered<3, Int>.register()
    Both<3, Int, String>.register()
    try expectLoss(of: "numbered", Numbered<3, Int>.self) { try encode(Numbered<3, Int>()) }
    try expectLoss(of: "both", Both<3, Int, String>.self) { try encode(Both<3, Int, String>()) }
  }

  @propertyWrapper struct Clamped: Equatable {
    var wrappedValue: Int
  }

  final class Wrapped: Plane { @Clamped var height = 3 }

  final class Constant: Plane { let id = UUID() }

  @Test func wrappedAndConstantPropertiesAreNamed() throws {
    try expectLoss(of: "height", Wrapped.self) { try encode(Wrapped()) }
    try expectLoss(of: "id", Constant.self) { try encode(Constant()) }
  }

  final class Late: Plane {
    var size: Int
    init(size: Int) {
      self.size = size
      super.init()
    }
    required init(from decoder: GDecoder) throws {
      size = 0
      try super.init(from: decoder)
    }
  }

  @Test func aSubclassThatOnlyDecodesIsRefused() throws {
    try expectLoss(of: "size", Late.self) { try encode(Late(size: 3)) }
  }

  // MARK: What goes on as before

  final class Careful: Plane {
    var engine = "E1"
    enum Key: String { case e }
    override init() { super.init() }
    override func encode(to encoder: GEncoder) throws {
      try super.encode(to: encoder)
      try encoder.encode(engine, for: Key.e)
    }
    required init(from decoder: GDecoder) throws {
      engine = try decoder.decode(for: Key.e)
      try super.init(from: decoder)
    }
  }

  final class Sparse: Plane {
    var engine: String?
    var tags: [String] = []
    enum Key: String { case tags }
    override init() { super.init() }
    override func encode(to encoder: GEncoder) throws {
      try super.encode(to: encoder)
      if !tags.isEmpty { try encoder.encode(tags, for: Key.tags) }
    }
    required init(from decoder: GDecoder) throws {
      tags = try decoder.decodeIfPresent(for: Key.tags) ?? []
      try super.init(from: decoder)
    }
  }

  /// Leaves out all that it adds.
  final class Forgetful: Plane {
    var cache = [1: 2]
    override init() { super.init() }
    override func encode(to encoder: GEncoder) throws { try super.encode(to: encoder) }
    required init(from decoder: GDecoder) throws { try super.init(from: decoder) }
  }

  final class Lazy: Plane { lazy var length = model.count }

  final class Same: Plane { override func fly() {} }

  final class Cached: Plane, InheritsCoding { var cache = [1: "a"] }

  /// Its methods encode the properties of subclasses.
  class Template: GCodable {
    var name = "t"
    enum Key: String { case name, more, e }
    init() {}
    func encodeMore(to encoder: GEncoder) throws {}
    func decodeMore(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encodeMore(to: encoder)
    }
    required init(from decoder: GDecoder) throws {
      name = try decoder.decode(for: Key.name)
      try decodeMore(from: decoder)
    }
  }

  final class Filled: Template {
    var more = 1
    override func encodeMore(to encoder: GEncoder) throws { try encoder.encode(more, for: Key.e) }
    override func decodeMore(from decoder: GDecoder) throws { more = try decoder.decode(for: Key.e) }
  }

  @Test func classesWithCodingOfTheirOwnComeBack() throws {
    let planes: [Plane] = [Careful(), Sparse(), Forgetful(), Lazy(), Same(), Cached(), Plane()]
    (planes[0] as? Careful)?.engine = "changed"
    let copies = try GraphDecoder().decode([Plane].self, from: GraphEncoder().encode(planes) as Bytes)
    #expect((copies[0] as? Careful)?.engine == "changed")
    #expect(copies.map { "\(type(of: $0))" } == planes.map { "\(type(of: $0))" })
    try GraphCodableUti.verifyArchivable(root: planes)
    let filled = Filled()
    filled.more = 5
    let copy = try GraphDecoder().decode(
      Template.self, from: GraphEncoder().encode(filled as Template) as Bytes)
    #expect((copy as? Filled)?.more == 5)
  }

  // MARK: Codable

  class Car: Codable {
    var wheels = 4
    init() {}
    func honk() {}
  }

  class Van: Car { var load = 2.5 }

  final class Bus: Car {
    var seats = [1]
    override func honk() {}
  }

  final class Camper: Van {
    enum CodingKeys: CodingKey { case beds }
    var beds = 2
    override init() { super.init() }
    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(beds, forKey: .beds)
    }
    required init(from decoder: any Decoder) throws {
      beds = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .beds)
      try super.init(from: decoder)
    }
  }

  /// Leaves out all that it adds.
  final class Cart: Car {
    var seen = [1]
    override init() { super.init() }
    override func encode(to encoder: any Encoder) throws { try super.encode(to: encoder) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  final class Taxi: Car, InheritsCoding { var fare = 0 }

  static let ways: [Way] = [.archive, .canonicalArchive, .archiveFile, .flattened, .flattenedJSON]

  @Test(arguments: ways)
  func codableSubclassesThatAddPropertiesAreRefused(way: Way) throws {
    try expectLoss(of: "load", Van.self) { _ = try way.copy([Van()] as [Car]) }
    try expectLoss(of: "seats", Bus.self) { _ = try way.copy([Car(), Bus()]) }
    // The class in between has forgotten its own.
    try expectLoss(of: "load", Van.self) { _ = try way.copy(["a": Camper()]) }
  }

  @Test(arguments: ways)
  func codableSubclassesMayInheritOnPurpose(way: Way) throws {
    #expect(try way.copy([Taxi()])[0].wheels == 4)
    #expect(try way.copy([Cart()])[0].wheels == 4)
  }

  @Test func verificationFindsCodableSubclasses() throws {
    try expectLoss(of: "load", Van.self) { try GraphCodableUti.verifyArchivable(codableRoot: [Van()]) }
  }

  // MARK: PolyCodable

  enum AnimalType: String, PolymorphicClassTable {
    case dog, puppy
    var polymorphicClass: any PolyCodable.Type {
      switch self {
      case .dog: Dog.self
      case .puppy: Puppy.self
      }
    }
  }

  class Dog: DefaultKeyedPolymorphicClass<AnimalType> {
    init() { super.init(.dog) }
    override init(_ type: AnimalType) { super.init(type) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  final class Puppy: Dog {
    var toy = "ball"
  }

  @Test func polymorphicSubclassesThatAddPropertiesAreRefused() throws {
    try expectLoss(of: "toy", Puppy.self) { _ = try JSONEncoder().encode([Puppy(.puppy)]) }
    try expectLoss(of: "toy", Puppy.self) { _ = try CyclicEncoder().flatten([Puppy(.puppy)]) }
    _ = try JSONEncoder().encode([Dog()])
  }
}
