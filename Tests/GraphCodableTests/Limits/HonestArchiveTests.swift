import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// What programs encode, although a few bytes stand for much: the default limits accept it.
@Suite("Large and monotonous models")
struct HonestArchiveTests {
  struct Model: Sendable, CustomTestStringConvertible {
    let name: String
    /// Encodes and decodes with default settings, and returns how many elements come back.
    let count: @Sendable () throws -> Int
    let expected: Int
    var testDescription: String { name }

    init<Element: GCodable & SendableMetatype>(
      _ name: String, _ element: @autoclosure @escaping @Sendable () -> Element, _ count: Int
    ) {
      (self.name, expected) = (name, count)
      self.count = { try roundTrip([Element](repeating: element(), count: count)).count }
    }

    init(_ name: String, _ expected: Int, _ count: @escaping @Sendable () throws -> Int) {
      (self.name, self.expected, self.count) = (name, expected, count)
    }
  }

  static let models: [Model] =
    [
      Model("nil numbers", nil as Int?, 2_000_000),
      Model("nil strings", nil as String?, Effort.of(400_000, thorough: 2_000_000)),
      Model("nil dates", nil as Date?, Effort.of(200_000, thorough: 1_000_000)),
      Model("nil vectors", nil as SIMD4<Double>?, Effort.of(100_000, thorough: 500_000)),
      Model("empty strings", "", Effort.of(400_000, thorough: 2_000_000)),
      Model("empty arrays", [] as [Int], Effort.of(400_000, thorough: 2_000_000)),
      Model("empty sets", [] as Set<Int>, Effort.of(100_000, thorough: 500_000)),
      Model("empty data", Data(), Effort.of(200_000, thorough: 1_000_000)),
      Model("arrays of one", ["a"], 300_000),
      Model("values without fields", Honest.Plain(), 300_000),
      Model("index sets", IndexSet(), 50_000),
      Model("components of dates", DateComponents(), 30_000),
      Model("calendars", Calendar(identifier: .iso8601), 5_000),
      Model("locales", Locale(identifier: "de_CH"), 20_000),
      Model("lengths", Measurement(value: 1, unit: UnitLength.meters), 20_000),
      Model("addresses", URL(string: "https://example.org")!, 20_000),
      Model("lazy values", 20_000) { try roundTrip((0..<20_000).map { _ in GLazy([1, 2, 3]) }).count },
      Model("objects of an older version", 100_000) {
        let bytes = try encoded((0..<100_000).map { _ in Honest.Older() })
        return try decodedAsNewer(bytes)
      },
      Model("Codable values of optionals", 30_000) {
        let values = (0..<30_000).map { _ in Honest.Sparse() }
        return try GraphDecoder().decode(
          codable: [Honest.Sparse].self, from: GraphEncoder().encode(codable: values) as Bytes
        ).count
      },
      Model("Codable objects with a number and optionals", 60_000) {
        let values = (0..<60_000).map { Honest.Numbered($0) }
        return try GraphDecoder().decode(
          codable: [Honest.Numbered].self, from: GraphEncoder().encode(codable: values) as Bytes
        ).count
      },
      Model("Codable values of any type", 60_000) {
        let values = (0..<60_000).map { Hostile.Anything.text("text \($0 % 100)") }
        return try GraphDecoder().decode(
          codable: [Hostile.Anything].self, from: GraphEncoder().encode(codable: values) as Bytes
        ).count
      },
      Model("text with accents as keys", 20_000) {
        let pairs = (0..<20_000).map { ("e\u{301}\u{323} \($0) Tiếng Việt, עִבְרִית", $0) }
        return try roundTrip(Dictionary(uniqueKeysWithValues: pairs)).count
      },
      Model("data that begin alike", 2_000) {
        let all = (0..<2_000).map { number in
          Data(repeating: 7, count: 80) + withUnsafeBytes(of: number) { Data($0) }
        }
        return try roundTrip(Set(all)).count
      },
      Model("runs of attributes", 300) {
        let text = (0..<300).reduce(into: AttributedString()) { text, number in
          var run = AttributedString("a")
          run.link = URL(string: "a:\(number)")
          text += run
        }
        return try roundTrip(text).runs.count
      },
    ]

  private static func decodedAsNewer(_ bytes: Bytes) throws -> Int {
    let decoder = GraphDecoder()
    decoder.setClass(Honest.Newer.self, for: .qualifiedName(_typeName(Honest.Older.self, qualified: true)))
    return try decoder.decode([Honest.Newer].self, from: bytes).count
  }

  @Test(arguments: models) func areReadByDefault(_ model: Model) throws {
    #expect(try model.count() == model.expected)
  }

  /// Whatever the number of elements, and however many of them are nil or empty.
  @Test(arguments: 0..<UInt64(Effort.of(6, thorough: 20))) func areReadInAnyMixture(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1..<60_000, using: &random)
    let share = Double.random(in: 0...1, using: &random)
    let rows = (0..<count).map { number in
      Double.random(in: 0..<1, using: &random) < share
        ? Honest.Row()
        : Honest.Row(id: number, name: "row \(number % 7)", list: [nil, number], next: Honest.Older())
    }
    let result = try roundTrip(rows)
    #expect(result.map(\.id) == rows.map(\.id))
    #expect(result.map(\.list) == rows.map(\.list))
  }
}

/// Models that leave out what is nil; none is private, so that archives may name them.
enum Honest {
  struct Plain: GCodable {
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
  }

  final class Older: GCodable {
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
  }

  /// What an older version has stored as `Older`.
  final class Newer: GDecodable {
    private enum Key: String { case a, b, c, d, e, f, g, h }
    private var values: SIMD8<Double> = .zero
    init(from decoder: GDecoder) throws {
      let keys: [Key] = [.a, .b, .c, .d, .e, .f, .g, .h]
      for (index, key) in keys.enumerated() {
        if let value = try decoder.decodeIfPresent(Double.self, for: key) { values[index] = value }
      }
    }
  }

  struct Sparse: Codable {
    var a: Int?, b: Int?, c: Double?, d: String?, e: String?, f: Bool?, g: [Int]?, h: Date?, i: Int?, j: Int?
    var k: Int?, l: Int?, m: Double?, n: String?, o: String?, p: Bool?, q: [Int]?, r: Date?, s: Int?, t: Int?
  }

  final class Numbered: Codable {
    let number: Int
    var a: Int?, b: Int?, c: Double?, d: String?, e: String?, f: Bool?, g: [Int]?, h: Date?, i: Int?, j: Int?
    init(_ number: Int) { self.number = number }
  }

  struct Row: GCodable {
    private enum Key: String { case id, name, list, next }
    var id: Int?
    var name: String?
    var list: [Int?] = []
    var next: Older?
    init(id: Int? = nil, name: String? = nil, list: [Int?] = [], next: Older? = nil) {
      (self.id, self.name, self.list, self.next) = (id, name, list, next)
    }
    init(from decoder: GDecoder) throws {
      id = try decoder.decodeIfPresent(for: Key.id)
      name = try decoder.decodeIfPresent(for: Key.name)
      list = try decoder.decodeIfPresent(for: Key.list) ?? []
      next = try decoder.decodeIfPresent(for: Key.next)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encodeIfPresent(id, for: Key.id)
      try encoder.encodeIfPresent(name, for: Key.name)
      if !list.isEmpty { try encoder.encode(list, for: Key.list) }
      try encoder.encodeIfPresent(next, for: Key.next)
    }
  }
}
