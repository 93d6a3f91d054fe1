import CodableTestSupport
import CyclicCoding
import Foundation
import PolyCodable
import Testing

/// Models as programs have them.
@Suite("CyclicCoding: models")
struct ModelTests {
  // MARK: Enums and generics

  enum Event: Codable, Equatable {
    case start
    case move(x: Double, y: Double, by: String?)
    case batch([Event])
    indirect case undo(Event)
    case note(Tagged<String>)
  }

  struct Tagged<Value: Codable & Equatable>: Codable, Equatable {
    var value: Value
    var tags: [String: Value?]
  }

  @Test(arguments: allWays)
  func enumsAndNestedGenericsComeBack(coder: AnyCoder?) throws {
    let events: [Event] = [
      .start, .move(x: 1, y: -2.5, by: nil),
      .batch([.start, .undo(.move(x: 0, y: 0, by: "me")), .batch([])]),
      .note(Tagged(value: "a", tags: ["b": nil, "c": "d"])),
    ]
    let value = Tagged(value: Tagged(value: events, tags: [:]), tags: [:])
    #expect(try copy(value, through: coder) == value)
  }

  // MARK: Class hierarchies with superEncoder

  class Vehicle: Codable {
    var wheels: Int
    var owner: Owner?

    init(wheels: Int, owner: Owner?) {
      self.wheels = wheels
      self.owner = owner
    }
  }

  final class Owner: Codable {
    var vehicles: [WeakCycleBreaker<Car>] = []
  }

  class Car: Vehicle {
    var doors: Int

    init(doors: Int, owner: Owner?) {
      self.doors = doors
      super.init(wheels: 4, owner: owner)
    }

    private enum CodingKeys: CodingKey { case doors, base }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      doors = try container.decode(Int.self, forKey: .doors)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let superEncoder = container.superEncoder()
      try container.encode(doors, forKey: .doors)
      // The superclass may be encoded last.
      try super.encode(to: superEncoder)
    }
  }

  final class Taxi: Car {
    var number: Int

    init(number: Int, owner: Owner?) {
      self.number = number
      super.init(doors: 5, owner: owner)
    }

    private enum CodingKeys: CodingKey { case car }

    required init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      number = try container.decode(Int.self)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(number)
      try super.encode(to: container.superEncoder())
    }
  }

  @Test(arguments: allWays)
  func hierarchiesWithSuperEncodersComeBack(coder: AnyCoder?) throws {
    let owner = Owner()
    let taxis = [Taxi(number: 7, owner: owner), Taxi(number: 8, owner: owner)]
    owner.vehicles = taxis.map { WeakCycleBreaker($0 as Car) }
    struct Fleet: Codable { var taxis: [Taxi] }
    let fleet = try copy(Fleet(taxis: taxis), through: coder)
    #expect(fleet.taxis.map(\.number) == [7, 8])
    #expect(fleet.taxis.map(\.doors) == [5, 5] && fleet.taxis.map(\.wheels) == [4, 4])
    #expect(fleet.taxis[0].owner != nil && fleet.taxis[0].owner === fleet.taxis[1].owner)
    #expect(fleet.taxis[0].owner?.vehicles.map { $0[] } == fleet.taxis.map { $0 })
  }

  @Test func superEncoderStandsUnderItsKey() throws {
    let flattened = try CyclicEncoder().flatten(Car(doors: 3, owner: nil))
    #expect("\(flattened)" == "referenced: [],\nroot: { super: { wheels: 4 },\n  doors: 3\n}")
  }

  // MARK: Nested containers

  struct Flat: Codable, Equatable {
    var latitude: Double
    var longitude: Double
    var tags: [String]

    private enum CodingKeys: CodingKey { case geometry, extra }
    private enum GeometryKeys: CodingKey { case point }

    init(latitude: Double, longitude: Double, tags: [String]) {
      self.latitude = latitude
      self.longitude = longitude
      self.tags = tags
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let geometry = try container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
      var point = try geometry.nestedUnkeyedContainer(forKey: .point)
      latitude = try point.decode(Double.self)
      longitude = try point.decode(Double.self)
      var extra = try container.nestedUnkeyedContainer(forKey: .extra)
      var lists: [[String]] = []
      while !extra.isAtEnd {
        if try extra.decodeNil() { continue }
        var list = try extra.nestedUnkeyedContainer()
        lists.append(try list.decodeIfPresent([String].self) ?? [])
      }
      tags = lists.flatMap { $0 }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var geometry = container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
      var point = geometry.nestedUnkeyedContainer(forKey: .point)
      try point.encode(latitude)
      try point.encode(longitude)
      var extra = container.nestedUnkeyedContainer(forKey: .extra)
      for tag in tags {
        try extra.encodeNil()
        var list = extra.nestedUnkeyedContainer()
        try list.encode([tag])
      }
    }
  }

  @Test(arguments: allWays)
  func nestedContainersComeBack(coder: AnyCoder?) throws {
    let places = [
      Flat(latitude: 1, longitude: 2, tags: ["a", "b"]), Flat(latitude: -0.5, longitude: 0, tags: []),
    ]
    #expect(try copy(places, through: coder) == places)
  }

  // MARK: With PolyCodable

  enum PartType: String, PolymorphicClassTable {
    case group, line
    var polymorphicClass: any PolyCodable.Type {
      switch self {
      case .group: Group.self
      case .line: Line.self
      }
    }
  }

  class Part: DefaultKeyedPolymorphicClass<PartType> {
    var parent = WeakCycleBreaker<Group>()

    private enum CodingKeys: CodingKey { case parent }
    override init(_ type: PartType) { super.init(type) }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      parent = try container.decode(WeakCycleBreaker<Group>.self, forKey: .parent)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(parent, forKey: .parent)
    }
  }

  final class Line: Part {
    init() { super.init(.line) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  final class Group: Part {
    var parts: [Part]

    init(_ parts: [Part]) {
      self.parts = parts
      super.init(.group)
      for part in parts { part.parent[] = self }
    }

    private enum CodingKeys: CodingKey { case parts }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      parts = try container.decodePolymorphic([Part].self, forKey: .parts)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(parts, forKey: .parts)
    }
  }

  struct Drawing: Codable {
    @Polymorphic var root: Part
    @Polymorphic var selection: [Part]
  }

  @Test(arguments: allWays)
  func classesAndIdentityComeBackTogether(coder: AnyCoder?) throws {
    let line = Line()
    let inner = Group([line])
    let drawing = Drawing(root: Group([inner, Line()]), selection: [line, inner])
    let copy = try copy(drawing, through: coder)
    let root = try #require(copy.root as? Group)
    let group = try #require(root.parts[0] as? Group)
    #expect(root.parts[1] is Line)
    #expect(copy.selection[0] === group.parts[0] && copy.selection[0] is Line)
    #expect(copy.selection[1] === group)
    #expect(group.parent[] === root && group.parts[0].parent[] === group && root.parent[] == nil)
  }
}

extension ModelTests.Car: Equatable {
  static func == (one: ModelTests.Car, other: ModelTests.Car) -> Bool { one === other }
}
