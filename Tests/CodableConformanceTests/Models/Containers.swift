import Foundation

extension ModelCase {
  static let containers: [ModelCase] = [
    ModelCase("lists in lists", [[[1], []], []], [[[2, 3]]]),
    ModelCase("a list with one list", [[1, 2]], [[]]),
    ModelCase("lists of optionals", [1, nil, 3], [nil]),
    ModelCase("optional lists", [[1], nil], [nil, []]),
    ModelCase("lists of structs", [Tree("a"), Tree("b", [Tree("c")])]),
    ModelCase("contiguous lists", ContiguousArray(["a", "b"])),
    ModelCase("sets", Set(["a", "b"]), []),
    ModelCase("sets of sets", Set([Set([1, 2]), Set([3])])),
    ModelCase("keys: strings", ["a": 1, "": 2], [:]),
    ModelCase("keys: integers", [7: "x", -7: "y"]),
    ModelCase("keys: raw strings", [Suit.hearts: 1, .spades: 2]),
    ModelCase("keys: raw integers", [Level.high: [Level.low]]),
    ModelCase("keys: dates", [Date(timeIntervalSinceReferenceDate: 1): 1.5]),
    ModelCase("keys: UUIDs", [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!: [1, 2]]),
    ModelCase("keys: structs", [Place(row: 1, column: 2): "a", Place(row: 0, column: 0): "b"]),
    ModelCase("dictionaries in dictionaries", ["a": ["b": ["c": 1]], "d": [:]]),
    ModelCase(
      "dictionaries of optionals", ["a": [1: nil, 2: "b"]], by: Way.exact.union([.flattened, .strict])),
    ModelCase(
      "optionals of optionals", [Int??.none, .some(nil), 3].map(Nested.init), by: Way.exact),
    ModelCase("a grid", Grid(rows: [[1, 2], [3, 4], []])),
    ModelCase("nested containers", GeoPoint(latitude: 1, longitude: -2, tags: ["a", "b"]), .zero),
    ModelCase(
      "containers filled in turns", Interleaved(numbers: [1, 2, 3], names: ["a", "b", "c"]),
      by: Way.inAnyOrder),
    ModelCase("containers asked for again", Reopened(name: "n", size: 3), by: Way.inAnyOrder),
    ModelCase("a list with everything", Heterogeneous(number: 1, text: "a", tree: Tree("t"), flags: [true])),
  ]
}

struct Place: Codable, Hashable { var row: Int, column: Int }

struct Nested: Codable, Equatable { var value: Int?? }

/// Encoded as rows of numbers without keys.
struct Grid: Codable, Equatable {
  var rows: [[Int]]
  init(rows: [[Int]]) { self.rows = rows }

  init(from decoder: any Decoder) throws {
    rows = []
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      var row: [Int] = []
      var nested = try container.nestedUnkeyedContainer()
      while !nested.isAtEnd { row.append(try nested.decode(Int.self)) }
      rows.append(row)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for row in rows {
      var nested = container.nestedUnkeyedContainer()
      for number in row { try nested.encode(number) }
    }
  }
}

/// As GeoJSON has it.
struct GeoPoint: Codable, Equatable {
  var latitude: Double
  var longitude: Double
  var tags: [String]
  static let zero = Self(latitude: 0, longitude: 0, tags: [])

  private enum CodingKeys: CodingKey { case type, geometry, properties }
  private enum GeometryKeys: CodingKey { case coordinates }

  init(latitude: Double, longitude: Double, tags: [String]) {
    (self.latitude, self.longitude, self.tags) = (latitude, longitude, tags)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let geometry = try container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
    var coordinates = try geometry.nestedUnkeyedContainer(forKey: .coordinates)
    longitude = try coordinates.decode(Double.self)
    latitude = try coordinates.decode(Double.self)
    tags = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .properties)
      .decode([String].self, forKey: AnyKey(stringValue: "tags"))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("Feature", forKey: .type)
    var geometry = container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
    var coordinates = geometry.nestedUnkeyedContainer(forKey: .coordinates)
    try coordinates.encode(longitude)
    try coordinates.encode(latitude)
    var properties = container.nestedContainer(keyedBy: AnyKey.self, forKey: .properties)
    try properties.encode(tags, forKey: AnyKey(stringValue: "tags"))
  }
}

/// Two nested lists that are filled and read in turns.
struct Interleaved: Codable, Equatable {
  var numbers: [Int]
  var names: [String]
  private enum CodingKeys: CodingKey { case numbers, names }

  init(numbers: [Int], names: [String]) { (self.numbers, self.names) = (numbers, names) }

  init(from decoder: any Decoder) throws {
    (numbers, names) = ([], [])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var texts = try container.nestedUnkeyedContainer(forKey: .names)
    var values = try container.nestedUnkeyedContainer(forKey: .numbers)
    while !values.isAtEnd {
      names.append(try texts.decode(String.self))
      numbers.append(try values.decode(Int.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var values = container.nestedUnkeyedContainer(forKey: .numbers)
    var texts = container.nestedUnkeyedContainer(forKey: .names)
    for (number, name) in zip(numbers, names) {
      try texts.encode(name)
      try values.encode(number)
    }
  }
}

/// A nested container that each of two parts requests separately.
struct Reopened: Codable, Equatable {
  var name: String
  var size: Int
  private enum CodingKeys: CodingKey { case attributes }
  private enum AttributeKeys: CodingKey { case name, size }

  init(name: String, size: Int) { (self.name, self.size) = (name, size) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let attributes = try container.nestedContainer(keyedBy: AttributeKeys.self, forKey: .attributes)
    size = try attributes.decode(Int.self, forKey: .size)
    name = try attributes.decode(String.self, forKey: .name)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var first = container.nestedContainer(keyedBy: AttributeKeys.self, forKey: .attributes)
    try first.encode(name, forKey: .name)
    var second = container.nestedContainer(keyedBy: AttributeKeys.self, forKey: .attributes)
    try second.encode(size, forKey: .size)
  }
}

struct Heterogeneous: Codable, Equatable {
  var number: Int
  var text: String
  var tree: Tree
  var flags: [Bool]

  init(number: Int, text: String, tree: Tree, flags: [Bool]) {
    (self.number, self.text, self.tree, self.flags) = (number, text, tree, flags)
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    number = try container.decode(Int.self)
    guard try container.decodeNil() else { throw CancellationError() }
    text = try container.decode(String.self)
    tree = try Tree(from: container.superDecoder())
    flags = try container.decode([Bool].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(number)
    try container.encodeNil()
    try container.encode(text)
    try tree.encode(to: container.superEncoder())
    try container.encode(flags)
  }
}
