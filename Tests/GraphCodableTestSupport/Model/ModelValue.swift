import Foundation
import GraphCodable

/// A value of one of many types, which may hold others.
package indirect enum ModelValue: GCodable {
  case integer(Int)
  case byte(Int8)
  case wide(UInt64)
  case double(Double)
  case single(Float)
  case text(String)
  case flags([Bool])
  case numbers([Double])
  case vectors([SIMD3<Float>])
  case data(Data)
  case moment(Date)
  case range(Range<Int>)
  case maybe(Int??)
  case strings(Set<String>)
  case list([ModelValue])
  case table([String: ModelValue])
  case outcome(Result<ModelValue, ModelRefusal>)

  private enum Key: String {
    case integer, byte, wide, double, single, text, flags, numbers, vectors, data, moment, range, maybe
    case strings, list, table, outcome
  }

  package func encode(to encoder: GEncoder) throws {
    switch self {
    case .integer(let value): try encoder.encode(value, for: Key.integer)
    case .byte(let value): try encoder.encode(value, for: Key.byte)
    case .wide(let value): try encoder.encode(value, for: Key.wide)
    case .double(let value): try encoder.encode(value, for: Key.double)
    case .single(let value): try encoder.encode(value, for: Key.single)
    case .text(let value): try encoder.encode(value, for: Key.text)
    case .flags(let value): try encoder.encode(value, for: Key.flags)
    case .numbers(let value): try encoder.encode(value, for: Key.numbers)
    case .vectors(let value): try encoder.encode(value, for: Key.vectors)
    case .data(let value): try encoder.encode(value, for: Key.data)
    case .moment(let value): try encoder.encode(value, for: Key.moment)
    case .range(let value): try encoder.encode(value, for: Key.range)
    case .maybe(let value): try encoder.encode(value, for: Key.maybe)
    case .strings(let value): try encoder.encode(value, for: Key.strings)
    case .list(let value): try encoder.encode(value, for: Key.list)
    case .table(let value): try encoder.encode(value, for: Key.table)
    case .outcome(let value): try encoder.encode(value, for: Key.outcome)
    }
  }

  package init(from decoder: GDecoder) throws {
    for (key, decode) in Self.decodings where try decoder.contains(key) {
      self = try decode(decoder)
      return
    }
    throw GCodableError(.keyNotFound, "a value of no known case")
  }

  private static let decodings: [(Key, @Sendable (GDecoder) throws -> ModelValue)] = [
    (.integer, { try .integer($0.decode(for: Key.integer)) }),
    (.byte, { try .byte($0.decode(for: Key.byte)) }),
    (.wide, { try .wide($0.decode(for: Key.wide)) }),
    (.double, { try .double($0.decode(for: Key.double)) }),
    (.single, { try .single($0.decode(for: Key.single)) }),
    (.text, { try .text($0.decode(for: Key.text)) }),
    (.flags, { try .flags($0.decode(for: Key.flags)) }),
    (.numbers, { try .numbers($0.decode(for: Key.numbers)) }),
    (.vectors, { try .vectors($0.decode(for: Key.vectors)) }),
    (.data, { try .data($0.decode(for: Key.data)) }),
    (.moment, { try .moment($0.decode(for: Key.moment)) }),
    (.range, { try .range($0.decode(for: Key.range)) }),
    (.maybe, { try .maybe($0.decode(for: Key.maybe)) }),
    (.strings, { try .strings($0.decode(for: Key.strings)) }),
    (.list, { try .list($0.decode(for: Key.list)) }),
    (.table, { try .table($0.decode(for: Key.table)) }),
    (.outcome, { try .outcome($0.decode(for: Key.outcome)) }),
  ]

  /// The name of the case.
  package var name: String { String(fingerprint.prefix { $0 != " " && $0 != "(" }) }

  /// The same for values of the same bits, and only for those: the case, then what it holds.
  package var fingerprint: String {
    switch self {
    case .double(let value): "double \(value.bitPattern)"
    case .single(let value): "single \(value.bitPattern)"
    case .text(let value): "text \(Array(value.utf8))"
    case .numbers(let value): "numbers \(value.map(\.bitPattern))"
    case .vectors(let value): "vectors \(value.map { [$0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern] })"
    case .data(let value): "data \(Bytes(value))"
    case .moment(let value): "moment \(value.timeIntervalSinceReferenceDate.bitPattern)"
    case .strings(let value): "strings \(value.sorted())"
    case .list(let value): "list \(value.map(\.fingerprint))"
    case .table(let value):
      "table \(value.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.fingerprint)" })"
    case .outcome(.success(let value)): "outcome \(value.fingerprint)"
    default: "\(self)"
    }
  }
}

package struct ModelRefusal: Error, GCodable {
  package let reason: String
  package init(_ reason: String) { self.reason = reason }
  package init(from decoder: GDecoder) throws { reason = try decoder.decode() }
  package func encode(to encoder: GEncoder) throws { try encoder.encode(reason) }
}

extension ModelValue {
  /// A random value.
  ///
  /// - Parameters:
  ///   - depth: how deep values may be inside others.
  ///   - hashedCount: how many elements a set or dictionary may have.
  package static func random(_ random: inout SplitMix64, depth: Int = 2, hashedCount: Int) -> ModelValue {
    func number() -> Double { Double(bitPattern: bits(&random)) }
    func count() -> Int { random.once(in: 200) ? 2000 + random.below(2000) : random.below(4) }
    func text() -> String { Self.text(&random) }
    switch random.below(depth == 0 ? 14 : 17) {
    case 0: return .integer(Int(truncatingIfNeeded: bits(&random)))
    case 1: return .byte(Int8(truncatingIfNeeded: random.next()))
    case 2: return .wide(bits(&random))
    case 3: return .double(number())
    case 4: return .single(Float(bitPattern: UInt32(truncatingIfNeeded: bits(&random) >> 32)))
    case 5: return .text(text())
    case 6: return .flags((0..<count()).map { _ in random.once(in: 2) })
    case 7: return .numbers((0..<count()).map { _ in number() })
    case 8:
      return .vectors(
        (0..<count()).map { _ in SIMD3(random.below(2) == 0 ? -0.0 : .nan, 1, Float(random.below(9))) })
    case 9: return .data(Data((0..<count()).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
    case 10: return .moment(Date(timeIntervalSinceReferenceDate: number()))
    case 11:
      let start = random.below(1000)
      return .range(start..<(start + random.below(1000)))
    case 12: return .maybe([nil, .some(nil), .some(random.below(1000))][random.below(3)])
    case 13: return .strings(Set((0..<random.below(hashedCount + 1)).map { _ in text() }))
    case 14:
      return .list(
        (0..<random.below(4)).map { _ in .random(&random, depth: depth - 1, hashedCount: hashedCount) })
    case 15:
      return .table(
        (0..<random.below(hashedCount + 1)).reduce(into: [:]) { table, _ in
          table[text()] = .random(&random, depth: depth - 1, hashedCount: hashedCount)
        })
    default:
      return .outcome(
        random.once(in: 2)
          ? .failure(ModelRefusal(text()))
          : .success(.random(&random, depth: depth - 1, hashedCount: hashedCount)))
    }
  }

  /// Bits of any number, more often those at the borders.
  private static func bits(_ random: inout SplitMix64) -> UInt64 {
    switch random.below(6) {
    case 0: [0, 1, .max, 1 << 63, 1 << 63 - 1, 0x7FF0_0000_0000_0000][random.below(6)]
    case 1: 0x7FF0_0000_0000_0000 | random.next()  // NaN, mostly, with any payload and sign.
    case 2: 1 << UInt64(random.below(64))
    case 3: UInt64(random.below(300))
    default: random.next()
    }
  }

  private static func text(_ random: inout SplitMix64) -> String {
    let pieces = [
      "", "a", "\0", "e\u{301}", "\u{E9}", "漢字", "🜁", "\u{10FFFF}", "fifteen letters", "more than fifteen",
    ]
    return (0..<random.below(4)).map { _ in pieces[random.below(pieces.count)] }.joined()
      + "\(random.below(5))"
  }
}
