import Foundation

extension ModelCase {
  static let structs: [ModelCase] = [
    ModelCase("nothing in it", Empty()),
    ModelCase("nested generics", Pair(Pair(1, "a"), [Pair("b", Pair(2.5, true))])),
    ModelCase("renamed and left out keys", Renamed(identifier: 7, note: "kept")),
    ModelCase("defaults for missing keys", Defaulted(), Defaulted(width: 3, title: nil)),
    ModelCase("optionals", Optionals(), Optionals(number: 1, text: "", list: [], table: [:], empty: Empty())),
    ModelCase("recursion through a list", Tree("root", [Tree("a", [Tree("b")]), Tree("c")])),
    ModelCase("keys that are integers", Numbered(first: "a", second: nil), Numbered(first: "", second: "b")),
    ModelCase("keys made at run time", Dynamic(["b": 1, "a": 2, "": 3, "ü ö": 4]), Dynamic([:])),
    ModelCase("many fields", Wide()),
  ]
}

struct Empty: Codable, Equatable {}

struct Pair<First: Codable & Equatable & Sendable, Second: Codable & Equatable & Sendable>: Codable, Equatable
{
  var first: First
  var second: Second
  init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }
}

struct Renamed: Codable, Equatable {
  var identifier: Int
  var note: String
  var cache = 0
  private enum CodingKeys: String, CodingKey { case identifier = "$id", note = "a.b c" }
}

struct Defaulted: Codable, Equatable {
  var width = 1
  var title: String? = "untitled"

  init(width: Int = 1, title: String? = "untitled") { (self.width, self.title) = (width, title) }

  private enum CodingKeys: CodingKey { case width, title }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    width = try container.decodeIfPresent(Int.self, forKey: .width) ?? 1
    title = container.contains(.title) ? try container.decode(String?.self, forKey: .title) : "untitled"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if width != 1 { try container.encode(width, forKey: .width) }
    if title != "untitled" { try container.encode(title, forKey: .title) }
  }
}

struct Optionals: Codable, Equatable {
  var number: Int?
  var text: String?
  var list: [Int?]? = [nil, 1]
  var table: [String: Int?]? = ["a": 1]
  var empty: Empty?
}

struct Tree: Codable, Equatable {
  var name: String
  var children: [Tree]
  init(_ name: String, _ children: [Tree] = []) { (self.name, self.children) = (name, children) }
}

struct Numbered: Codable, Equatable {
  var first: String
  var second: String?
  private enum CodingKeys: Int, CodingKey { case first = 1, second = -2 }
}

struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }
  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) { stringValue = "\(intValue)" }
}

struct Dynamic: Codable, Equatable {
  var values: [String: Int]
  init(_ values: [String: Int]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    values = [:]
    for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    for (name, value) in values { try container.encode(value, forKey: AnyKey(stringValue: name)) }
  }
}

struct Wide: Codable, Equatable {
  var a = 1, b = 2.5, c = "c", d = true, e: UInt8 = 255, f: Int8 = -128, g: UInt64 = .max, h: Int64 = .min
  var i: Float = 0.1, j: Int16 = -3, k: UInt16 = 9, l: Int32 = 7, m: UInt32 = 8, n: Int?, o: [Int] = [],
    p = ""
  var q = Date(timeIntervalSinceReferenceDate: 60), r = Data([1]), s: UInt = .max, t = [1.5], u = Empty()
}
