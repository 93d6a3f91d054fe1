import Foundation

// Types that encode with one container and decode with another; untyped formats do not distinguish them.

extension ModelCase {
  static let asymmetric: [ModelCase] = [
    ModelCase("dictionary: value, then itself", ByItself(["a": 1]), ByItself([:])),
    ModelCase("dictionary: itself, then value", ByValue(["a": 1, "b": 2]), ByValue([:])),
    ModelCase("keys that are integers: value, then itself", ByItself([1: "a", -2: "b"])),
    ModelCase(
      "keys that are dates: value, then itself", ByItself([Date(timeIntervalSinceReferenceDate: 1): 1])),
    ModelCase("keys that are enums: value, then itself", ByItself([Suit.hearts: Tree("a")])),
    ModelCase("dictionary: value, then keys", KeysOfDictionary(a: 1)),
    ModelCase("dictionary: keys, then value", DictionaryOfKeys(a: 1, b: 2)),
    ModelCase("dictionary in a container: value, then container", NestedKeys(a: 1)),
    ModelCase("list: value, then itself", ByItself([1, 2]), ByItself([1]), ByItself([])),
    ModelCase("list: itself, then value", ByValue([1, 2]), ByValue([1]), ByValue([])),
    ModelCase("list of strings: itself, then value", ByValue(["a"]), ByValue(["a", "b"])),
    ModelCase("list of structs: itself, then value", ByValue([Tree("a")]), ByValue([Tree("a"), Tree("b")])),
    ModelCase("list of lists: value, then itself", ByItself([[1]]), ByItself([[1, 2], []]), ByItself([[]])),
    ModelCase("list of lists: itself, then value", ByValue([[1]]), ByValue([[1, 2], []]), ByValue([[]])),
    ModelCase("list of strings in lists: itself, then value", ByValue([["a"]]), ByValue([[["a"]]][0])),
    ModelCase("list of dictionaries: itself, then value", ByValue([["a": 1]])),
    ModelCase("list of dictionaries: value, then itself", ByItself([["a": 1]])),
    ModelCase("list of optionals: itself, then value", ByValue([Int?.some(1)]), ByValue([nil, 2])),
    ModelCase("set: itself, then value", ByValue(Set([1])), ByValue(Set<Int>())),
    ModelCase("optional list: value, then list", OptionalList([1, 2]), OptionalList([1]), OptionalList(nil)),
    ModelCase("struct: value, then keys", ByItself(Place(row: 1, column: 2))),
    ModelCase("struct: itself, then value", ByValue(Place(row: 1, column: 2))),
    ModelCase("enum: value, then itself", ByItself(Event.move(x: 1, y: 2, by: nil)), ByItself(.start)),
    ModelCase("one or many", OneOrMany(["a"]), OneOrMany(["a", "b"]), OneOrMany([])),
  ]
}

/// Encoded as a single value, decoded by the value's own `init(from:)`.
struct ByItself<Value: Codable & Equatable & Sendable>: Codable, Equatable {
  var value: Value
  init(_ value: Value) { self.value = value }
  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// Encoded by the value's own `encode(to:)`, decoded as a single value.
struct ByValue<Value: Codable & Equatable & Sendable>: Codable, Equatable {
  var value: Value
  init(_ value: Value) { self.value = value }
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

struct KeysOfDictionary: Codable, Equatable {
  var a: Int
  private enum CodingKeys: CodingKey { case a, b }
  init(a: Int) { self.a = a }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    a = try container.decode(Int.self, forKey: .a)
    guard try container.decodeIfPresent(Int.self, forKey: .b) == nil, container.contains(.a),
      !container.contains(.b), container.allKeys.map(\.stringValue) == ["a"]
    else { throw CancellationError() }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(["a": a])
  }
}

struct DictionaryOfKeys: Codable, Equatable {
  var a: Int
  var b: Int
  private enum CodingKeys: CodingKey { case a, b }
  init(a: Int, b: Int) { (self.a, self.b) = (a, b) }

  init(from decoder: any Decoder) throws {
    let values = try decoder.singleValueContainer().decode([String: Int].self)
    (a, b) = (values["a"] ?? 0, values["b"] ?? 0)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(a, forKey: .a)
    try container.encode(b, forKey: .b)
  }
}

struct NestedKeys: Codable, Equatable {
  var a: Int
  private enum CodingKeys: CodingKey { case a, table, list }
  init(a: Int) { self.a = a }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let nested = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .table)
    a = try nested.decode(Int.self, forKey: .a)
    var list = try container.nestedUnkeyedContainer(forKey: .list)
    let inner = try list.nestedContainer(keyedBy: CodingKeys.self)
    guard try inner.decode(Int.self, forKey: .a) == a else { throw CancellationError() }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(["a": a], forKey: .table)
    try container.encode([["a": a]], forKey: .list)
  }
}

struct OptionalList: Codable, Equatable {
  var list: [Int]?
  init(_ list: [Int]?) { self.list = list }

  init(from decoder: any Decoder) throws {
    list = try decoder.singleValueContainer().decodeNil() ? nil : [Int](from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(list)
  }
}

/// One string stands for a list of one.
struct OneOrMany: Codable, Equatable {
  var values: [String]
  init(_ values: [String]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let one = try? container.decode(String.self) {
      values = [one]
    } else {
      values = try container.decode([String].self)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if values.count == 1 { try container.encode(values[0]) } else { try container.encode(values) }
  }
}
