import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphSupport

/// Small archives with runs of combining marks that take long to hash and to compare: an error, and little processor time.
@Suite("Small archives that take much work")
struct HostileTextTests {
  /// A base letter and combining marks.
  static func marked(_ count: Int, _ end: String = "") -> String {
    var text = String.UnicodeScalarView(["a"])
    for index in 0..<count { text.append(index % 2 == 0 ? "\u{315}" : "\u{300}") }
    return String(text) + end
  }

  static func marks(_ count: Int = 8) -> [String] {
    (0..<count).map { marked(20_000, "\($0)") }
  }

  /// Each below the limit.
  static func manyMarks() -> [String] { (0..<60).map { marked(4_000, "\($0)") } }

  private static func records(_ texts: [String]) throws -> Bytes {
    try encoded(texts.map { text in Script { try $0.encode(text) } })
  }

  static func pairs() -> [String: Int] {
    Dictionary(uniqueKeysWithValues: manyMarks().enumerated().map { ($1, $0) })
  }

  private static let escapes = "\"a" + String(repeating: #"\u0315\u0300"#, count: 10_000) + "\""

  private static func attribute(_ value: String, name: String = "NSAlternateDescription") throws -> Bytes {
    try script { encoder in
      try encoder.encode("ab", for: StandardKey.text)
      try encoder.encode(
        [
          Script {
            try $0.encode(2, for: StandardKey.byteCount)
            try $0.encode([name], for: StandardKey.names)
            try $0.encode([value], for: StandardKey.values)
          }
        ], for: StandardKey.runs)
    }
  }

  static let attacks: [HostileAttack] = [
    HostileAttack(name: "a set of marks", bytes: { try encoded(marks()) }) {
      _ = try decoded(Set<String>.self, from: $0)
    },
    HostileAttack(name: "a Codable set of marks", bytes: { try encoded(marks()) }) {
      _ = try GraphDecoder().decode(codable: Set<String>.self, from: $0)
    },
    HostileAttack(
      name: "keys of marks",
      bytes: { try script { for text in [marked(20_000), marked(20_000)] { try $0.encode(text) } } }
    ) {
      _ = try decoded(Hostile.Pairs.self, from: $0)
    },
    HostileAttack(name: "objects hashed by marks", bytes: { try encoded(marks().map { Hostile.Name($0) }) }) {
      _ = try decoded(Set<Hostile.Name>.self, from: $0)
    },
    HostileAttack(
      name: "a calendar",
      bytes: {
        try script {
          try $0.encode(marked(20_000), for: StandardKey.identifier)
          try $0.encode(false, for: StandardKey.isAutoupdating)
          try $0.encode(TimeZone.gmt, for: StandardKey.timeZone)
          try $0.encode(1, for: StandardKey.firstWeekday)
          try $0.encode(1, for: StandardKey.minimumDaysInFirstWeek)
        }
      }
    ) {
      _ = try decoded(Calendar.self, from: $0)
    },
    HostileAttack(
      name: "a locale",
      bytes: {
        try script {
          try $0.encode(marked(20_000), for: StandardKey.identifier)
          try $0.encode(false, for: StandardKey.isAutoupdating)
        }
      }
    ) { _ = try decoded(Locale.self, from: $0) },
    HostileAttack(
      name: "a time zone",
      bytes: {
        try script {
          try $0.encode(marked(20_000), for: StandardKey.identifier)
          try $0.encode(false, for: StandardKey.isAutoupdating)
        }
      }
    ) { _ = try decoded(TimeZone.self, from: $0) },
    HostileAttack(
      name: "a unit",
      bytes: {
        try script {
          try $0.encode(1.0, for: StandardKey.value)
          try $0.encode("m", for: StandardKey.symbol)
          try $0.encode(marked(20_000), for: StandardKey.unitClass)
        }
      }
    ) { _ = try decoded(Measurement<UnitLength>.self, from: $0) },
    HostileAttack(name: "an enum's raw values", bytes: { try records(marks()) }) {
      _ = try decoded([Hostile.Suit].self, from: $0)
    },
    HostileAttack(name: "raw values in bulk", bytes: { try records(manyMarks()) }) {
      _ = try decoded([Hostile.Suit].self, from: $0)
    },
    HostileAttack(name: "Codable raw values", bytes: { try encoded(manyMarks()) }) {
      _ = try GraphDecoder().decode(codable: [Hostile.CodableSuit].self, from: $0)
    },
    HostileAttack(
      name: "raw values in a data unit", bytes: { try encoded(Hostile.Unit(elements: manyMarks())) }
    ) { _ = try decoded(Hostile.Unit<Hostile.Suit>.self, from: $0) },
    HostileAttack(name: "keys of a container", bytes: { try encoded(pairs()) }) {
      _ = try GraphDecoder().decode(codable: Hostile.Optionals.self, from: $0)
    },
    HostileAttack(
      name: "a closed range",
      bytes: {
        try script {
          try $0.encode(marked(30_000, "a"))
          try $0.encode(marked(30_000, "b"))
        }
      }
    ) { _ = try decoded(ClosedRange<String>.self, from: $0) },
    HostileAttack(name: "a range without an end", bytes: { try script { try $0.encode(marked(30_000)) } }) {
      _ = try decoded(PartialRangeFrom<String>.self, from: $0)
    },
    HostileAttack(
      name: "a range up to an end in a data unit",
      bytes: { try encoded(Hostile.Unit(elements: [marked(30_000)])) }
    ) { _ = try decoded(Hostile.Unit<PartialRangeUpTo<String>>.self, from: $0) },
    HostileAttack(name: "sets with many strings below the limit", bytes: { try encoded(manyMarks()) }) {
      _ = try decoded(Set<String>.self, from: $0)
    },
    HostileAttack(name: "escaped marks of an attribute", bytes: { try attribute(escapes) }) {
      _ = try decoded(AttributedString.self, from: $0)
    },
    HostileAttack(
      name: "brackets of an attribute", bytes: { try attribute(String(repeating: "[", count: 513)) }
    ) { _ = try decoded(AttributedString.self, from: $0) },
    HostileAttack(name: "dictionaries of marks", bytes: { try encoded(pairs().map { [$0: $1] }) }) {
      _ = try decoded([Dictionary<String, Int>].self, from: $0)
    },
    HostileAttack(name: "a set in values of marks", bytes: { try encoded(marks().map { [[$0]] }) }) {
      _ = try decoded([Set<Set<String>>].self, from: $0)
    },
    HostileAttack(name: "an optional set of marks", bytes: { try encoded(marks().map { $0 as String? }) }) {
      _ = try decoded(Set<String?>.self, from: $0)
    },
    HostileAttack(
      name: "a data unit of marks", bytes: { try encoded(Hostile.Unit(elements: marks().map { [$0] })) }
    ) { _ = try decoded(Hostile.Unit<Set<String>>.self, from: $0) },
    HostileAttack(name: "a name of an attribute", bytes: { try attribute("1", name: marked(20_000)) }) {
      _ = try decoded(AttributedString.self, from: $0)
    },
    HostileAttack(
      name: "a key",
      bytes: {
        let bytes = try script { try $0.encode(1, for: NameKey("key")) }
        return try Forge(bytes).changingContents { $0.keys[0] = marked(20_000) }
      }
    ) {
      _ = try decoded(Hostile.Nothing.self, from: $0)
    },
  ]

  /// Far below what they took before they were bounded, which was hundreds.
  private static let mostRounds = 30.0

  #if os(Linux)
    @Test(arguments: attacks.indices) func isAnErrorAndCostsLittle(index: Int) async throws {
      let data = try Data(Self.attacks[index].bytes())
      await #expect(processExitsWith: .success, "\(Self.attacks[index].name)") {
        [index, data = data as Data] in
        try HostileTextTests.attacks[index].check(Bytes(data), mostRounds: HostileTextTests.mostRounds)
      }
    }
  #endif

  @Test func aPlainStringMayHaveAnyMarks() throws {
    let text = Self.marked(2_000)
    #expect(try decoded([String].self, from: encoded([text])).map(\.utf8.count) == [text.utf8.count])
    #expect(try decoded([Int: String].self, from: encoded([1: text, 2: text])).count == 2)
  }

  @Test func marksMayBeAllowed() throws {
    let bytes = try encoded([Self.marked(5_000)])
    let decoder = GraphDecoder()
    let error = #expect(throws: GCodableError.self) { try decoder.decode(Set<String>.self, from: bytes) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.description.contains("combiningMarkCount") == true)
    decoder.limits.combiningMarkCount = 5_000
    #expect(try decoder.decode(Set<String>.self, from: bytes).count == 1)
    for count in [4_999, 4_096, 255, 0, -1] {
      decoder.limits.combiningMarkCount = count
      #expect(throws: GCodableError.self) { try decoder.decode(Set<String>.self, from: bytes) }
    }
    #expect(try decoder.decode([String].self, from: bytes).count == 1)
  }

  @Test func messagesShowTextsOfArchivesCutAndEscaped() throws {
    let name = "\u{1B}[31m\n\u{202E}" + Self.marked(1_000)
    let bytes = try script { encoder in
      try encoder.encode(name, for: StandardKey.identifier)
      try encoder.encode(false, for: StandardKey.isAutoupdating)
    }
    let error = try #require(throws: GCodableError.self) { try decoded(TimeZone.self, from: bytes) }
    let text = error.description
    #expect(text.contains(#"\u{1b}[31m\u{a}\u{202e}a\u{315}\u{300}"#))
    #expect(text.utf8.count < 1_000)
    #expect(text.unicodeScalars.allSatisfy { $0.properties.canonicalCombiningClass == .notReordered })
    let long = GCodableError(.malformed, String(repeating: "x\u{301}", count: 100_000))
    #expect(long.context.debugDescription.utf8.count <= 8 << 10)
    let cause = GCodableError(.malformed, "a", underlyingError: Hostile.Failure(description: name))
    #expect(cause.description.contains(#"(because: \u{1b}[31m"#))
    #expect(cause.description.utf8.count <= 16 << 10)
    #expect(GCodableError(.malformed, "é, ü and 日本").context.debugDescription == "é, ü and 日本")
  }
}
