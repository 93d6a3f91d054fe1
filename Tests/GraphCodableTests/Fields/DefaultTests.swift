import GraphCodable
import Testing

/// Fields that an archive lacks.
@Suite("Fields with defaults")
struct DefaultTests {
  private enum Key: String { case number, text, maybe, link }

  /// Writes the fields that have a value, in this order or the other.
  private struct Written: GEncodable {
    var number: Int?
    var text: String?
    /// Written as nil, too.
    var maybe: Int??
    var isReversed = false

    func encode(to encoder: GEncoder) throws {
      if isReversed, let text { try encoder.encode(text, for: Key.text) }
      if let maybe { try encoder.encode(maybe, for: Key.maybe) }
      if let number { try encoder.encode(number, for: Key.number) }
      if !isReversed, let text { try encoder.encode(text, for: Key.text) }
    }
  }

  private struct ByDefault: GDecodable, Equatable {
    var number: Int
    var text: String
    var maybe: Int?

    init(_ number: Int, _ text: String, _ maybe: Int?) {
      (self.number, self.text, self.maybe) = (number, text, maybe)
    }

    init(from decoder: GDecoder) throws {
      maybe = try decoder.decode(for: Key.maybe, default: 7)
      number = try decoder.decode(for: Key.number, default: 5)
      text = try decoder.decode(for: Key.text, default: "none")
    }
  }

  private struct InPlace: GDecodable, Equatable {
    var number = 5
    var text = "none"
    var maybe: Int? = 7
    var found: [Bool] = []

    init(from decoder: GDecoder) throws {
      found = [
        try decoder.decodeIfPresent(into: &maybe, for: Key.maybe),
        try decoder.decodeIfPresent(into: &number, for: Key.number),
        try decoder.decodeIfPresent(into: &text, for: Key.text),
      ]
    }
  }

  private struct OverInitialValues: GDecodable {
    var number = 5
    var text = "none"
    var maybe: Int? = 7

    init(from decoder: GDecoder) throws {
      if let value = try decoder.decodeIfPresent(like: maybe, for: Key.maybe) { maybe = value }
      if let value = try decoder.decodeIfPresent(like: number, for: Key.number) { number = value }
      if let value = try decoder.decodeIfPresent(like: text, for: Key.text) { text = value }
    }
  }

  private func decode<Value: GDecodable>(_ type: Value.Type, _ written: [Written]) throws -> [Value] {
    try GraphDecoder().decode([Value].self, from: GraphEncoder().encode(written) as [UInt8])
  }

  private let written = [
    Written(), Written(number: 1), Written(text: "t"), Written(number: 1, text: "t", maybe: 3),
    Written(number: 1, text: "t", maybe: 3, isReversed: true),
    Written(text: "t", maybe: .some(nil), isReversed: true),
  ]

  @Test func missingFieldsHaveTheDefault() throws {
    #expect(
      try decode(ByDefault.self, written + written)
        == {
          let expected = [
            ByDefault(5, "none", 7), ByDefault(1, "none", 7), ByDefault(5, "t", 7), ByDefault(1, "t", 3),
            ByDefault(1, "t", 3), ByDefault(5, "t", nil),
          ]
          return expected + expected
        }())
  }

  @Test func missingFieldsLeaveTheVariableAsItIs() throws {
    let decoded = try decode(InPlace.self, written + written)
    #expect(decoded.map(\.number) == [5, 1, 5, 1, 1, 5, 5, 1, 5, 1, 1, 5])
    #expect(decoded.map(\.text).prefix(6) == ["none", "none", "t", "t", "t", "t"])
    #expect(decoded.map(\.maybe).prefix(6) == [7, 7, 7, 3, 3, nil])
    #expect(decoded[2].found == [false, false, true] && decoded[5].found == [true, false, true])
  }

  @Test func missingFieldsLeaveInitialValues() throws {
    let decoded = try decode(OverInitialValues.self, written + written)
    #expect(decoded.map(\.number) == [5, 1, 5, 1, 1, 5, 5, 1, 5, 1, 1, 5])
    #expect(decoded.map(\.text).prefix(6) == ["none", "none", "t", "t", "t", "t"])
    #expect(decoded.map(\.maybe).prefix(6) == [7, 7, 7, 3, 3, nil])
  }

  @Test func defaultsAreEvaluatedOnlyWhereTheyAreNeeded() throws {
    struct Strict: GDecodable {
      struct Missing: Error {}
      var number: Int

      init(from decoder: GDecoder) throws {
        func missing() throws -> Int { throw Missing() }
        number = try decoder.decode(for: Key.number, default: missing())
      }
    }
    #expect(try decode(Strict.self, [Written(number: 1)])[0].number == 1)
    #expect(throws: Strict.Missing.self) { try decode(Strict.self, [Written()]) }
  }

  @Test func wrongTypesAreErrorsAndNoDefaults() throws {
    struct Wrong: GDecodable {
      init(from decoder: GDecoder) throws {
        _ = try decoder.decode(String.self, for: Key.number, default: "")
      }
    }
    #expect { try decode(Wrong.self, [Written(number: 1)]) } throws: {
      ($0 as? GCodableError)?.code == .typeMismatch
    }
  }

  private final class Link: GCodable {
    var link: Link?
    let isWritten: Bool

    init(isWritten: Bool) { self.isWritten = isWritten }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(isWritten, for: Key.number)
      if isWritten { try encoder.encode(link, for: Key.link) }
    }

    init(from decoder: GDecoder) throws {
      isWritten = try decoder.decode(for: Key.number)
      let isFound = try decoder.deferDecodeIfPresent(Link?.self, for: Key.link) { self.link = $0 }
      #expect(isFound == isWritten)
    }
  }

  @Test func missingFieldsAreNotDeferred() throws {
    Link.register()
    let links = [Link(isWritten: true), Link(isWritten: false), Link(isWritten: true)]
    (links[0].link, links[2].link) = (links[2], links[1])
    let decoded = try GraphDecoder().decode([Link].self, from: GraphEncoder().encode(links) as [UInt8])
    #expect(decoded[0].link === decoded[2] && decoded[1].link == nil && decoded[2].link === decoded[1])
  }
}
