// Types for any JSON determine what is stored by trying: anything that does not fit must throw, whatever the
// order.

extension ModelCase {
  static let anyJSON: [ModelCase] =
    cases("containers first", ContainersFirst.init) + cases("keys first", KeysFirst.init)
    + cases("values first", ValuesFirst.init) + cases("lists as values first", ListsFirst.init)
    // A container that was not there counts as decoded for the strict decoder.
    + cases("nested containers", ByNestedContainers.init, by: Set(Way.allCases).subtracting([.strict]))
    + [
      ModelCase("any JSON: more forms than a type has shapes") { way in
        let forms = (0..<1_200).map { JSON.object(["key \($0)": .list([]), "n": .number($0)]) }
        for json in [JSON.list(forms + JSON.samples + forms), .list([.list(forms), .object([:])])] {
          let copy = try way.copy(ContainersFirst(json))
          guard copy.json == json else { throw Lost() }
        }
      }
    ]

  private static func cases<Value: Codable & Equatable & Sendable>(
    _ name: String, _ make: (JSON) -> Value, by ways: Set<Way> = Set(Way.allCases)
  ) -> [ModelCase] {
    JSON.samples.map { ModelCase("any JSON, \(name): \($0)", make($0), by: ways) }
  }

  private struct Lost: Error {}
}

indirect enum JSON: Equatable, Sendable {
  case number(Int)
  case text(String)
  case flag(Bool)
  case list([JSON])
  case object([String: JSON])

  static let samples: [JSON] = [
    .number(5), .text(""), .flag(true), .list([]), .object([:]), .list([.number(5)]), .list([.list([])]),
    .list([.object([:])]), .list([.list([.number(5)])]), .list([.number(5), .text("a")]),
    .list([.list([.number(1), .number(2)])]), .object(["a": .number(5)]), .object(["a": .list([.number(5)])]),
    .object(["a": .object([:]), "b": .list([])]), .list([.object(["a": .list([.flag(false)])])]),
  ]
}

/// Tries a list, then keys, then a value, by containers.
struct ContainersFirst: Codable, Equatable {
  var json: JSON
  init(_ json: JSON) { self.json = json }

  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !list.isAtEnd { elements.append(try list.decode(Self.self).json) }
      json = .list(elements)
    } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
      json = try object.decode(Self.self)
    } else {
      json = try decoder.singleValueContainer().decodeScalar()
    }
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder, Self.init) }
}

/// Tries keys, then a list, then a value.
struct KeysFirst: Codable, Equatable {
  var json: JSON
  init(_ json: JSON) { self.json = json }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: AnyKey.self) {
      json = try object.decode(Self.self)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !list.isAtEnd { elements.append(try list.decode(Self.self).json) }
      json = .list(elements)
    } else {
      json = try decoder.singleValueContainer().decodeScalar()
    }
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder, Self.init) }
}

/// Encodes and decodes all as a single value, scalars first.
struct ValuesFirst: Codable, Equatable {
  var json: JSON
  init(_ json: JSON) { self.json = json }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let scalar = try? container.decodeScalar() {
      json = scalar
    } else if let list = try? container.decode([Self].self) {
      json = .list(list.map(\.json))
    } else {
      json = .object(try container.decode([String: Self].self).mapValues(\.json))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch json {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .flag(let flag): try container.encode(flag)
    case .list(let elements): try container.encode(elements.map(Self.init))
    case .object(let values): try container.encode(values.mapValues(Self.init))
    }
  }
}

/// Encodes by containers, and decodes lists and dictionaries as single values first.
struct ListsFirst: Codable, Equatable {
  var json: JSON
  init(_ json: JSON) { self.json = json }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let list = try? container.decode([Self].self) {
      json = .list(list.map(\.json))
    } else if let object = try? container.decode([String: Self].self) {
      json = .object(object.mapValues(\.json))
    } else {
      json = try container.decodeScalar()
    }
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder, Self.init) }
}

/// Encodes its contents into nested containers, and looks for them there.
struct ByNestedContainers: Codable, Equatable {
  var json: JSON
  init(_ json: JSON) { self.json = json }

  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      json = try Self.json(in: &list)
    } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
      json = try Self.json(in: object)
    } else {
      json = try decoder.singleValueContainer().decodeScalar()
    }
  }

  private static func json(in list: inout any UnkeyedDecodingContainer) throws -> JSON {
    var elements: [JSON] = []
    while !list.isAtEnd {
      if let flag = try? list.decode(Bool.self) {
        elements.append(.flag(flag))
      } else if let number = try? list.decode(Int.self) {
        elements.append(.number(number))
      } else if let text = try? list.decode(String.self) {
        elements.append(.text(text))
      } else if var nested = try? list.nestedUnkeyedContainer() {
        elements.append(try json(in: &nested))
      } else {
        elements.append(try json(in: list.nestedContainer(keyedBy: AnyKey.self)))
      }
    }
    return .list(elements)
  }

  private static func json(in object: KeyedDecodingContainer<AnyKey>) throws -> JSON {
    var values: [String: JSON] = [:]
    for key in object.allKeys {
      if let flag = try? object.decode(Bool.self, forKey: key) {
        values[key.stringValue] = .flag(flag)
      } else if let number = try? object.decode(Int.self, forKey: key) {
        values[key.stringValue] = .number(number)
      } else if let text = try? object.decode(String.self, forKey: key) {
        values[key.stringValue] = .text(text)
      } else if var nested = try? object.nestedUnkeyedContainer(forKey: key) {
        values[key.stringValue] = try json(in: &nested)
      } else {
        values[key.stringValue] = try json(in: object.nestedContainer(keyedBy: AnyKey.self, forKey: key))
      }
    }
    return .object(values)
  }

  func encode(to encoder: any Encoder) throws {
    switch json {
    case .list(let elements):
      var list = encoder.unkeyedContainer()
      try Self.encode(elements, to: &list)
    case .object(let values):
      var object = encoder.container(keyedBy: AnyKey.self)
      try Self.encode(values, to: &object)
    default: try json.encode(to: encoder, Self.init)
    }
  }

  private static func encode(_ elements: [JSON], to list: inout any UnkeyedEncodingContainer) throws {
    for element in elements {
      switch element {
      case .number(let number): try list.encode(number)
      case .text(let text): try list.encode(text)
      case .flag(let flag): try list.encode(flag)
      case .list(let elements):
        var nested = list.nestedUnkeyedContainer()
        try encode(elements, to: &nested)
      case .object(let values):
        var nested = list.nestedContainer(keyedBy: AnyKey.self)
        try encode(values, to: &nested)
      }
    }
  }

  private static func encode(
    _ values: [String: JSON], to object: inout KeyedEncodingContainer<AnyKey>
  ) throws {
    for (name, value) in values {
      let key = AnyKey(stringValue: name)
      switch value {
      case .number(let number): try object.encode(number, forKey: key)
      case .text(let text): try object.encode(text, forKey: key)
      case .flag(let flag): try object.encode(flag, forKey: key)
      case .list(let elements):
        var nested = object.nestedUnkeyedContainer(forKey: key)
        try encode(elements, to: &nested)
      case .object(let values):
        var nested = object.nestedContainer(keyedBy: AnyKey.self, forKey: key)
        try encode(values, to: &nested)
      }
    }
  }
}

extension JSON {
  /// Encodes by containers, with a model around each value inside.
  fileprivate func encode<Value: Encodable>(
    to encoder: any Encoder, _ make: (JSON) -> Value
  ) throws {
    switch self {
    case .number(let number):
      var container = encoder.singleValueContainer()
      try container.encode(number)
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .flag(let flag):
      var container = encoder.singleValueContainer()
      try container.encode(flag)
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(make(element)) }
    case .object(let values):
      var container = encoder.container(keyedBy: AnyKey.self)
      for (name, value) in values { try container.encode(make(value), forKey: AnyKey(stringValue: name)) }
    }
  }
}

private protocol AnyJSON: Decodable {
  var json: JSON { get }
}

extension ContainersFirst: AnyJSON {}
extension KeysFirst: AnyJSON {}

extension KeyedDecodingContainer<AnyKey> {
  fileprivate func decode<Value: AnyJSON>(_ type: Value.Type) throws -> JSON {
    let pairs = try allKeys.map { ($0.stringValue, try decode(type, forKey: $0).json) }
    return .object(Dictionary(uniqueKeysWithValues: pairs))
  }
}

extension SingleValueDecodingContainer {
  fileprivate func decodeScalar() throws -> JSON {
    if let flag = try? decode(Bool.self) { return .flag(flag) }
    if let number = try? decode(Int.self) { return .number(number) }
    return .text(try decode(String.self))
  }
}
