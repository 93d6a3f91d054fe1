import Foundation
import PolyCodable

// A hierarchy of three levels behind the standard base class, with a table of its classes.

enum AnimalType: String, PolymorphicClassTable {
  case animal, dog, puppy, cat

  var polymorphicClass: any PolyCodable.Type {
    switch self {
    case .animal: Animal.self
    case .dog: Dog.self
    case .puppy: Puppy.self
    case .cat: Cat.self
    }
  }
}

class Animal: DefaultKeyedPolymorphicClass<AnimalType> {
  let name: String

  init(_ type: AnimalType = .animal, name: String) {
    self.name = name
    super.init(type)
  }

  private enum CodingKeys: CodingKey { case name }

  required init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
  }

  /// Class and properties, to compare animals by.
  var text: String { "\(type(of: self)) \(name)" }
}

class Dog: Animal {
  let toys: [String]

  init(_ type: AnimalType = .dog, name: String, toys: [String] = []) {
    self.toys = toys
    super.init(type, name: name)
  }

  private enum CodingKeys: CodingKey { case toys }

  required init(from decoder: any Decoder) throws {
    toys = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .toys)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(toys, forKey: .toys)
  }

  override var text: String { "\(super.text) \(toys)" }
}

/// Refers to animals itself.
final class Puppy: Dog {
  let mother: Dog
  let friends: [Animal?]

  init(name: String, mother: Dog, friends: [Animal?]) {
    self.mother = mother
    self.friends = friends
    super.init(.puppy, name: name)
  }

  private enum CodingKeys: CodingKey { case mother, friends }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    mother = try container.decodePolymorphic(Dog.self, forKey: .mother)
    friends = try container.decodePolymorphic([Animal?].self, forKey: .friends)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(mother, forKey: .mother)
    try container.encode(friends, forKey: .friends)
  }

  override var text: String { "\(super.text) of \(mother.text) with \(friends.map { $0?.text ?? "nobody" })" }
}

/// Adds nothing, so it inherits its initializer.
final class Cat: Animal {
  init(name: String) { super.init(.cat, name: name) }

  required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
}

extension [Animal] {
  static var some: [Animal] {
    let rex = Dog(name: "Rex", toys: ["ball", "bone"])
    let tom = Cat(name: "Tom")
    let pup = Puppy(name: "Pup", mother: rex, friends: [tom, nil, Dog(name: "Max")])
    return [rex, tom, pup, Animal(name: "Nobody"), Puppy(name: "Pip", mother: pup, friends: [])]
  }
}
