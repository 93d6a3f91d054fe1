import CyclicCoding
import Foundation
import GraphCodable
import PolyCodable

extension CatalogueType {
  static let codable: [CatalogueType] =
    [
      .init(codable: Int.self) { [7] }, .init(codable: [Double?].self) { [[1.5, nil]] },
      .init(codable: [String: [Int]].self) { [["a": [1], "b": []]] },
      .init(codable: [Date: Decimal].self) { [[Date(timeIntervalSinceReferenceDate: 1): 1.5]] },
      .init(codable: Message.self) { [Message(), Message.sample] },
      .init(codable: [Event].self) { [[.start, .move(x: 1, y: nil), .batch([.start, .batch([])])]] },
      .init(codable: Anything.self) { [Anything.sample] },
      .init(codable: [Vehicle].self) { [[Vehicle(wheels: 4), Car(wheels: 4, doors: 5)]] },
      .init(codable: Folder.self) { [Folder("a", [Folder("b", [Folder("c")]), Folder("d")])] },
      .init(codable: Grid.self) { [Grid(rows: [[1, 2], [3], []], names: ["x": 1])] },
      .init(codable: Zoo.self) { [Zoo.sample] },
      .init(codable: [Codename: Set<String>].self) { [[Codename(rawValue: "a"): ["b", "c"]]] },
      .init(codable: URL.self) { [URL(string: "https://example.org")!] },
      .init(codable: Data.self) { [Data([1, 2, 3])] },
    ] + bulkCodable
}

/// What compilers write for structs, with fields of many kinds.
struct Message: Codable {
  var id = 1
  var text: String? = "text"
  var list = [1.5, 2.5]
  var flags: Set<UInt8> = [1]
  var table: [String: Int?] = ["a": nil]
  var when: Date? = nil
  var amount: Decimal? = nil
  var inner: [Message] = []

  static var sample: Message {
    Message(text: nil, when: .distantPast, amount: 2.5, inner: [Message(), Message(id: 2)])
  }
}

enum Event: Codable {
  case start
  case move(x: Int, y: Int?)
  case batch([Event])
}

struct Codename: RawRepresentable, Codable, Hashable { var rawValue: String }

/// Tries one type after the other, as models of foreign JSON do.
indirect enum Anything: Codable {
  case null, flag(Bool), number(Double), text(String), list([Anything]), table([String: Anything])

  static let sample = Anything.table([
    "a": .list([.null, .flag(true), .number(1.5)]), "b": .text("t"), "c": .list([]), "d": .table([:]),
  ])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([Anything].self) {
      self = .list(list)
    } else {
      self = .table(try container.decode([String: Anything].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .table(let table): try container.encode(table)
    }
  }
}

class Vehicle: Codable {
  var wheels: Int
  init(wheels: Int) { self.wheels = wheels }
}

final class Car: Vehicle {
  var doors: Int
  private enum CodingKeys: CodingKey { case doors }
  init(wheels: Int, doors: Int) {
    self.doors = doors
    super.init(wheels: wheels)
  }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    doors = try container.decode(Int.self, forKey: .doors)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(doors, forKey: .doors)
    try super.encode(to: container.superEncoder())
  }
}

/// Objects that lead back.
final class Folder: Codable {
  var name: String
  var folders: [Folder]
  var parent = WeakCycleBreaker<Folder>()
  init(_ name: String, _ folders: [Folder] = []) {
    (self.name, self.folders) = (name, folders)
    for folder in folders { folder.parent[] = self }
  }
}

/// Nested containers, filled by hand.
struct Grid: Codable {
  var rows: [[Int]]
  var names: [String: Int]
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(rows: [[Int]], names: [String: Int]) { (self.rows, self.names) = (rows, names) }

  init(from decoder: any Decoder) throws {
    (rows, names) = ([], [:])
    var container = try decoder.unkeyedContainer()
    let table = try container.nestedContainer(keyedBy: Name.self)
    for key in table.allKeys { names[key.stringValue] = try table.decode(Int.self, forKey: key) }
    while !container.isAtEnd {
      var row: [Int] = []
      var nested = try container.nestedUnkeyedContainer()
      while !nested.isAtEnd { row.append(try nested.decode(Int.self)) }
      rows.append(row)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    var table = container.nestedContainer(keyedBy: Name.self)
    for (name, number) in names { try table.encode(number, forKey: Name(stringValue: name)) }
    for row in rows {
      var nested = container.nestedUnkeyedContainer()
      for number in row { try nested.encode(number) }
    }
  }
}

enum PetKind: String, PolymorphicClassTable {
  case parrot, fish

  var polymorphicClass: any PolyCodable.Type {
    switch self {
    case .parrot: Parrot.self
    case .fish: Fish.self
    }
  }
}

typealias Pet = DefaultKeyedPolymorphicClass<PetKind>

final class Parrot: Pet {
  var words: [String]
  private enum CodingKeys: CodingKey { case words }
  init(_ words: [String]) {
    self.words = words
    super.init(.parrot)
  }
  required init(from decoder: any Decoder) throws {
    words = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .words)
    try super.init(from: decoder)
  }
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(words, forKey: .words)
  }
}

final class Fish: Pet {
  init() { super.init(.fish) }
  required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
}

struct Zoo: Codable {
  @Polymorphic var pets: [Pet]
  @Polymorphic var star: Pet?
  @Polymorphic var cages: [String: [Pet?]]

  static var sample: Zoo {
    Zoo(pets: [Fish(), Parrot(["a"])], star: Parrot([]), cages: ["x": [nil, Fish()]])
  }

  init(pets: [Pet], star: Pet?, cages: [String: [Pet?]]) {
    (self.pets, self.star, self.cages) = (pets, star, cages)
  }
}
