import Foundation
import GraphCodable

// What a byte of an archive may be much of in memory, or take much time.

/// Nothing is stored of it.
struct Nothing: GCodable, Codable {
  init() {}
  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

/// As `@GCodable` codes a class whose properties have initial values, none of which an older version has stored.
final class Defaults: GCodable {
  private var number = 1.5
  private var text = "text"
  private var vector = SIMD16<Double>(repeating: 1)
  private var list: [Int8?] = []
  init() {}
  init(from decoder: GDecoder) throws {
    if let value = try decoder.decodeIfPresent(Double.self, for: Key.a) { number = value }
    if let value = try decoder.decodeIfPresent(String.self, for: Key.b) { text = value }
    if let value = try decoder.decodeIfPresent(SIMD16<Double>.self, for: Key.c) { vector = value }
    if let value = try decoder.decodeIfPresent([Int8?].self, for: Key.d) { list = value }
  }
  func encode(to encoder: GEncoder) throws {}
}

final class Optionals: Codable {
  var a: Int?, b: Int?, c: Int?, d: Double?, e: Double?, f: String?, g: String?, h: Bool?, i: [Int]?, j: Date?
}

struct OptionalFields: GCodable, Codable {
  var a: Int?
  var b: SIMD8<Double>?
  var c: String?
  init() {}
  init(from decoder: GDecoder) throws {
    a = try decoder.decodeIfPresent(for: Key.a)
    b = try decoder.decodeIfPresent(for: Key.b)
    c = try decoder.decodeIfPresent(for: Key.c)
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encodeIfPresent(a, for: Key.a)
    try encoder.encodeIfPresent(b, for: Key.b)
    try encoder.encodeIfPresent(c, for: Key.c)
  }
}

extension CatalogueType {
  /// So many that they are compressed to a few hundred bytes.
  private static let many = 20_000

  /// A letter with combining marks that Swift has to sort.
  private static func marked(_ count: Int, _ end: Int) -> String {
    "a" + String(repeating: "\u{315}\u{300}", count: count / 2) + "\(end)"
  }

  /// With predictors and tables where numbers have their codec.
  private static let integers = (0..<5_000).map { (index: Int32) -> Int32 in index / 3 + index % 4 * 50 }
  private static let decimals = (0..<2_500).map { (index: Int) -> Double in
    Double(index * index % 997) * 0.01
  }

  static let bulk: [CatalogueType] = [
    .init { [integers] }, .init { [decimals] },
    .init { [[Nothing](repeating: Nothing(), count: many)] as [[Nothing]] },
    .init { [(0..<100).map { _ in Defaults() }] as [[Defaults]] },
    .init { [[Int8?](repeating: nil, count: many)] as [[Int8?]] },
    .init { [[SIMD8<Double>?](repeating: nil, count: many)] as [[SIMD8<Double>?]] },
    .init { [[OptionalFields](repeating: OptionalFields(), count: many)] as [[OptionalFields]] },
    .init { [[[Int]](repeating: [], count: many)] as [[[Int]]] },
    .init { [[GLazy([1, 2]), GLazy([3])]] as [[GLazy<[Int]>]] },
    .init { [[IndexSet(), IndexSet([1])]] as [[IndexSet]] },
    .init { [[DateComponents(), DateComponents(year: 1)]] as [[DateComponents]] },
    .init { [Set((0..<4).map { marked(200, $0) })] as [Set<String>] },
    .init { [[marked(200, 0): marked(200, 1)]] as [[String: String]] },
    .init { [(0..<4).map { marked(600, $0) }] as [[String]] },
  ]

  static let bulkCodable: [CatalogueType] = [
    .init(codable: [Optionals].self) { [(0..<20).map { _ in Optionals() }] },
    .init(codable: [OptionalFields].self) { [[OptionalFields](repeating: OptionalFields(), count: 200)] },
    .init(codable: [Nothing].self) { [[Nothing](repeating: Nothing(), count: 200)] },
    .init(codable: Set<String>.self) { [Set((0..<4).map { marked(200, $0) })] },
    .init(codable: [String: Int?].self) { [["a": nil, marked(100, 1): 2]] },
  ]
}
