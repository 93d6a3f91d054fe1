extension ModelCase {
  static let wrappers: [ModelCase] = [
    ModelCase("a single number", Wrapper(3)),
    ModelCase("a single string", Wrapper("a")),
    ModelCase("a single struct", Wrapper(Tree("a", [Tree("b")]))),
    ModelCase("a single list", Wrapper([1, 2]), Wrapper([]), Wrapper([3])),
    ModelCase("a single dictionary", Wrapper(["a": 1]), Wrapper([:])),
    ModelCase("a single optional", Wrapper(Int?.some(3)), Wrapper(nil)),
    ModelCase("a single optional list", Wrapper([Int]?.some([3])), Wrapper(nil), Wrapper([])),
    ModelCase("a wrapper in a wrapper", Wrapper(Wrapper([Wrapper("a")]))),
    ModelCase("a raw value", Identifier(rawValue: "a"), Identifier(rawValue: "")),
    ModelCase("keys that are raw values", [Identifier(rawValue: "a"): Wrapper(1)]),
    ModelCase("a property wrapper", Clamped(volume: 3)),
  ]
}

/// Nothing is stored for the wrapper itself.
struct Wrapper<Value: Codable & Equatable & Sendable>: Codable, Equatable {
  var value: Value
  init(_ value: Value) { self.value = value }
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

struct Identifier: RawRepresentable, Codable, Hashable { var rawValue: String }

struct Clamped: Codable, Equatable {
  @propertyWrapper struct Percent: Codable, Equatable {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = min(max(wrappedValue, 0), 100) }
    init(from decoder: any Decoder) throws {
      self.init(wrappedValue: try decoder.singleValueContainer().decode(Int.self))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  @Percent var volume: Int
}
