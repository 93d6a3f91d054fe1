import Foundation
import GraphCodableMacros
import Testing

extension Written {
  @GCodable enum Color: CaseIterable { case red, green, blue }

  @GCodable enum Single { case only }

  @GCodable enum Direction: String, CaseIterable { case north, south = "S" }

  @GCodable enum Level: Int, Codable, CaseIterable {
    case low = 1
    case high = 9
  }

  @GCodable enum Figure: Equatable {
    case point
    case circle(radius: Double)
    case rectangle(width: Double, height: Double)
    case polygon([SIMD2<Double>])
    case both(Int, _ text: String, in: Bool)
    case maybe(value: Int?)
    case measured(Double, precision: Double = 0.5)
  }

  @GCodable indirect enum Expression: Equatable {
    case number(Double)
    case sum(Expression, Expression)
  }

  @GCodable enum Chain: Equatable {
    case end
    indirect case link(Int, next: Chain)
  }

  @GCodable enum Renamed: Equatable {
    @GKey("first") case one
    @GKey(was: "second", "deux") case two
    @GKey("third", was: "trois") case three(value: Int)
  }

  @GCodable enum Words: Equatable {
    case `default`
    case `self`(`in`: Int)
    case `init`
    case name
  }

  @GCodable enum ConditionalCases: Equatable {
    case always
    #if DEBUG
      case debug(level: Int)
    #endif
    #if NEVER_DEFINED
      case never
    #endif
  }

  @GCodable enum Mixed: Codable, Equatable {
    case a
    case b(value: Int)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@GCodable public enum PublicChoice: Equatable {
  case yes
  case no(reason: String)
}

extension ByHand {
  enum Color: GCodable, CaseIterable {
    case red, green, blue

    func encode(to encoder: GEncoder) throws { try encoder.encode("\(self)") }

    init(from decoder: GDecoder) throws {
      let name: String = try decoder.decode()
      self = Self.allCases.first { "\($0)" == name }!
    }
  }

  enum Figure: GCodable, Equatable {
    case point
    case circle(radius: Double)
    case both(Int, String, Bool)
    private enum Key: String { case radius, `in` }

    func encode(to encoder: GEncoder) throws {
      switch self {
      case .point: try encoder.encode("point")
      case .circle(let radius):
        try encoder.encode("circle")
        try encoder.encode(radius, for: Key.radius)
      case .both(let number, let text, let flag):
        try encoder.encode("both")
        try encoder.encode(number)
        try encoder.encode(text)
        try encoder.encode(flag, for: Key.in)
      }
    }

    init(from decoder: GDecoder) throws {
      switch try decoder.decode() as String {
      case "circle": self = .circle(radius: try decoder.decode(for: Key.radius))
      case "both": self = .both(try decoder.decode(), try decoder.decode(), try decoder.decode(for: Key.in))
      default: self = .point
      }
    }
  }

  /// A case with a name that others do not have.
  struct Case: GEncodable {
    var name: String

    func encode(to encoder: GEncoder) throws { try encoder.encode(name) }
  }
}

@Suite("@GCodable: enums")
struct EnumShapeTests {
  @Test func casesWithoutPayloadsAreWrittenAsByHand() throws {
    for (color, byHand) in zip(Written.Color.allCases, ByHand.Color.allCases) {
      try expectTwins(color, byHand)
    }
    #expect(try copy(Written.Single.only) == .only)
  }

  @Test func casesAreStoredAsRawStringsWouldBe() throws {
    #expect(try bytes(Written.Color.red) == bytes(ByHand.Case(name: "red")))
  }

  @Test func rawValuesAreStored() throws {
    #expect(try Written.Direction.allCases.map(copy) == [.north, .south])
    #expect(try Written.Level.allCases.map(copy) == [.low, .high])
    #expect(try GraphArchive(bytes(Written.Level.high)).dump().contains("9"))
  }

  @Test func payloadsAreWrittenAsByHand() throws {
    try expectTwins(Written.Figure.point, ByHand.Figure.point)
    try expectTwins(Written.Figure.circle(radius: 2), ByHand.Figure.circle(radius: 2))
    try expectTwins(Written.Figure.both(1, "t", in: true), ByHand.Figure.both(1, "t", true))
  }

  @Test func payloadsRoundTrip() throws {
    let figures: [Written.Figure] = [
      .point, .circle(radius: 1), .rectangle(width: 2, height: 3), .polygon([[1, 2]]),
      .both(1, "t", in: true),
      .maybe(value: nil), .maybe(value: 4), .measured(1), .measured(1, precision: 2),
    ]
    #expect(try copy(figures) == figures)
  }

  @Test func indirectCasesRoundTrip() throws {
    let sum = Written.Expression.sum(.number(1), .sum(.number(2), .number(3)))
    #expect(try copy(sum) == sum)
    let chain = Written.Chain.link(1, next: .link(2, next: .end))
    #expect(try copy(chain) == chain)
  }

  @Test func casesHaveNamesOfTheirOwn() throws {
    #expect(try bytes(Written.Renamed.one) == bytes(ByHand.Case(name: "first")))
    for name in ["two", "second", "deux"] {
      #expect(try GraphDecoder().decode(Written.Renamed.self, from: bytes(ByHand.Case(name: name))) == .two)
    }
    #expect(try copy(Written.Renamed.three(value: 3)) == .three(value: 3))
  }

  @Test func namesThatAreWordsOfSwiftAreCases() throws {
    let words: [Written.Words] = [.default, .self(in: 3), .`init`, .name]
    #expect(try copy(words) == words)
  }

  @Test func casesUnderConditionsAreStoredWhereTheyAre() throws {
    #expect(try copy(Written.ConditionalCases.debug(level: 2)) == .debug(level: 2))
    #expect(try copy(Written.ConditionalCases.always) == .always)
  }

  @Test func unknownCaseThrowsItsName() throws {
    let later = try bytes(ByHand.Case(name: "violet"))
    #expect { try GraphDecoder().decode(Written.Color.self, from: later) } throws: {
      guard let error = $0 as? GCodableError else { return false }
      return error.code == .invalidValue && error.description.contains("\"violet\"")
        && error.typeName?.hasSuffix("Written.Color") == true
    }
  }

  @Test func codableEnumsStayAsTheyAre() throws {
    let values: [Written.Mixed] = [.a, .b(value: 2)]
    #expect(try copy(values) == values)
    #expect(try JSONDecoder().decode([Written.Mixed].self, from: JSONEncoder().encode(values)) == values)
    #expect(try JSONDecoder().decode(Written.Level.self, from: Data("9".utf8)) == .high)
  }

  @Test func publicEnumsRoundTrip() throws {
    #expect(try copy([PublicChoice.yes, .no(reason: "r")]) == [.yes, .no(reason: "r")])
  }
}
