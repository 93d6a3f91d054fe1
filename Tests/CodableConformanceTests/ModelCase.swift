import Testing

/// A model and values of it, which must survive each way of storing them.
///
/// The values are never changed.
struct ModelCase: @unchecked Sendable, CustomTestStringConvertible {
  let name: String
  let ways: Set<Way>
  private let check: (Way) throws -> Void

  var testDescription: String { name }

  /// Values that are equal to their copies: alone, in a list, in a dictionary and in an optional.
  init<Value: Codable & Equatable>(
    _ name: String, _ values: Value..., by ways: Set<Way> = Set(Way.allCases)
  ) {
    self.init(name, ways) { way in
      for value in values { try expectCopy(of: value, way) }
      try expectCopy(of: values, way)
      try expectCopy(of: ["a": [values]], way)
      try expectCopy(of: Holder(value: values[0], list: values), way)
    }
  }

  /// A model that is compared by other means.
  ///
  /// - Parameter check: receives the way, and reports faults as failed expectations.
  init(_ name: String, _ ways: Set<Way> = Set(Way.allCases), check: @escaping (Way) throws -> Void) {
    self.name = name
    self.ways = ways
    self.check = check
  }

  func run(_ way: Way) throws {
    if ways.contains(way) { try check(way) }
  }
}

func expectCopy<Value: Codable & Equatable>(of value: Value, _ way: Way) throws {
  let copy = try way.copy(value)
  #expect(copy == value)
}

/// A generic type around a model.
private struct Holder<Value: Codable & Equatable>: Codable, Equatable {
  var before = 1
  var value: Value
  var list: [Value]
  var none: Value?
  var after = "x"
}
