import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphSupport

/// Small archives that would take much memory or time: an error, at most 64 MiB above the file, and little processor time.
///
/// Each runs in a process of its own, whose memory nobody else takes.
@Suite("Small archives that cost much")
struct HostileArchiveTests {
  struct Attack: Sendable {
    let name: String
    let bytes: @Sendable () throws -> Bytes
    let work: @Sendable (Bytes) throws -> Void
  }

  static let attacks: [Attack] = memory + work

  /// Far below what these attacks took before they were bounded, which was hundreds and thousands.
  static let mostRounds = 60.0

  /// Processor time in rounds of plain work on the same machine, in the same build: what decoding 50,000 records takes.
  private enum Work {
    static func rounds(_ body: () throws -> Void) throws -> Double {
      let bytes = try encoded((0..<50_000).map { Hostile.Round(number: $0) })
      // The first one also makes what is made once; the quicker of two has been disturbed less.
      _ = try decoded([Hostile.Round].self, from: bytes)
      let round = try min(
        time { _ = try decoded([Hostile.Round].self, from: bytes) },
        time { _ = try decoded([Hostile.Round].self, from: bytes) })
      return try time(body) / round
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
      let start = clock()
      try body()
      return Double(clock() - start)
    }
  }

  private static let count = 2_000_000

  /// Records without fields, compressed to a byte for 250, as instances of a class of which nothing is stored.
  private static func records(isClass: Bool = false) throws -> Bytes {
    let values = try encoded([Hostile.Nothing](repeating: .init(), count: count))
    return try Forge(values).changingContents { contents in
      for index in contents.shapes.indices where isClass && !contents.shapes[index].isList {
        (contents.shapes[index].isClass, contents.shapes[index].classNumber) = (true, 0)
      }
    }
  }

  private static let memory: [Attack] = [
    Attack(name: "instances of initial values", bytes: { try records(isClass: true) }) {
      _ = try decoded([Hostile.Initial].self, from: $0)
    },
    Attack(name: "small instances", bytes: { try records(isClass: true) }) {
      _ = try decoded([Hostile.Small].self, from: $0)
    },
    Attack(name: "Codable instances of optionals", bytes: { try records() }) {
      _ = try GraphDecoder().decode(codable: [Hostile.Optionals].self, from: $0)
    },
    Attack(name: "Codable instances in line", bytes: { try records(isClass: true) }) {
      _ = try GraphDecoder().decode(codable: [Hostile.Optionals].self, from: $0)
    },
    Attack(name: "Codable structs of optionals", bytes: { try records() }) {
      _ = try GraphDecoder().decode(codable: [Hostile.OptionalValues].self, from: $0)
    },
    Attack(name: "lazy values", bytes: { try records() }) {
      _ = try GraphArchive($0).decode([GLazy<Hostile.Nothing>].self)
    },
    Attack(name: "optionals", bytes: { try encoded([Int8?](repeating: nil, count: count)) }) {
      _ = try decoded([SIMD64<Double>?].self, from: $0)
    },
    Attack(name: "date components", bytes: { try records() }) {
      _ = try decoded([DateComponents].self, from: $0)
    },
    Attack(name: "names of persons", bytes: { try records() }) {
      _ = try decoded([PersonNameComponents].self, from: $0)
    },
    Attack(name: "index sets", bytes: { try encoded([[Int8]](repeating: [], count: count / 4).map { [$0] }) })
    {
      _ = try decoded([[IndexSet]].self, from: $0)
    },
    Attack(name: "optional instances", bytes: { try records(isClass: true) }) {
      _ = try decoded([Hostile.Wide?].self, from: $0)
    },
    Attack(name: "deferred fields", bytes: { try records(isClass: true) }) {
      _ = try decoded([Hostile.Later].self, from: $0)
    },
    Attack(name: "sets of optionals", bytes: { try encoded([Int8?](repeating: nil, count: count)) }) {
      _ = try decoded(Set<SIMD64<Double>?>.self, from: $0)
    },
    Attack(
      name: "data units of optionals",
      bytes: { try encoded(Hostile.Unit(elements: [Int8?](repeating: nil, count: count))) }
    ) {
      _ = try decoded(Hostile.Unit<SIMD64<Double>?>.self, from: $0)
    },
    Attack(
      name: "many data units and optionals",
      bytes: {
        try encoded((0..<8).map { _ in Hostile.Unit(elements: [Int8?](repeating: nil, count: 100_000)) })
      }
    ) {
      _ = try decoded([Hostile.Unit<SIMD64<Double>?>].self, from: $0)
    },
    Attack(name: "measurements", bytes: { try records() }) {
      _ = try decoded([Measurement<UnitLength>].self, from: $0)
    },
    Attack(name: "a dump", bytes: { try records() }) { _ = try GraphArchive($0).dump() },
  ]

  /// A base letter and combining marks.
  private static func marked(_ count: Int, _ end: String = "") -> String {
    var text = String.UnicodeScalarView(["a"])
    for index in 0..<count { text.append(index % 2 == 0 ? "\u{315}" : "\u{300}") }
    return String(text) + end
  }

  private static func marks(_ count: Int = 8) throws -> [String] {
    (0..<count).map { marked(20_000, "\($0)") }
  }

  private static let work: [Attack] = [
    Attack(name: "a set of marks", bytes: { try encoded(marks()) }) {
      _ = try decoded(Set<String>.self, from: $0)
    },
    Attack(name: "a Codable set of marks", bytes: { try encoded(marks()) }) {
      _ = try GraphDecoder().decode(codable: Set<String>.self, from: $0)
    },
    Attack(name: "keys of marks", bytes: { try encoded(marks().flatMap { [$0, $0] }) }) {
      _ = try decoded(Hostile.Pairs.self, from: $0)
    },
    Attack(name: "objects hashed by marks", bytes: { try encoded(marks().map { Hostile.Name($0) }) }) {
      _ = try decoded(Set<Hostile.Name>.self, from: $0)
    },
    Attack(
      name: "a calendar", bytes: { try script { try $0.encode(marked(20_000), for: StandardKey.identifier) } }
    ) {
      _ = try decoded(Calendar.self, from: $0)
    },
    Attack(
      name: "a locale",
      bytes: {
        try script {
          try $0.encode(marked(20_000), for: StandardKey.identifier)
          try $0.encode(false, for: StandardKey.isAutoupdating)
        }
      }
    ) { _ = try decoded(Locale.self, from: $0) },
    Attack(
      name: "a time zone",
      bytes: {
        try script {
          try $0.encode(marked(20_000), for: StandardKey.identifier)
          try $0.encode(false, for: StandardKey.isAutoupdating)
        }
      }
    ) { _ = try decoded(TimeZone.self, from: $0) },
    Attack(
      name: "a unit",
      bytes: {
        try script {
          try $0.encode(1.0, for: StandardKey.value)
          try $0.encode("m", for: StandardKey.symbol)
          try $0.encode(marked(20_000), for: StandardKey.unitClass)
        }
      }
    ) { _ = try decoded(Measurement<UnitLength>.self, from: $0) },
    Attack(name: "dictionaries of marks", bytes: { try encoded((0..<60).map { [marked(4_000, "\($0)"): 1] }) })
    {
      _ = try decoded([Dictionary<String, Int>].self, from: $0)
    },
    Attack(name: "a set in values of marks", bytes: { try encoded(marks().map { [[$0]] }) }) {
      _ = try decoded([Set<Set<String>>].self, from: $0)
    },
    Attack(name: "an optional set of marks", bytes: { try encoded(marks().map { $0 as String? }) }) {
      _ = try decoded(Set<String?>.self, from: $0)
    },
    Attack(
      name: "a data unit of marks", bytes: { try encoded(Hostile.Unit(elements: marks().map { [$0] })) }
    ) { _ = try decoded(Hostile.Unit<Set<String>>.self, from: $0) },
    Attack(
      name: "a name of an attribute",
      bytes: {
        try script {
          try $0.encode("ab", for: StandardKey.text)
          try $0.encode(
            [
              Script {
                try $0.encode(2, for: StandardKey.byteCount)
                try $0.encode([marked(20_000)], for: StandardKey.names)
                try $0.encode(["1"], for: StandardKey.values)
              }
            ], for: StandardKey.runs)
        }
      }
    ) { _ = try decoded(AttributedString.self, from: $0) },
    Attack(
      name: "a key",
      bytes: {
        let bytes = try script { try $0.encode(1, for: NameKey("key")) }
        return try Forge(bytes).changingContents { $0.keys[0] = marked(20_000) }
      }
    ) {
      _ = try decoded(Hostile.Nothing.self, from: $0)
    },
  ]

  #if os(Linux)
    @Test(arguments: attacks.indices) func anAttackIsAnErrorAndCostsLittle(index: Int) async {
      await #expect(processExitsWith: .success, "\(Self.attacks[index].name)") { [index] in
        let attack = HostileArchiveTests.attacks[index]
        let bytes = try attack.bytes()
        guard bytes.count < 200_000 else { exit(2) }
        var failure: (any Error)?
        var rounds = 0.0
        let peak = try ProcessMemory.peak {
          rounds = try Work.rounds { do { try attack.work(bytes) } catch { failure = error } }
        }
        print(attack.name, bytes.count, peak, rounds, failure.map { "\($0)".prefix(200) } ?? "none")
        guard let error = failure as? GCodableError else { exit(3) }
        guard "\(error)".utf8.count < 1_000 else { exit(4) }
        guard peak << 10 <= bytes.count + 64 << 20 else { exit(5) }
        guard rounds < HostileArchiveTests.mostRounds else { exit(6) }
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
    #expect(long.context.debugDescription.utf8.count < 32 << 10)
    #expect(GCodableError(.malformed, "é, ü and 日本").context.debugDescription == "é, ü and 日本")
  }

  @Test func aDifferenceBeyondAnyCollectionIsRefused() throws {
    for offset in [Int.max, Int.max - 1, Int.max / 2, -1] {
      let bytes = try script { encoder in
        try encoder.encode(
          Script {
            try $0.encode(true, for: StandardKey.isInsertion)
            try $0.encode(offset, for: StandardKey.offset)
            try $0.encode(1, for: StandardKey.element)
          })
      }
      let error = #expect(throws: GCodableError.self) {
        try decoded(CollectionDifference<Int>.self, from: bytes)
      }
      #expect(error?.code == .invalidValue)
    }
  }
}
