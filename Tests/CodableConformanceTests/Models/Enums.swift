extension ModelCase {
  static let enums: [ModelCase] = [
    ModelCase("raw strings", Suit.hearts, .spades),
    ModelCase("raw integers", Level.low, .high),
    ModelCase(
      "payloads", Event.start, .move(x: 1, y: -2.5, by: nil), .move(x: 0, y: 0, by: "me"), .pair(7, "x"),
      .batch([.start, .batch([])])),
    ModelCase("recursion", Expression.sum(.value(1), .negated(.sum(.value(2), .value(3))))),
    ModelCase("a generic payload", Either<Int, [Suit: Level]>.left(3), .right([.hearts: .low])),
    ModelCase("a list made of cases", (0..<50).reduce(Chain.end) { .link($1, $0) }),
    ModelCase(
      "a result of one type or the other", OneOf.number(3), .text("3"), .list([.number(1), .text("")])),
  ]
}

enum Suit: String, Codable { case hearts, spades }
enum Level: Int, Codable { case low = 1, high = 10 }

enum Event: Codable, Equatable {
  case start
  case move(x: Double, y: Double, by: String?)
  case pair(Int, String)
  case batch([Event])
}

indirect enum Expression: Codable, Equatable {
  case value(Int)
  case negated(Expression)
  case sum(Expression, Expression)
}

enum Either<Left: Codable & Equatable & Sendable, Right: Codable & Equatable & Sendable>: Codable, Equatable {
  case left(Left), right(Right)
}

indirect enum Chain: Codable, Equatable {
  case end
  case link(Int, Chain)
}

/// Tries one type after the other, as models of foreign JSON do.
enum OneOf: Codable, Equatable {
  case number(Int), text(String)
  case list([OneOf])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([OneOf].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    }
  }
}
