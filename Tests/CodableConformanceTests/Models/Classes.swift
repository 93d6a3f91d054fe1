import CyclicCoding
import PolyCodable
import Testing

extension ModelCase {
  static let classes: [ModelCase] = [
    ModelCase("a hierarchy with superEncoder", Way.inAnyOrder) { way in
      let copy = try way.copy([Taxi(number: 7), Taxi(number: 8)])
      #expect(copy.map(\.number) == [7, 8] && copy.map(\.doors) == [5, 5] && copy.map(\.wheels) == [4, 4])
    },
    ModelCase("a hierarchy in one container") { way in
      let copy = try way.copy(["a": Savings(owner: "Ann", rate: 0.5)])
      #expect(copy["a"]?.owner == "Ann" && copy["a"]?.rate == 0.5)
    },
    ModelCase("shared objects", Way.withIdentity) { way in
      let owner = Account(owner: "Ann")
      let copy = try way.copy([
        Pocket(account: owner), Pocket(account: Account(owner: "Ben")), Pocket(account: owner),
      ])
      #expect(copy.map(\.account.owner) == ["Ann", "Ben", "Ann"])
      #expect(copy[0].account === copy[2].account && copy[0].account !== copy[1].account)
    },
    ModelCase("objects that lead back", Way.withIdentity) { way in
      let folder = Folder("a", [Folder("b", [Folder("c")]), Folder("d")])
      let copy = try way.copy(folder)
      #expect(copy.folders.map(\.name) == ["b", "d"] && copy.folders[0].folders.map(\.name) == ["c"])
      #expect(copy.parent[] == nil && copy.folders.allSatisfy { $0.parent[] === copy })
      #expect(copy.folders[0].folders[0].root[] === copy)
    },
    ModelCase("polymorphic classes") { way in
      let copy = try way.copy(
        Zoo(
          star: Cat(), animals: [Dog(tricks: 3), Cat()], cages: ["x": [Dog(tricks: 1), nil]], missing: nil))
      #expect(copy.star is Cat && copy.missing == nil)
      #expect((copy.animals[0] as? Dog)?.tricks == 3 && copy.animals[1] is Cat)
      #expect((copy.cages["x"]?[0] as? Dog)?.tricks == 1 && copy.cages["x"]?.count == 2)
    },
    ModelCase("polymorphic roots") { way in
      let copy = try way.copy(Polymorphic<[Animal?]>(wrappedValue: [Dog(tricks: 2), nil])).wrappedValue
      #expect((copy[0] as? Dog)?.tricks == 2 && copy[1] == nil && copy.count == 2)
      let root = try way.copy(Polymorphic<Animal>(wrappedValue: Cat()))
      #expect(root.wrappedValue is Cat)
    },
    ModelCase("polymorphic objects that are shared", Way.withIdentity) { way in
      let cat = Cat()
      let copy = try way.copy(
        Zoo(star: cat, animals: [cat, Dog(tricks: 1)], cages: ["x": [cat]], missing: cat))
      #expect(
        copy.animals[0] === copy.star && copy.cages["x"]?[0] === copy.star && copy.missing === copy.star)
    },
  ]
}

class Vehicle: Codable {
  var wheels: Int
  init(wheels: Int) { self.wheels = wheels }
}

class Car: Vehicle {
  var doors: Int

  init(doors: Int) {
    self.doors = doors
    super.init(wheels: 4)
  }

  private enum CodingKeys: CodingKey { case doors }

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

  init(number: Int) {
    self.number = number
    super.init(doors: 5)
  }

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

class Account: Codable {
  var owner: String
  init(owner: String) { self.owner = owner }
}

/// Its keys stand beside those of its superclass.
final class Savings: Account {
  var rate: Double

  init(owner: String, rate: Double) {
    self.rate = rate
    super.init(owner: owner)
  }

  private enum CodingKeys: CodingKey { case rate }

  required init(from decoder: any Decoder) throws {
    rate = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .rate)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rate, forKey: .rate)
  }
}

struct Pocket: Codable { var account: Account }

final class Folder: Codable {
  var name: String
  var parent = WeakCycleBreaker<Folder>()
  var root: UnownedCycleBreaker<Folder>
  var folders: [Folder]

  init(_ name: String, _ folders: [Folder] = []) {
    self.name = name
    self.folders = folders
    root = UnownedCycleBreaker()
    root[] = self
    for folder in folders {
      folder.parent[] = self
      folder.takeRoot(self)
    }
  }

  private func takeRoot(_ root: Folder) {
    self.root[] = root
    for folder in folders { folder.takeRoot(root) }
  }
}

enum AnimalType: String, PolymorphicClassTable {
  case cat, dog
  var polymorphicClass: any PolyCodable.Type {
    switch self {
    case .cat: Cat.self
    case .dog: Dog.self
    }
  }
}

typealias Animal = DefaultKeyedPolymorphicClass<AnimalType>

final class Cat: Animal {
  init() { super.init(.cat) }
  required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
}

final class Dog: Animal {
  var tricks: Int
  private enum CodingKeys: CodingKey { case tricks }

  init(tricks: Int) {
    self.tricks = tricks
    super.init(.dog)
  }

  required init(from decoder: any Decoder) throws {
    tricks = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .tricks)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tricks, forKey: .tricks)
  }
}

struct Zoo: Codable {
  @Polymorphic var star: Animal
  @Polymorphic var animals: [Animal]
  @Polymorphic var cages: [String: [Animal?]]
  @Polymorphic var missing: Animal?
}
