import Foundation

// Types that determine by trying which of two types a value has. Whatever JSON distinguishes, an archive
// must, too.

extension ModelCase {
  static let choices: [ModelCase] = [
    choice("lists of lists or wrapped numbers", [[1, 2], []] as [[Int]], [Number(rawValue: 1)]),
    choice("lists of lists or wrapped strings", [["a"]] as [[String]], [Identifier(rawValue: "a")]),
    choice("sets of lists or wrapped numbers", Set([[1]]), [Number(rawValue: 1)]),
    choice("lists by key or wrapped numbers by key", ["a": [1]], ["a": Number(rawValue: 1)]),
    choice("an optional list or a wrapped number", [1] as [Int]?, Number(rawValue: 1)),
    choice("wrapped lists or wrapped numbers", [Wrapper([1])], [Wrapper(1)]),
    choice("a decimal or a struct", Decimal(string: "1.5")!, Place(row: 1, column: 2)),
    choice("a decimal or a wrapped string", Decimal(3), Identifier(rawValue: "a")),
    choice("a decimal or a list", Decimal(3), [1, 2]),
    choice("decimals or structs", [Decimal(3)], [Place(row: 1, column: 2)]),
    choice("decimals by key or structs by key", ["a": Decimal(3)], ["a": Place(row: 1, column: 2)]),
    choice(
      "an interval or a struct", DateInterval(start: .distantPast, duration: 2), Place(row: 1, column: 2)),
    choice("date components or a wrapped number", DateComponents(year: 2_024), Number(rawValue: 3)),
    choice("names or a wrapped list", PersonNameComponents(givenName: "Ada"), Wrapper([1])),
    choice("data or numbers", Data([1, 2]), [1, 2]),
    choice("data or bytes", Data([1, 2]), [1, 2] as [UInt8]),
    choice("data or optional numbers", Data([1, 2]), [1, nil]),
    choice("wrapped data or wrapped numbers", Wrapper(Data()), Wrapper([Int]())),
    choice("pieces of data or lists", [Data([1])], [[1]]),
    choice("data or a struct", Data([1, 2]), Place(row: 1, column: 2)),
  ]

  /// Tries one type before the other, and the other way round.
  private static func choice<One: Codable & Equatable, Other: Codable & Equatable>(
    _ name: String, _ one: One, _ other: Other
  ) -> ModelCase {
    ModelCase(name, Way.exact.union([.json])) { way in
      for value in [Choice<One, Other>.first(one), .second(other)] {
        try expectCopy(of: value, way)
        try expectCopy(of: [value, value], way)
      }
      for value in [Choice<Other, One>.first(other), .second(one)] { try expectCopy(of: ["a": value], way) }
    }
  }
}

enum Choice<First: Codable & Equatable, Second: Codable & Equatable>: Codable, Equatable {
  case first(First), second(Second)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let first = try? container.decode(First.self) {
      self = .first(first)
    } else {
      self = .second(try container.decode(Second.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .first(let value): try container.encode(value)
    case .second(let value): try container.encode(value)
    }
  }
}

struct Number: RawRepresentable, Codable, Hashable { var rawValue: Int }
